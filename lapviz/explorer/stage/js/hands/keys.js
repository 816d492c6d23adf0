// Keys of a stage, wherever the focus is in the page.

// Where keys are typed, or choose among cells and entries.
const TYPED =
  "input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, canvas, " +
  "[contenteditable]:not([contenteditable=false]), [role=combobox], [role=listbox], [role=grid], [role=menu]";

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
