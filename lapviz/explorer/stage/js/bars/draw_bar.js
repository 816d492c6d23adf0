// The tools of drawing: the button that opens them, a bar in place of the toolbar, and settings behind its
// “More”.

import icons from "./icons.json";
import { check, element, icon, isTouched, save, setText, show, tool } from "../paint/dom.js";
import { DENSITY, WIDTH } from "../hands/draw.js";
import { CLASSES, MOST_IN_LINK, asTable } from "../numbers/drawing.js";
import { counted } from "../numbers/view.js";
import { choices, edits, paintTools, range, refill, setPressed, swatch } from "./parts.js";

const TITLES = ["Brush: paint points (B)", "Eraser: take points away (E)", "Move: drag points (M)"];

export class DrawBar {
  constructor(draw) {
    this.draw = draw;
    const button = (text, title, onclick) =>
      element("button.words-tool", { type: "button", title, onclick }, text);
    // The button disappears, so the pictures get the focus.
    const stage = (text, title, act) =>
      button(text, title, () => (act(), draw.stage.board.plots.focus({ preventScroll: true })));
    const openerTitle = "Draw: paint your own data set, from an empty sheet or from these points";
    this.opener = button("Draw", openerTitle, () => (draw.on ? draw.leave() : draw.open()));
    this.opener.classList.add("opener");
    this.opener.prepend(icon(icons.pencil));
    this.tools = choices("div.kit", "Tool", paintTools(...TITLES), (name) => draw.choose(name));
    this.paints = element("div.paints", { role: "radiogroup", "aria-label": "Class to paint" });
    const widthTitle = "Radius of the brush in pixels ([ and ])";
    this.width = setting("Width", WIDTH, widthTitle, (radius) => draw.set({ radius }));
    const perClick = "How many points a click paints; a stroke paints as many for each width (, and .)";
    this.density = setting("Density", DENSITY, perClick, (density) => draw.set({ density }));
    const title = "Labels: points painted now are labelled; if there are none, two of each class are";
    this.labels = tool(icons.label, title, () => draw.set({ labels: !draw.labels }), "Labels");
    this.edits = edits(draw, "empty sheet", icons.empty);
    const saveTable = () => save(new Blob([asTable(draw.current)], { type: "text/csv" }), "drawing.csv");
    this.file = tool(icons.down, "Save as a file: x, y, class, labelled (CSV)", saveTable, "File");
    this.onPoints = stage("These points", "", () => draw.beginSheet({ withPoints: true }));
    this.starting = element("div.kit", {}, element("span", {}, "Draw on"),
      stage("An empty sheet", "Paint all points yourself", () => draw.beginSheet({ withPoints: false })),
      this.onPoints,
    );
    this.painting = [this.tools.node, this.paints, this.edits.node];
    const done = stage("Done", "End drawing (Esc)", () => draw.leave());
    this.bar = element("div.bar", {}, this.starting, ...this.painting, done);
    this.node = element("div.toolbar.drawbar", { role: "toolbar", "aria-label": "Drawing" }, this.bar);
    this.settings = element("div.kit.painter", {}, this.width.node, this.density.node, this.labels, this.file);
    this.count = element("span.count");
    this.hint = element("span.how");
    this.foot = element("div.foot", {}, this.count, this.hint);
    // before the first scene
    for (const node of [this.node, this.opener, this.settings, this.foot]) show(node, false);
  }

  follow(theme) {
    const { draw } = this;
    const points = draw.current?.points ?? [];
    show(this.opener, draw.offered);
    setPressed(this.opener, draw.on);
    show(this.node, draw.on);
    this.onPoints.disabled = draw.stage.scene.classes.length > CLASSES;
    this.onPoints.title = this.onPoints.disabled
      ? `A drawing has at most ${CLASSES} classes` : "Paint more points, erase and move these";
    draw.stage.board.toolbar.replaceBar(draw.on ? this.bar : null);
    const painting = draw.on && Boolean(draw.current);
    for (const node of [...this.painting, this.settings, this.foot]) show(node, painting);
    if (!draw.on) return;
    show(this.starting, !painting);
    const keys =
      "drag: paint · arrows, then Space: paint by keys · 1–9: class, 0: none · B, E, M: tool · Esc: done";
    setText(this.hint, isTouched() ? "one finger: paint · two fingers: zoom" : keys);
    const { palette } = draw;
    const choose = (code) => draw.pick(code);
    const paint = (code, name, label) =>
      swatch(code, name, { label, key: code < 9 ? String(code + 1) : "", theme, choose });
    refill(this.paints, `${palette} ${theme.id}`, () => [
      ...Array.from({ length: palette }, (_, code) => paint(code, String(code + 1), `class ${code + 1}`)),
      paint(-1, "none", "Points without a class"),
    ]);
    this.tools.check(draw.tool);
    const none = this.paints.children.length - 1; // the last one
    check(this.paints.children, draw.tool !== "brush" ? -1 : draw.code < 0 ? none : draw.code);
    setPressed(this.labels, draw.labels);
    this.width.set(draw.radius);
    this.density.set(draw.density);
    this.edits.follow(draw.stack, points.length);
    if (draw.stroke) this.edits.undo.disabled = false;
    this.file.disabled = !points.length;
    setText(this.count, countText(points.length));
  }
}

function setting(name, { least, most, first }, title, set) {
  const input = range("input.slide.radius", name, title, [least, most], set, { value: first });
  const node = element("label.setting", { title }, name, input);
  return { node, set: (value) => Number(input.value) !== Math.round(value) && (input.value = value) };
}

function countText(n) {
  const points = counted(n, "point");
  if (!n) return points;
  return n <= MOST_IN_LINK
    ? `${points}, in the link`
    : `${points}: too many for a link (${MOST_IN_LINK}), save them by “File”`;
}
