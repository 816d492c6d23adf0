// Drawing: the stage's tool that paints, erases and moves the points of a data set.

import { DrawBar } from "../bars/draw_bar.js";
import { moved, nearestTo, painted, pointsFrom, randomFrom } from "../numbers/drawing.js";
import { spray, touchedBy, without, CELLS, CLASSES, MOST } from "../numbers/drawing.js";
import { MOST_IN_LINK, SHEET, checkedSheet, codeOf, fromParts } from "../numbers/drawing.js";
import { same, sameDrawing, toNumbers } from "../numbers/drawing.js";
import { ARROWS, TOOLS, pressKey } from "./gestures.js";
import { drawCursor, drawPoints } from "../paint/marks.js";
import { history, record, renewed, travelled } from "../numbers/history.js";
import { short } from "../numbers/view.js";

const REACH = { mouse: 12, touch: 22 }; // pixels within which a point is picked up
const PEN = { least: 0.4, range: 1.2 }; // width of a pen by its pressure
const STEP = 0.02; // share of the view that an arrow key moves by
const FAST = 5; // times that with Shift
export const WIDTH = { least: 2, most: 70, first: 18 }; // radius in pixels
export const DENSITY = { least: 1, most: 40, first: 6 }; // points that a click paints

// The history outlives the stage: another page goes on with the same drawing.
let kept = null;

export class Draw {
  constructor(stage) {
    Object.assign(this, { stage, on: false, stack: null, stroke: null, cursor: null });
    Object.assign(this, { tool: "brush", code: 0, labels: false, pointer: null, grabbed: false });
    Object.assign(this, { radius: WIDTH.first, density: DENSITY.first, grown: false });
    Object.assign(this, { alone: true, keeps: true }); // as listenTool() has it
    this.toPixel = (x, y) => stage.view.toPixel(x, y, stage.board.place.box);
    this.bar = new DrawBar(this);
    const { toolbar } = stage.board;
    toolbar.node.before(this.bar.node);
    toolbar.tools.prepend(this.bar.opener);
    toolbar.more.node.prepend(this.bar.rest);
    toolbar.hint.after(this.bar.foot);
  }

  // ---- what is drawn ----------------------------------------------------------------------

  // Whether points may be drawn here at all.
  get offered() {
    return (this.stage.scene?.drawing ?? null) !== null;
  }

  // Is the picture that of the drawing, so that hands can change it?
  get ready() {
    return this.on && this.fits;
  }

  // Are the drawing's own points drawn, in place of those of the answer?
  get shown() {
    return this.fits && (this.on || this.stage.channel.has("drawing"));
  }

  // Is the answer on screen one to a drawing on this sheet?
  get fits() {
    return Boolean(this.sheet && this.current && same(this.sheet, this.current.sheet));
  }

  // The drawing as it stands, in the middle of a stroke, too.
  get current() {
    const { stack, stroke } = this;
    return stack && { ...stack.present, points: (stroke ?? stack.present).points };
  }

  // Python hears of it; `moving`: in the middle of a stroke.
  tell(moving = false) {
    const { channel } = this.stage;
    channel.change("drawing", () => toNumbers(this.current));
    channel.post(moving);
  }

  // A new scene; `other`: of other data than a drawing on the same sheet.
  adopt(scene, other) {
    const given = scene.drawing ? fromParts(scene.drawing) : null;
    this.sheet = given?.sheet ?? null;
    if (!this.stage.channel.has("drawing")) {
      const { stack } = this;
      // The history goes on with a drawing that came from Python.
      const anew = (drawn) =>
        stack && same(stack.present.sheet, drawn.sheet) ? record(stack, drawn) : history(drawn);
      if (!given) this.put(null);
      else if (!stack || !sameDrawing(this.current, given))
        this.put(renewed(kept, given, sameDrawing, anew));
    }
    if (!this.offered || (other && !given && !this.stack)) this.leave();
    else if (other && given && !this.current.points.length) this.open();
    if (this.on) this.grow();
  }

  put(stack) {
    this.stroke = null;
    this.stack = stack;
    if (stack) kept = stack;
    this.repaint("base");
  }

  // A change of the points by one act of the hand.
  change(points, said) {
    this.put(record(this.stack, { sheet: this.stack.present.sheet, points }));
    this.commit(said);
  }

  commit(said) {
    const { stage } = this;
    this.tell();
    const count = this.current.points.length;
    stage.board.say(`${said}; ${count} point${count === 1 ? "" : "s"}`);
    stage.board.schedule("drawing", "field");
  }

  // way: "undo" or "redo".
  travel(way) {
    if (this.stroke) return way === "undo" && this.cancel();
    const stack = travelled(this.stack, way);
    if (stack === this.stack) return false;
    this.put(stack);
    this.commit(`${way}ne`);
    return true;
  }

  // ---- mode -------------------------------------------------------------------------------

  open() {
    if (this.on || !this.offered) return;
    this.on = true;
    this.stage.hand.forget();
    this.grow();
    this.moved();
  }

  leave() {
    if (!this.on) return;
    this.finish();
    Object.assign(this, { on: false, pointer: null, cursor: null, grabbed: false });
    if (this.grown) this.stage.display.enlarge(null);
    this.grown = false;
    this.moved();
  }

  // Sixteen pictures are too small to draw on: one of them is shown alone.
  grow() {
    const { panels, display } = this.stage;
    if (this.grown || display.enlarged !== null || panels.length <= 6 || !this.current) return;
    this.grown = display.enlarge(1);
  }

  moved() {
    const { stage } = this;
    stage.board.root.toggleAttribute("data-drawing", this.on);
    for (const panel of stage.panels) this.unlock(panel);
    stage.display.follow();
    stage.board.describe();
    stage.board.schedule("drawing", "layout");
  }

  // A picture that has a sentence in its place can be drawn on.
  unlock(panel) {
    panel.open = this.stage.scene.editable || this.on;
    panel.node.classList.toggle("open", panel.open);
  }

  // Begin with an empty sheet, or with the points on screen.
  beginSheet(from) {
    const { scene, labels, board } = this.stage;
    let made = { sheet: SHEET, points: [] };
    if (from) {
      const [x0, x1, y0, y1] = scene.view;
      const sheet = checkedSheet([x0, y0, (x1 - x0) / CELLS, (y1 - y0) / CELLS]);
      made = { sheet, points: pointsFrom(scene.points, labels, sheet, MOST_IN_LINK) };
      const [of, kept] = [scene.n_samples ?? scene.points.count, made.points.length];
      if (kept < of) board.remark(`This keeps ${kept} of ${of} points, which fit a link`);
    }
    this.put(history(made));
    this.commit(from ? "drawing on these points" : "an empty sheet");
    this.moved();
  }

  // A new, empty sheet in one step that can be undone.
  clear() {
    if (this.current?.points.length) this.change([], "an empty sheet");
  }

  pick(code) {
    if (code >= CLASSES) return false;
    this.stage.board.say(code < 0 ? "Points without a class" : `Class ${code + 1}`);
    return this.set({ code, tool: "brush" });
  }

  choose(tool) {
    this.stage.board.say({ brush: "Brush", eraser: "Eraser", move: "Move points" }[tool]);
    return this.set({ tool });
  }

  set(changes) {
    Object.assign(this, changes);
    this.repaint();
    return true;
  }

  // ---- strokes ----------------------------------------------------------------------------

  toPlane(px, py) {
    return this.stage.view.toPlane(px, py, this.stage.board.place.box);
  }

  get busy() {
    return Boolean(this.stroke);
  }

  begin(panel, at, event) {
    const touch = event.pointerType === "touch";
    this.drop();
    this.hover(panel, touch ? null : at);
    this.start(at, event, touch ? REACH.touch : REACH.mouse);
  }

  start(at, event = null, reach = REACH.mouse) {
    const { points, sheet } = this.stack.present;
    const random = randomFrom(points.length + 1);
    this.stroke = { points, at, from: at, random, debt: this.density, held: [] };
    if (this.tool === "move") {
      const inside = touchedBy(points, sheet, this.toPixel, at, at, this.radius);
      this.stroke.held = inside.length ? inside : nearestTo(points, sheet, this.toPixel, at, reach);
    } else this.extend(at, event);
  }

  extend(to, event = null) {
    const { stroke, tool } = this;
    const pen = event?.pointerType === "pen" && event.pressure > 0;
    const radius = this.radius * (pen ? PEN.least + PEN.range * event.pressure : 1);
    const { sheet } = this.stack.present;
    const before = stroke.points;
    if (tool === "brush") {
      stroke.debt += (this.density * Math.hypot(to[0] - stroke.at[0], to[1] - stroke.at[1])) / (2 * radius);
      const count = Math.floor(stroke.debt);
      stroke.debt -= count;
      const fine = this.density === 1 && radius <= 2 * WIDTH.least;
      const places = spray(stroke.at, to, fine ? 0 : radius, count, stroke.random);
      const planar = places.map(([px, py]) => this.toPlane(px, py));
      const [points, full] = painted(before, planar, sheet, this.code, this.labels && this.code >= 0);
      if (points.length > before.length) stroke.points = points;
      if (full) this.stage.board.remark(`A drawing has at most ${MOST} points`);
    } else if (tool === "eraser") {
      const gone = touchedBy(before, sheet, this.toPixel, stroke.at, to, radius);
      if (gone.length) stroke.points = without(before, gone);
    } else if (stroke.held.length) {
      const [a, b] = [this.toPlane(...stroke.from), this.toPlane(...to)];
      const by = [b[0] - a[0], b[1] - a[1]];
      stroke.points = moved(this.stack.present.points, stroke.held, sheet, by);
    }
    stroke.at = to;
    if (stroke.points === before) return;
    // The picture follows the hand: the points at once, the fields as Python answers.
    this.tell(true);
    this.repaint("base");
  }

  finish() {
    if (!this.stroke) return;
    const { points } = this.stroke;
    const { length } = this.stack.present.points;
    this.stroke = null;
    if (points === this.stack.present.points) return;
    const more = points.length - length;
    const word = more > 0 ? `${more} painted` : more < 0 ? `${-more} erased` : "moved";
    this.change(points, word);
  }

  cancel() {
    if (!this.stroke) return false;
    const changed = this.stroke.points !== this.stack.present.points;
    this.stroke = null;
    if (changed) this.commit("undone");
    this.repaint("base");
    return true;
  }

  // ---- by keys ----------------------------------------------------------------------------

  // True when the key was used.
  key(event) {
    return pressKey(event, this, (key) => this.pressed(key, event));
  }

  zoomBy(factor) {
    return this.stage.zoomBy(factor);
  }

  pressed(key, { shiftKey, repeat }) {
    if (key === "Escape") {
      if (!this.cancel() && !this.drop()) this.leave();
      return true;
    }
    if (!this.ready) return false;
    if (key in ARROWS) return this.step(...ARROWS[key], shiftKey ? FAST * STEP : STEP);
    if (key === " " || key === "Enter") return repeat || this.press();
    if (key === "Delete" || key === "Backspace") return this.rub();
    if (key in TOOLS) return this.choose(TOOLS[key]);
    const { radius, density } = this;
    const wide = (v) => Math.min(Math.max(v, WIDTH.least), WIDTH.most);
    const dense = (v) => Math.min(Math.max(Math.round(v), DENSITY.least), DENSITY.most);
    if (key === "[") return this.set({ radius: wide(0.8 * radius) });
    if (key === "]") return this.set({ radius: wide(1.25 * radius) });
    if (key === ",") return this.set({ density: dense(0.7 * density - 0.5) });
    if (key === ".") return this.set({ density: dense(1.4 * density + 0.5) });
    return /^\d$/.test(key) ? Number(key) <= CLASSES && this.pick(Number(key) - 1) : undefined;
  }

  // The cursor, or what it has picked up, goes a step in the direction (dx, dy).
  step(dx, dy, share) {
    const [x0, x1, y0, y1] = this.stage.view.range;
    const [x, y] = this.cursor ?? [(x0 + x1) / 2, (y0 + y1) / 2];
    const size = share * Math.max(x1 - x0, y1 - y0);
    const to = [x + dx * size, y + dy * size];
    this.cursor = [Math.min(Math.max(to[0], x0), x1), Math.min(Math.max(to[1], y0), y1)];
    if (this.grabbed) this.extend(this.toPixel(...this.cursor));
    this.stage.board.say(this.cursor.map((v) => short(v)).join(", "));
    return this.set({ pointer: null });
  }

  // Space: paint or erase at the cursor, pick up what is there or put it down.
  press() {
    if (!this.cursor) return this.step(0, 0, 0);
    if (this.drop()) return true;
    this.start(this.toPixel(...this.cursor));
    this.grabbed = this.tool === "move" && this.stroke.held.length > 0;
    if (this.grabbed) this.stage.board.say("picked up; arrows move, Space puts down");
    else this.finish();
    return true;
  }

  rub() {
    const { tool } = this;
    if (!this.cursor) return false;
    this.drop();
    this.tool = "eraser";
    this.start(this.toPixel(...this.cursor));
    this.finish();
    this.tool = tool;
    return true;
  }

  // Puts down what the keys have picked up.
  drop() {
    if (!this.grabbed) return false;
    this.grabbed = false;
    this.finish();
    return true;
  }

  // ---- picture ----------------------------------------------------------------------------

  repaint(level = "over") {
    this.stage.board.schedule("", level);
  }

  // Where the pointer is, in pixels of `panel`; null: nowhere.
  hover(panel, at) {
    this.set({ pointer: at && { panel, at } });
  }

  // The drawing's points as a canvas; null while those of the answer are shown.
  layer(brush) {
    if (!this.shown) return null;
    const draw = (context) => drawPoints(context, this.current, brush);
    return this.stage.board.layers.layer("drawing", this.current.points, brush, draw);
  }

  // The tool's circle at the pointer, or at the keyboard's cursor in all panels.
  paint(context, panel, theme) {
    if (!this.ready) return;
    const own = this.pointer?.panel === panel ? this.pointer.at : null;
    const at = own ?? (this.cursor && this.toPixel(...this.cursor));
    if (at) drawCursor(context, at, this, theme);
  }

  // Classes that the palette offers: those in use, and one more.
  get palette() {
    const points = this.current?.points ?? [];
    const used = points.reduce((most, point) => Math.max(most, codeOf(point) + 1), this.code + 1);
    return Math.min(Math.max(used, 2) + 1, CLASSES);
  }
}
