// The controls above a picture: classes, brush, eraser, move; width, opacity; undo, redo, clear; zoom.

import { css } from "../paint/colour.js";
import { element, icon, setText, zoomKey } from "../paint/dom.js";
import { KnobRow } from "./knobs.js";
import { shapePath } from "../paint/marks.js";
import { numberText } from "../numbers/numbers.js";
import { MOST_CLASSES } from "../numbers/picture_strokes.js";

const BRUSH = "M13 2.5 L7.2 8.6 L8.6 10 L13.5 4 Z M6.6 9.4 C4.6 9.4 4.6 12 2.8 12.8 C5.4 13.8 8.4 13 7.8 10.6 Z";
const RUBBER = "M6 13 L2.5 9.5 L9 3 L13 7 L7 13 H13 M5.5 6.5 L9.6 10.5";
const MOVE = "M8 2.5 V13.5 M2.5 8 H13.5 M6.5 4 L8 2.5 L9.5 4 M6.5 12 L8 13.5 L9.5 12 M4 6.5 L2.5 8 L4 9.5 M12 6.5 L13.5 8 L12 9.5";
const UNDO = "M3 6 H10 A3.5 3.5 0 0 1 10 13 H6 M3 6 L6 3 M3 6 L6 9";
const REDO = "M13 6 H6 A3.5 3.5 0 0 0 6 13 H10 M13 6 L10 3 M13 6 L10 9";
const CLEAR = "M3 4.5 H13 M6 4.5 V3 H10 V4.5 M4.5 4.5 L5.2 13 H10.8 L11.5 4.5";
const PLUS = "M8 3.5 V12.5 M3.5 8 H12.5";
const MINUS = "M3.5 8 H12.5";
const WHOLE = "M3 6 V3 H6 M10 3 H13 V6 M13 10 V13 H10 M6 13 H3 V10";
const LINE = "M2.5 11 C5 3 10 13.5 13.5 5";
const TOOLS = {
  brush: [BRUSH, "Brush (B)"],
  eraser: [RUBBER, "Eraser: removes scribbles (E)"],
  move: [MOVE, "Move the picture (M)"],
};
export const RADIUS = { least: 0, most: 60, first: 6 };

export class PictureTools {
  // act: pick, classes, tool, radius, opacity, outline, undo, redo, clear, zoom, knob.
  constructor(act) {
    this.act = act;
    const button = (path, label, run, more = {}) =>
      element(
        "button.tool",
        { type: "button", title: label, "aria-label": label, onclick: run, ...more },
        icon(path),
      );
    const range = (label, title, low, high, step, run) =>
      element("input.slide.short", {
        type: "range", min: low, max: high, step, title, "aria-label": label,
        oninput: (event) => run(Number(event.target.value)),
      });
    this.row = new KnobRow((...moved) => act.knob(...moved));
    // On a phone the sliders are folded behind their numbers.
    this.numbers = element("summary.numbers");
    this.fold = element("details.fold", {}, this.numbers, this.row.node);
    this.palette = element("div.palette", { role: "radiogroup", "aria-label": "Class to scribble" });
    this.more = button(PLUS, "Add a class", () => act.classes(1));
    this.fewer = button(MINUS, "Remove the last class", () => act.classes(-1));
    this.kinds = Object.entries(TOOLS).map(([name, [path, label]]) =>
      button(path, label, () => act.tool(name), { role: "radio" }),
    );
    const kinds = element("div.set", { role: "radiogroup", "aria-label": "Tool" }, ...this.kinds);
    this.radius = range("Radius of the brush", "Radius of the brush in pixels ([ and ])",
      RADIUS.least, RADIUS.most, 1, act.radius);
    this.opacity = range("Opacity of the colours", "Opacity of the colours", 0, 1, 0.05, act.opacity);
    this.outline = button(LINE, "Show where classes meet", () => act.outline());
    this.undo = button(UNDO, "Undo (Ctrl+Z)", () => act.undo());
    this.redo = button(REDO, "Redo (Ctrl+Shift+Z)", () => act.redo());
    this.clear = button(CLEAR, "Remove all scribbles", () => act.clear());
    this.whole = button(WHOLE, "Whole picture", () => act.zoom(0));
    const labelled = (text, node) => element("label.labelled", {}, element("span", {}, text), node);
    this.node = element(
      "div.toolbar",
      { role: "toolbar", "aria-label": "Scribbling" },
      this.fold,
      this.row.complaint,
      element("div.group", {}, this.palette, this.fewer, this.more),
      element("div.group", {}, kinds, labelled("Width", this.radius)),
      element("div.group", {}, labelled("Colours", this.opacity), this.outline),
      element(
        "div.group.zooms", {}, this.undo, this.redo, this.clear,
        button(MINUS, "Zoom out (−)", () => act.zoom(1 / 1.4)),
        button(PLUS, "Zoom in (+)", () => act.zoom(1.4)),
        this.whole,
      ),
    );
    this.hint = element("div.hint");
  }

  follow(stage) {
    const { theme, classes, code, tool, history } = stage;
    const key = [theme.id, classes].join();
    if (this.arranged !== key) {
      this.arranged = key;
      this.palette.replaceChildren(
        ...Array.from({ length: classes }, (_, i) => this.swatch(i, theme)),
      );
    }
    [...this.palette.children].forEach((node, i) =>
      node.setAttribute("aria-checked", String(i === code && tool !== "eraser")),
    );
    Object.keys(TOOLS).forEach((name, i) =>
      this.kinds[i].setAttribute("aria-checked", String(name === tool)),
    );
    const numbers = stage.specs.map((spec) => `${spec.symbol} = ${numberText(spec.value, spec.whole)}`);
    setText(this.numbers, numbers.join(", "));
    this.more.disabled = classes >= MOST_CLASSES;
    this.fewer.disabled = classes <= stage.fewest;
    this.undo.disabled = !history.state.past.length;
    this.redo.disabled = !history.state.future.length;
    this.clear.disabled = !stage.strokes.length;
    this.whole.disabled = stage.frame.whole;
    this.outline.setAttribute("aria-pressed", String(stage.outline));
    if (Number(this.radius.value) !== stage.radius) this.radius.value = stage.radius;
    if (Number(this.opacity.value) !== stage.opacity) this.opacity.value = stage.opacity;
    const touch = matchMedia("(pointer: coarse)").matches;
    const words = touch
      ? "one finger: scribble · two fingers: zoom and move · double tap: whole picture"
      : `drag: scribble · 1–${classes}: class · ${zoomKey()} + wheel: zoom · arrows: move the brush, ` +
        "Space: put it down or lift it";
    setText(this.hint, words);
  }

  swatch(code, theme) {
    const colour = css(theme.classes[code]);
    const mark = icon(shapePath(code), { fill: colour, stroke: css(theme.text, 0.7) });
    const label = `Class ${code + 1}`;
    return element(
      "button.swatch",
      {
        type: "button", role: "radio", title: `${label} (key ${code + 1})`, "aria-label": label,
        onclick: () => this.act.pick(code),
      },
      mark,
      element("span", {}, String(code + 1)),
    );
  }
}
