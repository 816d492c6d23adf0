// How a scene is looked at, in the address: one panel enlarged, one scale, errors, zoom, turn. The
// query's key `stage` is this file's own: Python leaves it as it is.

const KEY = "stage";
const OURS = /-(stage|fields)$/; // of the stages that stand for their page
const LATER = 400; // milliseconds without a change after which the address follows
const MOST = 120; // characters

let mine = null; // what this file has written last
let timer = 0;

// The query's part as it is now; "" where all is as it comes.
export function viewText({ display, view, scene, panels }) {
  const parts = [];
  if (display.enlarged !== null) parts.push(`e${display.enlarged}`);
  if (display.all && panels.length > 1) parts.push("a");
  if (display.sameScale) parts.push("s");
  if (display.errors) parts.push("x");
  if (view.zoomed) parts.push(`z${[view.zoom, ...view.centre].map(short).join("_")}`);
  if (scene.space && view.zoomed) parts.push(`t${[view.azimuth, view.elevation].map(short).join("_")}`);
  return parts.join("~");
}

// Look at the scene as the address asks for; nothing in it is trusted.
export function lookAsLinked(stage) {
  const text = new URL(window.location.href).searchParams.get(KEY) ?? "";
  if (!OURS.test(stage.key) || stage.alone || text === (mine ?? "") || text.length > MOST) return;
  const { display, view, scene } = stage;
  for (const part of text.split("~")) {
    const numbers = part.slice(1).split("_").map(Number); // [0] of a part without numbers
    if (!numbers.every(Number.isFinite)) continue;
    if (part[0] === "e" && Number.isInteger(numbers[0])) display.enlarge(numbers[0]);
    else if (part === "a") display.all = true;
    else if (part === "s") display.sameScale = true;
    else if (part === "x") display.errors = true;
    else if (part[0] === "z" && numbers.length === 3) view.lookAt(...numbers);
    else if (part[0] === "t" && numbers.length === 2 && scene.space) view.turnTo?.(...numbers);
  }
  display.follow();
  mine = text;
}

// Write it, once the hand rests.
export function rememberView(stage) {
  if (!OURS.test(stage.key) || stage.alone) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (stage.gone || !stage.scene) return;
    const text = viewText(stage);
    if (text === (mine ?? "")) return;
    mine = text;
    window.history.replaceState(window.history.state, "", withView(new URL(window.location.href)));
  }, LATER);
}

// An address of this page with what is written here; Streamlit's own may be older.
export function withView(url) {
  if (mine) url.searchParams.set(KEY, mine);
  else if (mine !== null) url.searchParams.delete(KEY);
  return url;
}

function short(value) {
  return String(Number(value.toPrecision(4)));
}
