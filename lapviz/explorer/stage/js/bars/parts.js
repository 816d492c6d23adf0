// Parts shared by the bars: buttons, sliders, classes to choose, zoom.

import icons from "./icons.json";
import { classColour, css } from "../paint/colour.js";
import { check, element, icon, tool } from "../paint/dom.js";
import { shapePath } from "../paint/marks.js";
import { ARROWS } from "../hands/gestures.js";

// Undo, redo and clear. stage: has travel("undo" or "redo") and clear(). `label`: what Clear does.
// follow(stack, any) enables them by the history and by whether there is anything to clear.
export function edits(stage, label, path = icons.clear) {
  const undo = tool(icons.undo, "Undo (Ctrl+Z)", () => stage.travel("undo"), "Undo");
  const redo = tool(icons.redo, "Redo (Ctrl+Shift+Z)", () => stage.travel("redo"), "Redo");
  const clear = tool(path, `Clear: ${label}`, () => stage.clear(), "Clear");
  const follow = (stack, any) => {
    undo.disabled = !stack?.past.length;
    redo.disabled = !stack?.future.length;
    clear.disabled = !any;
  };
  return { undo, redo, node: element("div.set", {}, undo, redo, clear), follow };
}

// Zoom buttons. stage: has zoomBy(factor, 0 for the whole picture). follow(view) enables them.
export function zooms(stage) {
  const reset = tool(icons.whole, "Whole picture", () => stage.zoomBy(0), "Whole");
  const out = tool(icons.minus, "Zoom out (−)", () => stage.zoomBy(1 / 1.4), "Zoom out");
  const into = tool(icons.plus, "Zoom in (+)", () => stage.zoomBy(1.4), "Zoom in");
  const follow = ({ zoomed }) => (reset.disabled = !zoomed);
  return { node: element("div.group.zooms", {}, out, into, reset), follow };
}

// The class `code` (-1: none) in its colour and shape; without `choose` it cannot be chosen.
export function swatch(code, name, { label, key = "", theme, choose = null }) {
  const hasClass = code >= 0;
  const fill = classColour(theme, code);
  const shape = shapePath(Math.max(code, 0), hasClass ? 5 : 3.5);
  const content = [icon(shape, { fill, stroke: css(theme.text, 0.7) }), element("span", {}, name)];
  if (!choose) return element("span.swatch.fixed", { role: "listitem" }, ...content);
  const title = key ? `${label} (key ${key})` : label;
  const attributes = { type: "button", role: "radio", title, "aria-label": label, onkeydown: turnRadio };
  return element("button.swatch", { ...attributes, onclick: () => choose(code) }, ...content);
}

// Radio buttons: kinds {name: [path of the icon, label, word]}; `check(name)` marks the chosen one.
export function choices(spec, label, kinds, choose) {
  const buttons = Object.entries(kinds).map(([name, [path, title, word = ""]]) =>
    tool(path, title, () => choose(name), word, { role: "radio", onkeydown: turnRadio }),
  );
  const node = element(spec, { role: "radiogroup", "aria-label": label }, ...buttons);
  return { node, check: (name) => check(buttons, Object.keys(kinds).indexOf(name)) };
}

// Brush, eraser and move as choices, with their titles.
export function paintTools(brush, eraser, move) {
  return {
    brush: [icons.paint, brush, "Brush"],
    eraser: [icons.erase, eraser, "Eraser"],
    move: [icons.drag, move, "Move"],
  };
}

// An arrow key chooses the next of a group of radio buttons, which is one stop for the Tab key.
function turnRadio(event) {
  const [dx, dy] = ARROWS[event.key] ?? [0, 0];
  const group = [...event.currentTarget.parentNode.querySelectorAll("[role=radio]")];
  const next = group.at((group.indexOf(event.currentTarget) + dx - dy) % group.length);
  if (!(dx || dy) || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
  next.click();
  next.focus();
  event.preventDefault();
  event.stopPropagation();
}

// A select of entries [value, text]; choose(value) is called with the chosen one.
export function menu(spec, label, title, choose, entries = []) {
  const onchange = (event) => choose(event.target.value);
  const options = entries.map(([value, text]) => element("option", { value }, text));
  return element(spec, { "aria-label": label, title, onchange }, ...options);
}

// Replace the children if `key` is not the one of the last call; the focus stays on that of the same name.
export function refill(node, key, make) {
  if (node.filled === key) return;
  node.filled = key;
  const name = node.querySelector(":focus")?.ariaLabel;
  node.replaceChildren(...make());
  if (name) [...node.children].find((child) => child.ariaLabel === name)?.focus();
}

// Set the state of a toggle button.
export function setPressed(node, on) {
  node.setAttribute("aria-pressed", String(on));
}

export function range(spec, label, title, [min, max], onValue, attributes = {}) {
  const oninput = (event) => onValue(Number(event.target.value));
  return element(spec, { type: "range", min, max, title, "aria-label": label, ...attributes, oninput });
}

// A switch that this browser remembers, set first if `on` is given; returns its current state.
export function preference(key, on = null) {
  try {
    if (on !== null) localStorage.setItem(key, on ? "1" : "0");
    return localStorage.getItem(key) === "1";
  } catch {
    return Boolean(on); // storage is refused: not remembered beyond the page
  }
}
