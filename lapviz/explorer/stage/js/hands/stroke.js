// The tools for labels: single points, or brush and lasso, whose stroke selects points that all get the
// current class in one step; a switch for clicks that add a candidate class; and a remark on settings
// without effect.

import contract from "../../../../contract.json";
import icons from "../bars/icons.json";
import { pointTarget } from "./hand.js";
import { classColour, css } from "../paint/colour.js";
import { addCircle, addLines, fillAndStroke, strokeWithHalo } from "../paint/pen.js";
import { drawCursor } from "../paint/marks.js";
import { labelMany } from "../numbers/labels.js";
import { distanceToSegment } from "../numbers/near.js";
import { element, setText, show, tool } from "../paint/dom.js";
import { choices, range, setPressed } from "../bars/parts.js";
import { counted } from "../numbers/view.js";

const MOST = contract.changes.stage.labels.most;
const STEP = 2; // pixels between two corners of a lasso
// name: [icon, label, word]
const KINDS = {
  point: [icons.point, "Label single points", "Points"],
  brush: [icons.circle, "Brush: label all points under the circle", "Brush"],
  lasso: [icons.lasso, "Lasso: label all points inside a loop", "Lasso"],
};
const RADIUS = { least: 6, most: 60, first: 18 }; // pixels

export class Stroke {
  constructor(stage) {
    Object.assign(this, { stage, busy: false, place: null, panel: null, inside: new Set() });
    Object.assign(this, { kind: "point", radius: RADIUS.first, addCandidate: false });
    this.pen = element("canvas").getContext("2d");
    this.kinds = choices("div.set", "How labels are set", KINDS, (kind) => this.set({ kind }));
    this.slider = range("input.slide.radius", "Radius of the brush in pixels", "Radius of the brush",
      [RADIUS.least, RADIUS.most], (radius) => this.set({ radius }), { value: RADIUS.first });
    const title = "Candidates: add a class to a labelled point (or Shift + click)";
    const toggle = () => this.set({ addCandidate: !this.addCandidate });
    this.several = tool(icons.several, title, toggle, "Candidates");
    this.remark = element("div.remark", { role: "note" });
    this.node = element("div.group.marking", {}, this.kinds.node, this.slider, this.several);
    for (const node of [this.node, this.remark]) show(node, false); // before the first scene
  }

  set(changes) {
    Object.assign(this, changes);
    this.repaint();
  }

  // Is a tool chosen whose strokes label the points inside?
  get ready() {
    return Boolean(this.stage.scene?.editable && this.kind !== "point");
  }

  // Follow the scene; the tools are hidden if labels cannot be set.
  follow() {
    const { scene, board } = this.stage;
    const shown = scene.editable && scene.kind === "classes" && scene.classes.length > 1;
    if (!shown) Object.assign(this, { kind: "point", addCandidate: false });
    show(this.node, shown);
    show(this.slider, this.kind === "brush");
    this.kinds.check(this.kind);
    setPressed(this.several, this.addCandidate);
    board.plots.classList.toggle("strokes", this.ready);
    setText(this.remark, scene.remark ?? "");
    show(this.remark, scene.remark);
  }

  begin(panel, at) {
    const { points } = this.stage.scene;
    const { view, board } = this.stage;
    Object.assign(this, { busy: true, panel, path: [at], inside: new Set() });
    const pixel = (_, i) => view.toPixel(points.xy[2 * i], points.xy[2 * i + 1], board.place.box);
    this.pixels = Array.from({ length: points.count }, pixel);
    this.extend(at);
  }

  extend([x, y]) {
    const { pixels, pen } = this;
    const last = this.path.at(-1);
    this.place = [x, y];
    if (this.kind === "brush") {
      const distance = distanceToSegment(last, [x, y]);
      pixels.forEach((at, i) => distance(...at) <= this.radius && this.inside.add(i));
      this.path = [[x, y]];
    } else if (Math.hypot(x - last[0], y - last[1]) >= STEP) {
      this.path.push([x, y]);
      const loop = new Path2D();
      addLines(loop, this.path);
      const inside = pixels.flatMap((at, i) => (pen.isPointInPath(loop, ...at, "evenodd") ? [i] : []));
      this.inside = new Set(inside);
    }
    this.repaint();
  }

  cancel() {
    if (!this.busy) return false;
    this.set({ busy: false, place: null, inside: new Set() });
    return true;
  }

  finish() {
    if (!this.busy) return;
    const { scene, labels, code } = this.stage;
    const targets = [...this.inside].map((i) => pointTarget(scene.points, i));
    this.cancel();
    if (!targets.length) return;
    const edit = labelMany(labels, targets, code, { addCandidate: this.addCandidate, most: MOST });
    const [points, all] = [counted(edit.count, "point"), counted(edit.labels.length, "label")];
    this.stage.commit(edit.labels, `${points} labelled as ${this.stage.className}; ${all}`);
    if (edit.full) this.stage.board.remark(`No more than ${MOST} labels: the others were left out`);
  }

  hover(panel, at) {
    const place = this.kind === "brush" ? at : null;
    if (!this.busy && (place || this.place)) this.set({ place });
  }

  repaint() {
    this.stage.board.schedule("", "over");
  }

  // The points that the stroke would label, and its outline.
  draw(context, panel, theme, code) {
    if (!this.ready || !this.place || (this.busy && panel !== this.panel && !this.inside.size)) return;
    context.beginPath();
    for (const i of this.inside) addCircle(context, ...this.pixels[i], 3);
    fillAndStroke(context, classColour(theme, code), css(theme.outline, 0.8), 0.8);
    if (this.kind === "brush") return drawCursor(context, this.place, this, theme);
    if (!this.busy) return;
    context.beginPath();
    addLines(context, this.path);
    context.closePath();
    strokeWithHalo(context, theme, [3.5, 0.8], 1.5, css(theme.text));
  }
}
