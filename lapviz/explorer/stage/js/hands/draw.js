// Drawing: the stage's tool that paints, erases and moves the points of a data set.

import { DrawBar } from "../bars/draw_bar.js";
import { moved, nearestTo, painted, pointsFrom, randomFrom } from "../numbers/drawing.js";
import { spray, touchedBy, without, CELLS, CLASSES, MOST } from "../numbers/drawing.js";
import { MOST_IN_LINK, SHEET, checkedSheet, codeOf, fromParts } from "../numbers/drawing.js";
import { same, sameDrawing, toNumbers } from "../numbers/drawing.js";
import { ARROWS, TOOLS, handleKey } from "./gestures.js";
import { drawCursor } from "../paint/marks.js";
import { history, record, stepped, withPresent } from "../numbers/history.js";
import { counted, short } from "../numbers/view.js";

const REACH = { mouse: 12, touch: 22 }; // pixels within which a point is picked up
const PEN = { least: 0.4, range: 1.2 }; // width of a pen by its pressure
const STEP = 0.02; // share of the view that an arrow key moves by
const FAST = 5; // factor of the step with Shift
export const WIDTH = { least: 2, most: 70, first: 18 }; // radius in pixels
export const DENSITY = { least: 1, most: 40, first: 6 }; // points painted by a click

// The history outlives the stage: another page continues the same drawing.
let saved = null;

export class Draw {
  constructor(stage) {
    Object.assign(this, { stage, on: false, stack: null, stroke: null, cursor: null });
    Object.assign(this, { tool: "brush", code: 0, labels: false, pointer: null });
    Object.assign(this, { radius: WIDTH.first, density: DENSITY.first, grown: false });
    Object.assign(this, { exclusive: true, keepsCancelled: true }); // see listenTool()
    this.toPixel = (x, y) => stage.view.toPixel(x, y, stage.board.place.box);
    this.bar = new DrawBar(this);
    const { toolbar } = stage.board;
    toolbar.node.before(this.bar.node);
    toolbar.tools.prepend(this.bar.opener);
    toolbar.more.node.prepend(this.bar.settings);
    toolbar.hint.after(this.bar.foot);
  }

  // ---- state ------------------------------------------------------------------------------

  // Can points be drawn here at all?
  get offered() {
    return (this.stage.scene?.drawing ?? null) !== null;
  }

  // Does the picture show the drawing, so that it can be edited?
  get ready() {
    return this.on && this.fits;
  }

  // Are the points of the drawing shown instead of those of the answer?
  get shown() {
    return this.fits && (this.on || this.stage.channel.has("drawing"));
  }

  // Does the answer on screen belong to a drawing on this sheet?
  get fits() {
    return Boolean(this.sheet && this.current && same(this.sheet, this.current.sheet));
  }

  // The current drawing, including an unfinished stroke.
  get current() {
    const { stack, stroke } = this;
    return stack && { ...stack.present, points: (stroke ?? stack.present).points };
  }

  // Send the drawing to Python; `moving`: in the middle of a stroke.
  send({ moving = false } = {}) {
    const { channel } = this.stage;
    channel.change("drawing", () => toNumbers(this.current));
    channel.post({ moving });
  }

  // A new scene; `otherData`: it is not of a drawing on the same sheet.
  adopt(scene, otherData) {
    const received = scene.drawing ? fromParts(scene.drawing) : null;
    this.sheet = received?.sheet ?? null;
    if (!this.stage.channel.has("drawing")) {
      const { stack } = this;
      // On the same sheet the history continues with a drawing that came from Python.
      const continued = (drawing) =>
        stack && same(stack.present.sheet, drawing.sheet) ? record(stack, drawing) : history(drawing);
      if (!received) this.setStack(null);
      else if (!stack || !sameDrawing(this.current, received))
        this.setStack(withPresent(saved, received, sameDrawing, continued));
    }
    if (!this.offered || (otherData && !received && !this.stack)) this.leave();
    else if (otherData && received && !this.current.points.length) this.open();
    if (this.on) this.enlargePanel();
  }

  setStack(stack) {
    this.stroke = null;
    this.stack = stack;
    if (stack) saved = stack;
    this.repaint("base");
  }

  // A change of the points that undo takes back in one step.
  change(points, action) {
    this.setStack(record(this.stack, { sheet: this.stack.present.sheet, points }));
    this.commit(action);
  }

  commit(action) {
    const { stage } = this;
    this.send();
    stage.board.announce(`${action}; ${counted(this.current.points.length, "point")}`);
    stage.board.schedule("drawing", "field");
  }

  // direction: "undo" or "redo".
  travel(direction) {
    if (this.stroke) return direction === "undo" && this.cancel();
    const stack = stepped(this.stack, direction);
    if (stack === this.stack) return false;
    this.setStack(stack);
    this.commit(`${direction}ne`);
    return true;
  }

  // ---- mode -------------------------------------------------------------------------------

  open() {
    if (this.on || !this.offered) return;
    this.on = true;
    this.stage.hand.forget();
    this.enlargePanel();
    this.modeChanged();
  }

  leave() {
    if (!this.on) return;
    this.finish();
    Object.assign(this, { on: false, pointer: null, cursor: null });
    if (this.grown) this.stage.display.enlarge(null);
    this.grown = false;
    this.modeChanged();
  }

  // Many pictures are too small to draw on: one of them is shown alone.
  enlargePanel() {
    const { panels, display } = this.stage;
    if (this.grown || display.enlarged !== null || panels.length <= 6 || !this.current) return;
    this.grown = display.enlarge(1);
  }

  modeChanged() {
    const { stage } = this;
    stage.board.root.toggleAttribute("data-drawing", this.on);
    for (const panel of stage.panels) this.unlock(panel);
    stage.display.follow();
    stage.board.describe();
    stage.board.schedule("drawing", "layout");
  }

  // A panel that shows a note instead of a picture can be drawn on, too.
  unlock(panel) {
    panel.editable = this.stage.scene.editable || this.on;
    panel.node.classList.toggle("open", panel.editable);
  }

  // Begin with an empty sheet, or with the points on screen.
  beginSheet({ withPoints }) {
    const { scene, labels, board } = this.stage;
    let drawing = { sheet: SHEET, points: [] };
    if (withPoints) {
      const [x0, x1, y0, y1] = scene.view;
      const sheet = checkedSheet([x0, y0, (x1 - x0) / CELLS, (y1 - y0) / CELLS]);
      drawing = { sheet, points: pointsFrom(scene.points, labels, sheet, MOST_IN_LINK) };
      const [total, count] = [scene.n_samples ?? scene.points.count, drawing.points.length];
      const all = counted(total, "point");
      if (count < total) board.remark(`This keeps ${count} of the ${all}: as many fit a link`);
    }
    this.setStack(history(drawing));
    this.commit(withPoints ? "drawing on these points" : "an empty sheet");
    this.modeChanged();
  }

  // An empty sheet, in one step of the undo history.
  clear() {
    if (this.current?.points.length) this.change([], "an empty sheet");
  }

  pick(code) {
    if (code >= CLASSES) return false;
    this.drop();
    this.stage.board.announce(code < 0 ? "Points without a class" : `Class ${code + 1}`);
    return this.set({ code, tool: "brush" });
  }

  choose(tool) {
    this.drop();
    this.stage.board.announce({ brush: "Brush", eraser: "Eraser", move: "Move points" }[tool]);
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
    return Boolean(this.stroke && !this.stroke.byKeys);
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
    this.stroke = { points, at, from: at, random, owed: this.density, grabbed: [] };
    if (this.tool === "move") {
      const inside = touchedBy(points, sheet, this.toPixel, at, at, this.radius);
      this.stroke.grabbed = inside.length ? inside : nearestTo(points, sheet, this.toPixel, at, reach);
    } else this.extend(at, event);
  }

  extend(to, event = null) {
    const { stroke, tool } = this;
    const pen = event?.pointerType === "pen" && event.pressure > 0;
    const radius = this.radius * (pen ? PEN.least + PEN.range * event.pressure : 1);
    const { sheet } = this.stack.present;
    const before = stroke.points;
    if (tool === "brush") {
      stroke.owed += (this.density * Math.hypot(to[0] - stroke.at[0], to[1] - stroke.at[1])) / (2 * radius);
      const count = Math.floor(stroke.owed);
      stroke.owed -= count;
      const fine = this.density === 1 && radius <= 2 * WIDTH.least;
      const places = spray(stroke.at, to, fine ? 0 : radius, count, stroke.random);
      const planar = places.map(([px, py]) => this.toPlane(px, py));
      const [points, full] = painted(before, planar, sheet, this.code, this.labels && this.code >= 0);
      if (points.length > before.length) stroke.points = points;
      if (full) this.stage.board.remark(`A drawing has at most ${MOST} points`);
    } else if (tool === "eraser") {
      const erased = touchedBy(before, sheet, this.toPixel, stroke.at, to, radius);
      if (erased.length) stroke.points = without(before, erased);
    } else if (stroke.grabbed.length) {
      const [a, b] = [this.toPlane(...stroke.from), this.toPlane(...to)];
      const shift = [b[0] - a[0], b[1] - a[1]];
      stroke.points = moved(this.stack.present.points, stroke.grabbed, sheet, shift);
    }
    stroke.at = to;
    if (stroke.points === before) return;
    // The points follow at once, the fields as Python answers.
    this.send({ moving: true });
    this.repaint("base");
  }

  finish() {
    if (!this.stroke) return;
    const { points } = this.stroke;
    const { length } = this.stack.present.points;
    this.stroke = null;
    if (points === this.stack.present.points) return;
    const added = points.length - length;
    const action = added > 0 ? `${added} painted` : added < 0 ? `${-added} erased` : "moved";
    this.change(points, action);
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

  // Returns true if the key was used.
  key(event) {
    return handleKey(event, this, (key) => this.toolKey(key, event));
  }

  zoomBy(factor) {
    return this.stage.zoomBy(factor);
  }

  toolKey(key, { shiftKey, repeat }) {
    if (key === "Escape") return this.escape();
    if (!this.ready) return false;
    if (key in ARROWS) return this.step(...ARROWS[key], shiftKey ? FAST * STEP : STEP);
    if (key === " " || key === "Enter") return repeat || this.press();
    if (key === "Delete" || key === "Backspace") return this.eraseAtCursor();
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

  // End the stroke, or else drawing.
  escape() {
    if (!this.cancel()) this.leave();
    return true;
  }

  // Move the cursor, or the points that it has picked up, a step in the direction (dx, dy).
  step(dx, dy, share) {
    const [x0, x1, y0, y1] = this.stage.view.range;
    const [x, y] = this.cursor ?? [(x0 + x1) / 2, (y0 + y1) / 2];
    const size = share * Math.max(x1 - x0, y1 - y0);
    const to = [x + dx * size, y + dy * size];
    this.cursor = [Math.min(Math.max(to[0], x0), x1), Math.min(Math.max(to[1], y0), y1)];
    if (this.stroke?.byKeys) this.extend(this.toPixel(...this.cursor));
    this.stage.board.announce(this.cursor.map((v) => short(v)).join(", "));
    return this.set({ pointer: null });
  }

  // Space: paint or erase at the cursor, pick up points or put them down.
  press() {
    if (!this.cursor) return this.step(0, 0, 0);
    if (this.drop()) return true;
    this.start(this.toPixel(...this.cursor));
    this.stroke.byKeys = this.stroke.grabbed.length > 0;
    if (this.stroke.byKeys) this.stage.board.announce("picked up; arrows move, Space puts down");
    else this.finish();
    return true;
  }

  eraseAtCursor() {
    const { tool } = this;
    if (!this.cursor) return false;
    this.drop();
    this.tool = "eraser";
    this.start(this.toPixel(...this.cursor));
    this.finish();
    this.tool = tool;
    return true;
  }

  // Put down the points that were picked up.
  drop() {
    if (!this.stroke?.grabbed.length) return false;
    this.finish();
    return true;
  }

  // ---- picture ----------------------------------------------------------------------------

  repaint(level = "over") {
    this.stage.board.schedule("", level);
  }

  // The pointer is at a place in pixels of `panel`, or nowhere (null).
  hover(panel, at) {
    this.set({ pointer: at && { panel, at } });
  }

  // The tool's circle at the pointer, or at the keyboard's cursor in all panels.
  paint(context, panel, theme) {
    if (!this.ready) return;
    const pointer = this.pointer?.panel === panel ? this.pointer.at : null;
    const at = pointer ?? (this.cursor && this.toPixel(...this.cursor));
    if (at) drawCursor(context, at, this, theme);
  }

  // Number of classes in the palette: those in use, and one more.
  get palette() {
    const points = this.current?.points ?? [];
    const used = points.reduce((most, point) => Math.max(most, codeOf(point) + 1), this.code + 1);
    return Math.min(Math.max(used, 2) + 1, CLASSES);
  }
}
