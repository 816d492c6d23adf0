// The tools of drawing: a button in the toolbar that opens them, and a bar below it.

import { check, element, icon, setText, show, tool } from "../paint/dom.js";
import { DENSITY, WIDTH } from "../hands/draw.js";
import { MOST_IN_LINK } from "../numbers/drawing.js";
import { ICONS, range, swatch } from "./parts.js";

const PENCIL = "M3 13 L3.8 9.9 L10.8 2.9 L13.1 5.2 L6.1 12.2 Z M9.5 4.2 L11.8 6.5";
const BRUSH = "M13.5 2.5 L7.5 8.5 M7.5 8.5 C5.5 8 4 9.2 3.9 11 C3.8 12.3 3 13 2.3 13.2 C4.5 14.2 8.6 13.6 8.7 10.4 C8.7 9.6 8.2 8.9 7.5 8.5";
const ERASER = "M2.5 10 L9 3.5 L13 7.5 L7.5 13 H5.5 Z M5.7 6.8 L9.8 10.8 M7.5 13 H13.5";
const MOVE = "M8 2 V14 M2 8 H14 M8 2 L6.2 3.8 M8 2 L9.8 3.8 M8 14 L6.2 12.2 M8 14 L9.8 12.2 M2 8 L3.8 6.2 M2 8 L3.8 9.8 M14 8 L12.2 6.2 M14 8 L12.2 9.8";
const EMPTY = "M4 2.5 H9.5 L12.5 5.5 V13.5 H4 Z M9.5 2.5 V5.5 H12.5";
const SAVE = "M8 2.5 V10 M5 7 L8 10 L11 7 M3 12.5 H13";
const LABEL = "M2.5 7.5 L7.5 2.5 H13.5 V8.5 L8.5 13.5 Z M10.5 5.5 V5.6";
const TOOLS = {
  brush: [BRUSH, "Brush: paint points (B)"],
  eraser: [ERASER, "Eraser: take points away (E)"],
  move: [MOVE, "Move: drag points (M)"],
};

export class DrawBar {
  constructor(draw) {
    this.draw = draw;
    const words = (text, title, onclick) =>
      element("button.words-tool", { type: "button", title, onclick }, text);
    this.opener = element(
      "button.words-tool.opener",
      {
        type: "button",
        title: "Draw: paint your own data set, from an empty sheet or from these points",
        onclick: () => draw.toggle(),
      },
      icon(PENCIL),
      "Draw",
    );
    this.tools = Object.entries(TOOLS).map(([name, [path, label]]) =>
      tool(path, label, () => draw.choose(name), { role: "radio" }),
    );
    this.paints = element("div.paints", { role: "radiogroup", "aria-label": "Class to paint" });
    const wide = "Radius of the brush in pixels ([ and ])";
    this.width = setting("Width", WIDTH, wide, (radius) => draw.set({ radius }));
    const dense = "How many points a click paints; a stroke paints as many for each width (, and .)";
    this.density = setting("Density", DENSITY, dense, (density) => draw.set({ density }));
    const label = "Labels: points painted now are labelled; without any, two of each class are";
    this.labels = tool(LABEL, label, () => draw.set({ labels: !draw.labels }));
    this.undo = tool(ICONS.undo, "Undo (Ctrl+Z)", () => draw.undo());
    this.redo = tool(ICONS.redo, "Redo (Ctrl+Shift+Z)", () => draw.redo());
    this.wipe = tool(EMPTY, "Empty sheet", () => draw.wipe());
    this.file = tool(SAVE, "Save as a file: x, y, class, labelled (CSV)", () => draw.save());
    this.count = element("span.count");
    const painting = [
      element("div.kit", { role: "radiogroup", "aria-label": "Tool" }, ...this.tools),
      this.paints,
      this.width.node,
      this.density.node,
      element("div.kit", {}, this.labels, this.undo, this.redo, this.wipe, this.file),
    ];
    const starting = [
      element("span", {}, "Draw on"),
      words("An empty sheet", "Paint all points yourself", () => draw.begin(false)),
      words("These points", "Paint more points, erase and move these", () => draw.begin(true)),
    ];
    this.painting = element("div.painting", {}, ...painting);
    this.starting = element("div.starting", {}, ...starting);
    this.hint = element("span.how");
    this.foot = element("div.foot", {}, this.count, this.hint);
    this.node = element(
      "div.drawbar",
      { role: "toolbar", "aria-label": "Drawing" },
      this.starting,
      this.painting,
      this.foot,
    );
    for (const node of [this.node, this.opener]) show(node, false); // until there is a scene
  }

  follow(theme) {
    const { draw } = this;
    const points = draw.current?.points ?? [];
    show(this.opener, draw.offered);
    this.opener.setAttribute("aria-pressed", String(draw.on));
    show(this.node, draw.on);
    if (!draw.on) return;
    show(this.starting, !draw.current);
    show(this.painting, Boolean(draw.current));
    show(this.foot, Boolean(draw.current));
    setText(this.hint, hint());
    this.arrange(theme);
    check(this.tools, Object.keys(TOOLS).indexOf(draw.tool));
    const none = this.paints.children.length - 1; // stands last
    check(this.paints.children, draw.tool !== "brush" ? -1 : draw.code < 0 ? none : draw.code);
    this.labels.setAttribute("aria-pressed", String(draw.labels));
    this.width.set(draw.radius);
    this.density.set(draw.density);
    this.undo.disabled = !draw.stack?.past.length && !draw.stroke;
    this.redo.disabled = !draw.stack?.future.length;
    this.wipe.disabled = this.file.disabled = !points.length;
    setText(this.count, countWords(points.length));
  }

  arrange(theme) {
    const same = `${this.draw.palette} ${theme.id}`;
    if (same === this.arranged) return;
    this.arranged = same;
    const paint = (code, name, label) =>
      swatch(code, name, { label, key: String((code + 1) % 10), theme, run: (one) => this.draw.pick(one) });
    const codes = Array.from({ length: this.draw.palette }, (_, code) => code);
    this.paints.replaceChildren(
      ...codes.map((code) => paint(code, String(code + 1), `class ${code + 1}`)),
      paint(-1, "none", "Points without a class"),
    );
  }
}

function setting(name, { least, most, first }, title, set) {
  const input = range("input.radius", name, title, [least, most], set, { value: first });
  const node = element("label.setting", { title }, name, input);
  return { node, set: (value) => Number(input.value) !== Math.round(value) && (input.value = value) };
}

function countWords(n) {
  const points = `${n.toLocaleString("en")} point${n === 1 ? "" : "s"}`;
  if (!n) return points;
  return n <= MOST_IN_LINK
    ? `${points}, in the link`
    : `${points}: too many for a link (${MOST_IN_LINK}), save them as a file`;
}

function hint() {
  const touch = matchMedia("(pointer: coarse)").matches;
  if (touch) return "one finger: paint · two fingers: zoom";
  return "drag: paint · arrows, then Space: paint by keys · 1–9: class, 0: none · B, E, M: tool · Esc: done";
}
