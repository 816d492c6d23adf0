// Pointer and keyboard actions on the pictures, and their current target.

import { resetHint, zoomKey } from "../paint/dom.js";
import { describe } from "./hover.js";
import { ARROWS, classOfKey, doubleClicks, handleKey } from "./gestures.js";
import { inside, labelRadius } from "../paint/marks.js";
import { reasonsAt } from "./reasons.js";
import { remove } from "../numbers/labels.js";
import { markRadius } from "../paint/cloud.js";

const STEP = Math.PI / 24; // radians of rotation by one arrow key
const HINTS = 3; // how often plain scrolling over the picture is explained

export class Hand {
  constructor(stage) {
    Object.assign(this, { stage, hints: 0, isSecond: doubleClicks(8) });
    this.forget();
  }

  // target: the point or place at the pointer or the keyboard's cursor; hovered: the panel under the pointer.
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
    const background = this.rotates ? "grab" : "crosshair";
    const point = this.target.snapped && this.stage.canLabel(this.target);
    panel.plot.style.cursor = point ? "pointer" : background;
    if (!this.rotates && !this.stage.scene.editable && this.stage.panels.length > 1)
      panel.plot.style.cursor = this.stage.display.enlarged === null ? "zoom-in" : "zoom-out";
    this.repaint();
  }

  leave() {
    if (!this.target) return;
    if (this.cursor) this.target = this.cursor;
    else this.forget();
    this.repaint();
  }

  // The second click of a double click, which began on a picture, shows the whole picture, and takes back what
  // the first one did to labels or panels. Returns false for all other clicks.
  showWhole(event, onPicture = true) {
    const { stage } = this;
    const whole = this.isSecond(event, onPicture) && stage.view?.zoomed;
    if (whole) {
      if (this.labelSet) stage.travel("undo");
      stage.display.enlarge(this.enlarged);
      this.forget();
      stage.zoomBy(0);
    }
    Object.assign(this, { labelSet: false, enlarged: stage.display.enlarged });
    return whole;
  }

  press(panel, x, y, { reach, addCandidate }) {
    if (!this.inBox(x, y) || panel.closed || panel.frozen) return; // a pinned picture keeps its labels
    const { stage } = this;
    stage.board.plots.focus({ preventScroll: true });
    this.cursor = null;
    if (!stage.scene.editable && stage.display.toggle(panel)) return;
    this.hovered = panel;
    this.target = targetAt(x, y, this.lens, reach);
    this.labelSet = stage.toggleAt(this.target, addCandidate);
    this.repaint();
  }

  // Do drags rotate the picture?
  get rotates() {
    return Boolean(this.stage.scene?.space);
  }

  drag(dx, dy) {
    if (!this.rotates) return this.pan(dx, dy);
    this.stage.view.rotateByDrag(dx, dy, this.stage.board.place.box);
    this.forget();
    this.stage.viewChanged();
  }

  pan(dx, dy) {
    const { view, board } = this.stage;
    const [x0, x1, y0, y1] = view.range;
    const { box } = board.place;
    const complete = view.pan((-dx / box.w) * (x1 - x0), (dy / box.h) * (y1 - y0));
    if (!complete) board.remark(`The data end here; ${resetHint()}`);
    this.forget();
    this.stage.viewChanged();
  }

  zoomAt(factor, px, py) {
    const { view, board } = this.stage;
    view.zoomAt(factor, ...view.toPlane(px, py, board.place.box));
    this.stage.viewChanged();
  }

  hint() {
    if (this.hints++ >= HINTS) return;
    const drag = this.rotates ? "turns" : "moves";
    this.stage.board.remark(`${zoomKey()} + wheel zooms, drag ${drag}`);
  }

  // The note moves to the panel that came into view.
  show(panel) {
    if (this.cursor) this.hovered = panel;
    else this.forget();
    this.repaint();
  }

  // ---- keyboard ---------------------------------------------------------------------------

  // Keys while the pictures have the focus; returns true if the key was used.
  key(event) {
    return handleKey(event, this.stage, (key) => {
      if (key in ARROWS && event.shiftKey && this.rotates) return this.rotate(...ARROWS[key]);
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

  step(dx, dy, offPoints) {
    const { stage } = this;
    const [x0, x1, y0, y1] = stage.view.range;
    const centre = { x: (x0 + x1) / 2, y: (y0 + y1) / 2, index: -1, point: -1, snapped: false };
    const from = this.cursor ?? centre;
    if (offPoints) {
      const size = 0.02 * (x1 - x0);
      const x = Math.min(Math.max(from.x + dx * size, x0), x1);
      const y = Math.min(Math.max(from.y + dy * size, y0), y1);
      const [u, v] = stage.view.snap(x, y);
      this.cursor = { ...centre, x: u, y: v };
    } else this.cursor = neighbour(from, dx, dy, this.lens) ?? from;
    this.target = this.cursor;
    this.followCursor();
    this.hovered = stage.board.swipe.panel ?? this.hovered;
    const { live } = stage.display;
    if (!live.includes(this.hovered)) this.hovered = live.find((p) => !p.closed) ?? live[0];
    const reasons = reasonsAt(this.cursor, this.hovered, stage);
    const [place, ...lines] = describe(this.cursor, this.hovered, stage, reasons);
    stage.board.announce([...lines, place].join(", "));
    this.repaint();
    return true;
  }

  // Rotate by one step; the cursor stays on its point.
  rotate(dx, dy) {
    const { stage } = this;
    stage.view.rotate(dx * STEP, -dy * STEP);
    const { scene } = this.lens;
    if (this.cursor?.point >= 0) this.cursor = pointTarget(scene.points, this.cursor.point);
    this.target = this.cursor;
    stage.viewChanged();
    return true;
  }

  // Move a zoomed picture so that the cursor stays on screen.
  followCursor() {
    const { view } = this.stage;
    const { x, y } = this.cursor;
    const [x0, x1, y0, y1] = view.range;
    if (x >= x0 && x <= x1 && y >= y0 && y <= y1) return;
    view.pan(x - (x0 + x1) / 2, y - (y0 + y1) / 2);
    this.stage.viewChanged();
  }

  label(addCandidate) {
    if (this.cursor) this.stage.toggleAt(this.cursor, addCandidate);
    return true; // so that Space does not scroll the page
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

// ---- targets of pointer and arrow keys: a drawn point, an off-sample label, or a place ------------

export const NEAR = 12; // pixels within which a click selects a point
const BEHIND = 3; // extra distance of a point at the very back, as a factor

export function pointTarget({ xy, index }, i) {
  return { x: xy[2 * i], y: xy[2 * i + 1], index: index[i], point: i, snapped: true };
}

// The drawn point or label of the lowest rank: rank(x, y, i), with i = -1 for a label; Infinity excludes.
// In space labels are at their points.
function lowestRanked({ scene: { space, points }, labels }, rank) {
  let [least, target] = [Infinity, null];
  for (let i = 0; i < points.count; i++) {
    const value = rank(points.xy[2 * i], points.xy[2 * i + 1], i);
    if (value < least) [least, target] = [value, pointTarget(points, i)];
  }
  for (const label of space ? [] : labels) {
    const { x, y, index } = label;
    const value = rank(x, y, -1, label);
    const point = points.position.get(index) ?? -1;
    if (value < least) [least, target] = [value, { x, y, index, point, snapped: true }];
  }
  return target;
}

// The label whose mark covers (px, py), else the point or label nearest to it within reach, else the place
// itself. A labelled point is drawn larger, so it is selected from further away. In space, the foremost of
// the points whose marks cover the place, else the nearest, where a point further back counts as further
// away.
export function targetAt(px, py, lens, reach = NEAR) {
  const { scene, view, box, labels } = lens;
  const { space, points } = scene;
  const labelled = new Set(space ? labels.map((label) => label.index) : []);
  const covered = labelRadius(labels, box);
  const mark = space && markRadius(points.count, box);
  const inSpace = (d, i) => {
    const near = space.near[i];
    const size = labelled.has(points.index[i]) ? 2 : 1;
    const covers = d <= mark * space.scale(near) * size;
    return covers ? -near : (d * (1 + BEHIND * (1 - near))) / size;
  };
  const target = lowestRanked(lens, (x, y, i) => {
    const [u, v] = view.toPixel(x, y, box);
    const distance = Math.hypot(u - px, v - py);
    if (i < 0 && distance <= covered) return distance - covered;
    const d = distance * (i < 0 ? Math.SQRT1_2 : 1);
    return d >= reach ? Infinity : space ? inSpace(d, i) : d;
  });
  if (target) return target;
  const [x, y] = view.toPlane(px, py, box);
  return { x, y, index: -1, point: -1, snapped: false };
}

// The nearest target from `from` in the direction (dx, dy) of the picture. Targets off that direction count
// as further away, and so do those at another depth; without a point at `from`, the front is nearest.
export function neighbour(from, dx, dy, lens) {
  const { space } = lens.scene;
  const depth = space && (from.point >= 0 ? space.near[from.point] : 1);
  const least = space ? 1e-9 * space.radius : 1e-12;
  return lowestRanked(lens, (x, y, i, label) => {
    const ahead = (x - from.x) * dx + (y - from.y) * dy;
    const aside = Math.abs((x - from.x) * dy - (y - from.y) * dx);
    if (label?.index >= 0 || ahead <= least || aside > ahead) return Infinity;
    return ahead + 2 * aside + (space ? 2 * space.radius * Math.abs(space.near[i] - depth) : 0);
  });
}
