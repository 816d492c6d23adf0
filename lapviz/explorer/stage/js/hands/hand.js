// Pointer and keyboard actions on the pictures, and their current target.

import { spaceTarget } from "./aim.js";
import { wayBack, zoomKey } from "../paint/dom.js";
import { describe } from "./hover.js";
import { neighbour, targetAt } from "./interact.js";
import { remove } from "../numbers/labels.js";

const STEP = Math.PI / 24; // radians that one arrow key turns by
const HINTS = 3; // how often plain scrolling over the picture is explained

export class Hand {
  constructor(stage) {
    Object.assign(this, { stage, hints: 0 });
    this.forget();
  }

  // target: what the pointer or the keyboard's cursor is at; hovered: the panel under the pointer.
  forget() {
    Object.assign(this, { target: null, hovered: null, cursor: null });
  }

  get lens() {
    const { scene, view, labels, board } = this.stage;
    scene.space?.look(view);
    return { scene, view, labels, box: board.place.box };
  }

  inBox(x, y) {
    const box = this.stage.board.place?.box;
    return box && x >= box.x && y >= box.y && x <= box.x + box.w && y <= box.y + box.h;
  }

  repaint() {
    this.stage.board.schedule("", "over");
  }

  // ---- pointer ----------------------------------------------------------------------------

  hover(panel, x, y) {
    if (!this.inBox(x, y) || panel.closed) return this.leave();
    this.hovered = panel;
    this.target = targetAt(x, y, this.lens);
    const clickable = this.stage.canLabel(this.target);
    const free = this.turns ? "grab" : "crosshair";
    panel.plot.style.cursor = clickable && this.target.snapped ? "pointer" : free;
    if (!this.turns && !this.stage.scene.editable && this.stage.panels.length > 1)
      panel.plot.style.cursor = this.stage.enlarged === null ? "zoom-in" : "zoom-out";
    this.repaint();
  }

  leave() {
    if (!this.target || this.cursor) return;
    this.forget();
    this.repaint();
  }

  // A click; `twice` when it is the second of two in the same place.
  press(panel, x, y, reach, twice, also = false) {
    if (!this.inBox(x, y) || panel.closed) return;
    const { stage } = this;
    stage.board.plots.focus({ preventScroll: true });
    this.cursor = null;
    if (twice && stage.view.zoomed) {
      // The first click of a double click must not set a label.
      if (this.pressed) stage.undo();
      this.pressed = false;
      stage.zoomBy(0);
      return;
    }
    if (stage.display.pressed(panel)) return;
    this.hovered = panel;
    this.target = targetAt(x, y, this.lens, reach);
    this.pressed = stage.toggleAt(this.target, also);
    this.repaint();
  }

  // Do drags turn the picture?
  get turns() {
    return Boolean(this.stage.scene?.space);
  }

  drag(dx, dy) {
    if (!this.turns) return this.pan(dx, dy);
    this.stage.view.follow(dx, dy, this.stage.board.place.box);
    this.forget();
    this.stage.moved();
  }

  pan(dx, dy) {
    const { view, board } = this.stage;
    const [x0, x1, y0, y1] = view.range;
    const { box } = board.place;
    const free = view.pan((-dx / box.w) * (x1 - x0), (dy / box.h) * (y1 - y0));
    if (!free) board.remark(`The data end here; ${wayBack()}`);
    this.forget();
    this.stage.moved();
  }

  zoomAt(factor, px, py) {
    const { view, board } = this.stage;
    view.zoomAt(factor, ...view.toPlane(px, py, board.place.box));
    this.stage.moved();
  }

  hint() {
    if (this.hints++ >= HINTS) return;
    const drag = this.turns ? "turns" : "moves";
    this.stage.board.remark(`${zoomKey()} + wheel zooms, drag ${drag}`);
  }

  // Another panel came into view: the note moves there.
  show(panel) {
    if (this.cursor) this.hovered = panel;
    else this.forget();
    this.repaint();
  }

  // ---- keyboard ---------------------------------------------------------------------------

  step(dx, dy, free) {
    const { stage } = this;
    const [x0, x1, y0, y1] = stage.view.range;
    const bare = { x: (x0 + x1) / 2, y: (y0 + y1) / 2, index: -1, point: -1, snapped: false };
    const from = this.cursor ?? bare;
    if (free) {
      const size = 0.02 * (x1 - x0);
      const x = Math.min(Math.max(from.x + dx * size, x0), x1);
      const y = Math.min(Math.max(from.y + dy * size, y0), y1);
      const [u, v] = stage.view.snap(x, y);
      this.cursor = { ...bare, x: u, y: v };
    } else this.cursor = neighbour(from, dx, dy, this.lens) ?? from;
    this.target = this.cursor;
    this.follow();
    this.hovered = stage.board.swipe.panel ?? this.hovered;
    const { live } = stage.display;
    if (!live.includes(this.hovered)) this.hovered = live.find((p) => !p.closed) ?? live[0];
    const [place, ...rest] = describe(this.cursor, this.hovered, stage.scene, stage.labels);
    stage.board.say([...rest, place].join(", "));
    this.repaint();
    return true;
  }

  // A step of the turn; the cursor stays on its point.
  turn(dx, dy) {
    const { stage } = this;
    stage.view.turn(dx * STEP, -dy * STEP);
    const { scene } = this.lens;
    if (this.cursor?.point >= 0) this.cursor = spaceTarget(scene.points, this.cursor.point);
    this.target = this.cursor;
    stage.moved();
    return true;
  }

  // Keep the cursor on screen when the picture is zoomed.
  follow() {
    const { view } = this.stage;
    const { x, y } = this.cursor;
    const [x0, x1, y0, y1] = view.range;
    if (x >= x0 && x <= x1 && y >= y0 && y <= y1) return;
    view.pan(x - (x0 + x1) / 2, y - (y0 + y1) / 2);
    this.stage.moved();
  }

  label(also = false) {
    if (!this.cursor) return false;
    this.stage.toggleAt(this.cursor, also);
    return true;
  }

  remove() {
    if (!this.cursor) return false;
    this.stage.edit(remove(this.stage.labels, this.cursor), this.cursor);
    return true;
  }

  drop() {
    if (this.stage.stroke.cancel()) return true;
    if (!this.cursor) return false;
    this.forget();
    this.repaint();
    return true;
  }
}
