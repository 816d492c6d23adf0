// What the bars have in common: buttons, sliders, classes to choose, zoom.

import icons from "./icons.json";
import { classColour, css } from "../paint/colour.js";
import { check, element, icon, tool } from "../paint/dom.js";
import { shapePath } from "../paint/marks.js";

// stage: with travel("undo" or "redo") and clear(). `label`: of the last button. Its follow(stack, any) tells
// them how much there is to undo, and whether anything is there.
export function edits(stage, label, path = icons.clear) {
  const undo = tool(icons.undo, "Undo (Ctrl+Z)", () => stage.travel("undo"), "Undo");
  const redo = tool(icons.redo, "Redo (Ctrl+Shift+Z)", () => stage.travel("redo"), "Redo");
  const clear = tool(path, label, () => stage.clear(), "Clear");
  const follow = (stack, any) => {
    undo.disabled = !stack?.past.length;
    redo.disabled = !stack?.future.length;
    clear.disabled = !any;
  };
  return { undo, nodes: [undo, redo, clear], follow };
}

// zoomBy: with a factor, 0 for the whole picture.
export function zooms(stage) {
  const whole = tool(icons.whole, "Whole picture", () => stage.zoomBy(0), "Whole");
  const out = tool(icons.minus, "Zoom out (−)", () => stage.zoomBy(1 / 1.4), "Zoom out");
  const into = tool(icons.plus, "Zoom in (+)", () => stage.zoomBy(1.4), "Zoom in");
  return { whole, nodes: [out, into, whole] };
}

// The class `code` (-1: none) in its colour and shape; without `run` it cannot be chosen.
export function swatch(code, name, { label, key = "", theme, run = null }) {
  const known = code >= 0;
  const fill = classColour(theme, code);
  const shape = shapePath(Math.max(code, 0), known ? 5 : 3.5);
  const inside = [icon(shape, { fill, stroke: css(theme.text, 0.7) }), element("span", {}, name)];
  if (!run) return element("span.swatch.fixed", { role: "listitem" }, ...inside);
  const title = key ? `${label} (key ${key})` : label;
  const choice = { type: "button", role: "radio", title, "aria-label": label };
  return element("button.swatch", { ...choice, onclick: () => run(code) }, ...inside);
}

// Buttons of which one is chosen: kinds {name: [drawing, label, word]}; `check(name)` shows which.
export function choices(spec, label, kinds, choose) {
  const buttons = Object.entries(kinds).map(([name, [path, words, word = ""]]) =>
    tool(path, words, () => choose(name), word, { role: "radio" }),
  );
  const node = element(spec, { role: "radiogroup", "aria-label": label }, ...buttons);
  return { node, check: (name) => check(buttons, Object.keys(kinds).indexOf(name)) };
}

// entries: [value, words] of each. `choose` is called with a value.
export function menu(spec, label, title, choose, entries = []) {
  const onchange = (event) => choose(event.target.value);
  const options = entries.map(([value, words]) => element("option", { value }, words));
  return element(spec, { "aria-label": label, title, onchange }, ...options);
}

// Other children where `key` is another one than before.
export function refill(node, key, make) {
  if (node.filled === key) return;
  node.filled = key;
  node.replaceChildren(...make());
}

// A button that stays down.
export function press(node, on) {
  node.setAttribute("aria-pressed", String(on));
}

export function range(spec, label, title, [min, max], run, more = {}) {
  const oninput = (event) => run(Number(event.target.value));
  return element(spec, { type: "range", min, max, title, "aria-label": label, ...more, oninput });
}

// A habit of the person at the screen, kept in the browser. With `on` it is written; the answer is what
// holds now.
export function habit(place, on = null) {
  try {
    if (on !== null) localStorage.setItem(place, on ? "1" : "0");
    return localStorage.getItem(place) === "1";
  } catch {
    return Boolean(on); // storage is refused here: it lasts as long as the page
  }
}
