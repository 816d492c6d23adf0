// Keys of a stage, wherever the focus is in the page.

// Where keys are typed, or choose among cells and entries.
const TYPED =
  "input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, canvas, " +
  "[contenteditable]:not([contenteditable=false]), [role=combobox], [role=listbox], [role=grid], [role=menu]";
const ZOOMS = { "+": 1.4, "=": 1.4, "-": 1 / 1.4, _: 1 / 1.4, Home: 0 };

// Directions with y upwards.
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
export const TOOLS = { b: "brush", e: "eraser", m: "move" };

// Keys that neither scroll a page nor press its buttons: classes, tools, widths, undo and redo.
function isFree({ key, ctrlKey, metaKey, altKey }) {
  if (altKey) return false;
  return ctrlKey || metaKey ? /^[zy]$/i.test(key) : /^[0-9bem[\],.]$/i.test(key);
}

// Gives `press` every key while `plots` has the focus, and the free ones while anything else has
// that is no place to type: also nothing, as after a button that its own click has disabled. With
// several stages, one hears its own keys alone. Returns what ends it.
export function listenKeys(root, plots, press) {
  const heard = (event) => {
    const [at] = event.composedPath();
    if (at !== plots) {
      const others = Object.keys(globalThis.__lapviz?.stages ?? {}).length > 1;
      if (event.defaultPrevented || !isFree(event) || at.closest?.(TYPED)) return;
      if (others && !root.contains(at)) return;
    }
    if (!press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", heard);
  return () => document.removeEventListener("keydown", heard);
}

// What a key does; true when it was used. Undo, redo and zoom are alike everywhere: acts has
// travel("undo" or "redo") and zoomBy(factor, 0 for the whole). own(key) comes before the zoom: true
// or false, undefined where it does not know the key.
export function pressKey(event, acts, own) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    const way = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[key];
    return Boolean(way) && acts.travel(way);
  }
  if (event.altKey) return false;
  return own(key) ?? (key in ZOOMS && acts.zoomBy(ZOOMS[key]));
}
