// The page around the stages: the address bar with one entry in the browser's history for each visit of
// a page, whether Python is at work, the sidebar, and how a scene is looked at.

import { habit } from "../bars/parts.js";
import { linked } from "../numbers/view.js";

export const shared = (globalThis.__lapviz ??= { paints: 0, last: null, stages: {} });
const PRESENT = "present"; // in the query: 1 where the stage is presented

const SWITCH = 1000; // milliseconds from a page's query taken away to the next page

// Streamlit adds an entry whenever the query changes, which is at every λ that is let go; then Back
// would go through these one by one. Within a page, an entry is replaced instead.
export function oneEntryPerPage() {
  const { history } = window;
  shared.presenting ||= new URL(window.location.href).searchParams.get(PRESENT) === "1";
  const push = history.pushState.bind(history);
  let cleared = null; // the address whose query went last, and when
  history.pushState = (state, title, url) => {
    const from = new URL(window.location.href);
    const to = new URL(url ?? "", from);
    if (to.pathname === from.pathname) {
      if (from.search && !to.search) cleared = { from, at: performance.now() };
      history.replaceState(state, title, withView(to));
      return;
    }
    // `st.switch_page` first takes away the query of the page that is left, where Back leads to.
    if (cleared?.from.pathname === from.pathname && performance.now() - cleared.at < SWITCH)
      history.replaceState(history.state, "", cleared.from);
    cleared = null;
    push(state, title, url);
  };
}

const LEAVING = 4000; // milliseconds that another page may take to open
let left = -Infinity;

// Has a link to another page just been followed?
export function leaving() {
  return performance.now() - left < LEAVING;
}

// Pages with the same settings: what is typed on one while another opens reaches nobody there.
const SHARED = ["labels-stage", "eigen-stage"];
let moved = null; // the stage of the knob that was moved last

export function moves(stage) {
  moved = stage;
}

// What was moved on the page just left and Python has not answered: names and values, once.
export function carried(stage) {
  const from = moved;
  if (!from || from === stage || !leaving()) return [];
  if (![from, stage].every(({ key }) => SHARED.includes(key))) return [];
  moved = null;
  return [...from.channel.changes].map(([name, { value }]) => [name, value]);
}

const MOST_WAIT = 2000; // milliseconds that a link waits for Python

// Has Python answered all that hands have done? One that still moves has not let go.
function answered() {
  const told = ({ channel }) => channel.moving || (channel.isAnswered && !channel.unsent);
  return Object.values(shared.stages).every(told);
}

// The request for another page has nothing of this one in it, and Streamlit drops what waits to be heard
// before it: quick labels, and a link. So a link is followed when Python has answered.
export function watchLinks() {
  let held = null; // the link that waits, and since when
  const follow = () => {
    if (!answered() && performance.now() - held.since < MOST_WAIT) return setTimeout(follow, 20);
    held.goes = true;
    held.link.click();
    held = null;
  };
  const away = (event) => {
    const link = event.target.closest?.('a[href]:not([target="_blank"]):not([href^="#"])');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return; // these open a window
    if (held?.goes || (!held && answered())) return (left = performance.now());
    event.preventDefault();
    event.stopImmediatePropagation();
    if (held) return (held.link = link);
    held = { link, since: performance.now() };
    follow();
  };
  document.addEventListener("click", away, true);
  window.addEventListener("popstate", () => (left = performance.now()));
}

// ---- Python -----------------------------------------------------------------------------------

export const STATE = "data-test-script-state"; // also while only a fragment runs
const BUSY = ["running", "rerunRequested"];

// Streamlit's app; null in a page without Python.
export function application() {
  return document.querySelector('[data-testid="stApp"]');
}

export function isBusy(app = application()) {
  return BUSY.includes(app?.getAttribute(STATE));
}

// Streamlit makes what scrolls a stop of Tab; there are controls in it, and “Skip to main content” reaches it
// without that.
export function passByMain() {
  document.querySelector('[data-testid="stMain"]')?.setAttribute("tabindex", "-1");
}

// ---- the sidebar ------------------------------------------------------------------------------

// On a tablet held upright an open sidebar leaves room for one picture. Streamlit starts with it
// closed on phones only; here it is closed until a hand does anything.
const WIDEST = 1000; // pixels of a window that starts without
const OPEN =
  '[data-testid="stSidebar"]:is([data-collapsed="false"], [aria-expanded="true"]) ' +
  '[data-testid="stSidebarCollapseButton"] button';
const HANDS = ["pointerdown", "keydown"];

export function startWithoutSidebar() {
  if (window.__lapvizSidebar || window.innerWidth > WIDEST) return;
  window.__lapvizSidebar = true;
  const close = () => document.querySelector(OPEN)?.click();
  const watch = new MutationObserver(close);
  const end = () => watch.disconnect();
  for (const hand of HANDS) document.addEventListener(hand, end, { capture: true, once: true });
  const attributeFilter = ["data-collapsed", "aria-expanded"];
  watch.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter });
  close();
}

// ---- the view ---------------------------------------------------------------------------------

// How a scene is looked at, in the address: one panel enlarged, one scale, errors, zoom, turn; and how the
// bars are. The query's keys `stage`, `present`, `letters` and `more` are this file's own: Python leaves them
// as they are.

const KEY = "stage";
const OURS = /-(stage|fields)$/;
const LATER = 400; // milliseconds without a change after which the address follows
const MOST = 120; // characters
// Parts without numbers, and what they set of the display.
const SWITCHES = { a: { all: true }, s: { sameScale: true }, x: { errors: true }, i: { images: false } };

let mine = null; // what this file has written last
let timer = 0;

// Is a stage the one that its page is about?
export function standsForPage({ key, alone }) {
  return OURS.test(key) && !alone;
}

// The query's part as it is now; "" where all is as it comes. Errors are marked as it comes, and where
// the part has an x: a part with others alone is of a view without the marks, "o" if that is all of it.
export function viewText({ display, view, scene, panels }) {
  const parts = [];
  if (display.enlarged !== null) parts.push(`e${display.enlarged}`);
  if (display.all && panels.length > 1) parts.push("a");
  if (display.sameScale) parts.push("s");
  if (view.zoomed) parts.push(`z${[view.zoom, ...view.centre].map(linked).join("_")}`);
  if (scene.space && view.zoomed) parts.push(`t${[view.azimuth, view.elevation].map(linked).join("_")}`);
  if (display.pictured && !display.images) parts.push("i");
  const plain = display.errors || !display.knows;
  if (!parts.length) return plain ? "" : "o";
  return [...parts, ...(display.errors ? ["x"] : [])].join("~");
}

// Look at the scene as the address asks for; nothing in it is trusted.
export function lookAsLinked(stage) {
  const text = new URL(window.location.href).searchParams.get(KEY) ?? "";
  if (!standsForPage(stage) || text === (mine ?? "") || text.length > MOST) return;
  const { display, view, scene } = stage;
  if (text) display.errors = false;
  for (const part of text.split("~")) {
    const numbers = part.slice(1).split("_").map(Number); // [0] of a part without numbers
    if (!numbers.every(Number.isFinite)) continue;
    Object.assign(display, SWITCHES[part]);
    if (part[0] === "e" && Number.isInteger(numbers[0])) display.enlarge(numbers[0]);
    else if (part[0] === "z" && numbers.length === 3) view.lookAt(...numbers);
    else if (part[0] === "t" && numbers.length === 2 && scene.space) view.turnTo?.(...numbers);
  }
  display.follow();
  mine = text;
}

// Write it, once the hand rests.
export function rememberView(stage) {
  if (!standsForPage(stage)) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (stage.gone || !stage.scene) return;
    const text = viewText(stage);
    if (text === (mine ?? "")) return;
    mine = text;
    writeView();
  }, LATER);
}

export function writeView() {
  window.history.replaceState(window.history.state, "", withView(new URL(window.location.href)));
}

// An address of this page with what is written here; Streamlit's own may be older.
export function withView(url) {
  if (mine) url.searchParams.set(KEY, mine);
  else if (mine !== null) url.searchParams.delete(KEY);
  const ones = { [PRESENT]: Boolean(shared.presenting), ...barsShown };
  for (const [key, on] of Object.entries(ones)) {
    if (on) url.searchParams.set(key, "1");
    else url.searchParams.delete(key);
  }
  return url;
}

// ---- the bars ---------------------------------------------------------------------------------

// Are sliders named by their letters alone, is “More” open? As a hand or the address said since the page was
// opened; else it is a habit of the person at the screen, kept in the browser, which goes into an address
// only where that is copied.
const barsShown = {};
const placeOf = (name) => `lapviz.${name}`;

// Whether `name`, "letters" or "more", is on; `turn`: a hand turns it on or off.
export function barShows(name, turn = null) {
  if (turn !== null) {
    barsShown[name] = habit(placeOf(name), turn);
    if (application()) writeView();
  } else if (new URL(window.location.href).searchParams.get(name) === "1") barsShown[name] ??= true;
  return barsShown[name] ?? habit(placeOf(name));
}

// The page's address as it is seen here.
export function addressHere() {
  // Streamlit Community Cloud shows an app in a frame, whose address has this in it.
  const url = new URL(window.location.href.replace("/~/+/", "/"));
  for (const name of ["letters", "more"]) if (barShows(name)) url.searchParams.set(name, "1");
  return url.href;
}
