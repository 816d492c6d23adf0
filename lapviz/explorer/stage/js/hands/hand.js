// Pointer and keyboard actions on the pictures, and their current target.

import { wayBack, zoomKey } from "../paint/dom.js";
import { describe } from "./hover.js";
import { ARROWS, classOfKey, pressKey } from "./gestures.js";
import { inside } from "../paint/marks.js";
import { reasonsAt } from "./reasons.js";
import { remove } from "../numbers/labels.js";
import { markRadius } from "../paint/cloud.js";

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
    return Boolean(box) && inside(box, x, y);
  }

  repaint() {
    this.stage.board.schedule("", "over");
  }

  // ---- pointer ----------------------------------------------------------------------------

  hover(panel, x, y) {
    if (!this.inBox(x, y) || panel.closed) return this.leave();
    this.hovered = panel;
    this.target = targetAt(x, y, this.lens);
    const free = this.turns ? "grab" : "crosshair";
    const point = this.target.snapped && this.stage.canLabel(this.target);
    panel.plot.style.cursor = point ? "pointer" : free;
    if (!this.turns && !this.stage.scene.editable && this.stage.panels.length > 1)
      panel.plot.style.cursor = this.stage.display.enlarged === null ? "zoom-in" : "zoom-out";
    this.repaint();
  }

  leave() {
    if (!this.target || this.cursor) return;
    this.forget();
    this.repaint();
  }

  // A click; `twice` when it is the second of two in the same place.
  press(panel, x, y, reach, twice, also = false) {
    if (!this.inBox(x, y) || panel.closed || panel.frozen) return; // a pinned picture has its own labels
    const { stage } = this;
    stage.board.plots.focus({ preventScroll: true });
    this.cursor = null;
    if (twice && stage.view.zoomed) {
      // The first click of a double click must not set a label.
      if (this.pressed) stage.travel("undo");
      this.pressed = false;
      stage.zoomBy(0);
      return;
    }
    if (!stage.scene.editable && stage.display.toggle(panel)) return;
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

  // Keys while the pictures have the focus; true when the key was used.
  key(event) {
    return pressKey(event, this.stage, (key) => {
      if (key in ARROWS && event.shiftKey && this.turns) return this.turn(...ARROWS[key]);
      if (key in ARROWS) return this.step(...ARROWS[key], event.shiftKey);
      if (key === "Enter" || key === " ") return this.label(event.shiftKey);
      if (key === "Delete" || key === "Backspace") return this.remove();
      if (key === "Escape") return this.drop();
      if (!/^\d$/.test(key)) return undefined;
      const code = classOfKey(key, this.stage.scene.classes);
      if (code >= 0) return this.stage.pick(code);
      return key === "0" && this.stage.zoomBy(0);
    });
  }

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
    const why = reasonsAt(this.cursor, this.hovered, stage);
    const [place, ...rest] = describe(this.cursor, this.hovered, stage, why);
    stage.board.say([...rest, place].join(", "));
    this.repaint();
    return true;
  }

  // A step of the turn; the cursor stays on its point.
  turn(dx, dy) {
    const { stage } = this;
    stage.view.turn(dx * STEP, -dy * STEP);
    const { scene } = this.lens;
    if (this.cursor?.point >= 0) this.cursor = pointTarget(scene.points, this.cursor.point);
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
    if (this.cursor) this.stage.toggleAt(this.cursor, also);
    return true; // Space does not scroll the page either
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

// ---- what pointer and arrow keys aim at: a drawn point, a free label, or a place of the plane -----

export const NEAR = 12; // pixels within which a click selects a point
const BEHIND = 3; // how much further away a point at the very back counts

export function pointTarget({ xy, index }, i) {
  return { x: xy[2 * i], y: xy[2 * i + 1], index: index[i], point: i, snapped: true };
}

// The drawn point or label of the least rank; rank(x, y, i) gives that of point i, -1 for a label,
// Infinity for what does not count. In space labels are where their points are.
function foremost({ scene: { space, points }, labels }, rank) {
  let [least, found] = [Infinity, null];
  for (let i = 0; i < points.count; i++) {
    const own = rank(points.xy[2 * i], points.xy[2 * i + 1], i);
    if (own < least) [least, found] = [own, pointTarget(points, i)];
  }
  for (const label of space ? [] : labels) {
    const { x, y, index } = label;
    const own = rank(x, y, -1, label);
    const point = points.position.get(index) ?? -1;
    if (own < least) [least, found] = [own, { x, y, index, point, snapped: true }];
  }
  return found;
}

// What is nearest to (px, py) within reach; else the place itself. A labelled point is drawn larger,
// so it is selected from further away. In space, of the points whose marks lie there the foremost,
// else the nearest, where one further back counts as further away.
export function targetAt(px, py, lens, reach = NEAR) {
  const { scene, view, box, labels } = lens;
  const { space, points } = scene;
  const labelled = new Set(space ? labels.map((label) => label.index) : []);
  const mark = space && markRadius(points.count, box);
  const inSpace = (d, i) => {
    const near = space.near[i];
    const ease = labelled.has(points.index[i]) ? 2 : 1;
    const covers = d <= mark * space.scale(near) * ease;
    return covers ? -near : (d * (1 + BEHIND * (1 - near))) / ease;
  };
  const found = foremost(lens, (x, y, i) => {
    const [u, v] = view.toPixel(x, y, box);
    const d = Math.hypot(u - px, v - py) * (i < 0 ? Math.SQRT1_2 : 1);
    return d >= reach ? Infinity : space ? inSpace(d, i) : d;
  });
  if (found) return found;
  const [x, y] = view.toPlane(px, py, box);
  return { x, y, index: -1, point: -1, snapped: false };
}

// The nearest target from `from` in the direction (dx, dy) of the picture; those off it count as
// further away, as do those of another depth: from nowhere, the foremost are the near ones.
export function neighbour(from, dx, dy, lens) {
  const { space } = lens.scene;
  const depth = space && (from.point >= 0 ? space.near[from.point] : 1);
  const least = space ? 1e-9 * space.radius : 1e-12;
  return foremost(lens, (x, y, i, label) => {
    const ahead = (x - from.x) * dx + (y - from.y) * dy;
    const aside = Math.abs((x - from.x) * dy - (y - from.y) * dx);
    if (label?.index >= 0 || ahead <= least || aside > ahead) return Infinity;
    return ahead + 2 * aside + (space ? 2 * space.radius * Math.abs(space.near[i] - depth) : 0);
  });
}
