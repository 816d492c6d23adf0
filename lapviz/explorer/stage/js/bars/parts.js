// What the bars have in common: the drawings on buttons, sliders, classes to choose, zoom.

import { css } from "../paint/colour.js";
import { element, icon, setText, tool } from "../paint/dom.js";
import { shapePath } from "../paint/marks.js";
import { numberText } from "../numbers/numbers.js";

export const ICONS = {
  undo: "M3 6 H10 A3.5 3.5 0 0 1 10 13 H6 M3 6 L6 3 M3 6 L6 9",
  redo: "M13 6 H6 A3.5 3.5 0 0 0 6 13 H10 M13 6 L10 3 M13 6 L10 9",
  clear: "M3 4.5 H13 M6 4.5 V3 H10 V4.5 M4.5 4.5 L5.2 13 H10.8 L11.5 4.5",
  plus: "M8 3.5 V12.5 M3.5 8 H12.5",
  minus: "M3.5 8 H12.5",
  whole: "M3 6 V3 H6 M10 3 H13 V6 M13 10 V13 H10 M6 13 H3 V10",
};

// act: callbacks undo(), redo(), clear(). `label`: of the last button.
export function edits(act, label) {
  const undo = tool(ICONS.undo, "Undo (Ctrl+Z)", () => act.undo());
  const redo = tool(ICONS.redo, "Redo (Ctrl+Shift+Z)", () => act.redo());
  const clear = tool(ICONS.clear, label, () => act.clear());
  return { undo, redo, clear, nodes: [undo, redo, clear] };
}

// zoom: called with a factor, 0 for the whole picture.
export function zooms(zoom) {
  const whole = tool(ICONS.whole, "Whole picture", () => zoom(0));
  const out = tool(ICONS.minus, "Zoom out (−)", () => zoom(1 / 1.4));
  const into = tool(ICONS.plus, "Zoom in (+)", () => zoom(1.4));
  return { whole, nodes: [out, into, whole] };
}

// The class `code` (-1: none) in its colour and shape; without `run` it cannot be chosen.
export function swatch(code, name, { label, key = "", theme, run = null }) {
  const known = code >= 0;
  const fill = known ? css(theme.classes[code % theme.classes.length]) : css(theme.line, 0.65);
  const shape = shapePath(Math.max(code, 0), known ? 5 : 3.5);
  const inside = [icon(shape, { fill, stroke: css(theme.text, 0.7) }), element("span", {}, name)];
  if (!run) return element("span.swatch.fixed", { role: "listitem" }, ...inside);
  const title = key ? `${label} (key ${key})` : label;
  const choice = { type: "button", role: "radio", title, "aria-label": label };
  return element("button.swatch", { ...choice, onclick: () => run(code) }, ...inside);
}

export function range(spec, label, title, [min, max], run, more = {}) {
  const oninput = (event) => run(Number(event.target.value));
  return element(spec, { type: "range", min, max, title, "aria-label": label, ...more, oninput });
}

// Sliders that are folded behind their numbers on a phone.
export class Folded {
  constructor(node) {
    this.numbers = element("summary.numbers");
    this.node = element("details.fold", {}, this.numbers, node);
  }

  follow(specs) {
    const numbers = specs.map(({ symbol, value, whole }) => `${symbol} = ${numberText(value, whole)}`);
    setText(this.numbers, numbers.join(", "));
  }
}
