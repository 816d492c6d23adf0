// Brush and lasso: one stroke over a picture chooses points, which get the present class in one step.

import contract from "../../../../contract.json";
import { css } from "../paint/colour.js";
import { labelMany } from "../numbers/labels.js";

const MOST = contract.changes.stage.labels.most;
const STEP = 2; // pixels between two corners of a lasso

export class Stroke {
  constructor(stage) {
    Object.assign(this, { stage, on: false, place: null, panel: null, inside: new Set() });
  }

  get ready() {
    const { scene, tools } = this.stage;
    return Boolean(scene?.editable && tools.strokes);
  }

  begin(panel, x, y) {
    const { points } = this.stage.scene;
    const { view, board } = this.stage;
    Object.assign(this, { on: true, panel, path: [[x, y]], inside: new Set() });
    this.pixels = Float64Array.from({ length: 2 * points.count });
    for (let i = 0; i < points.count; i++) {
      const spot = view.toPixel(points.xy[2 * i], points.xy[2 * i + 1], board.place.box);
      this.pixels.set(spot, 2 * i);
    }
    this.extend(x, y);
  }

  extend(x, y) {
    const { tools } = this.stage;
    const last = this.path.at(-1);
    this.place = [x, y];
    if (tools.kind === "brush") {
      touched(this.pixels, last, [x, y], tools.radius, this.inside);
      this.path = [[x, y]];
    } else if (Math.hypot(x - last[0], y - last[1]) >= STEP) {
      this.path.push([x, y]);
      this.inside = enclosed(this.pixels, this.path);
    }
    this.repaint();
  }

  cancel() {
    if (!this.on) return false;
    Object.assign(this, { on: false, place: null, inside: new Set() });
    this.repaint();
    return true;
  }

  finish() {
    if (!this.on) return;
    const { scene, labels, code, tools } = this.stage;
    const { xy, index } = scene.points;
    const targets = [...this.inside].map((i) => ({
      x: xy[2 * i],
      y: xy[2 * i + 1],
      index: index[i],
    }));
    this.cancel();
    if (!targets.length) return;
    const done = labelMany(labels, targets, code, { also: tools.also, most: MOST });
    this.stage.editMany(done.labels, done.count);
    if (done.full) this.stage.board.remark(`No more than ${MOST} labels: the others were left out`);
  }

  hover(x, y) {
    this.place = this.stage.tools.kind === "brush" && this.stage.hand.inBox(x, y) ? [x, y] : null;
    this.repaint();
  }

  repaint() {
    this.stage.board.schedule("", "over");
  }

  // What the stroke would label, and its outline.
  draw(context, panel, theme, code) {
    if (!this.ready || !this.place || (this.on && panel !== this.panel && !this.inside.size)) return;
    const { tools } = this.stage;
    context.fillStyle = css(theme.classes[code % theme.classes.length]);
    context.strokeStyle = css(theme.outline, 0.8);
    context.lineWidth = 0.8;
    context.beginPath();
    for (const i of this.inside) {
      const [x, y] = [this.pixels[2 * i], this.pixels[2 * i + 1]];
      context.moveTo(x + 3, y);
      context.arc(x, y, 3, 0, 6.2832);
    }
    context.fill();
    context.stroke();
    context.beginPath();
    if (tools.kind === "brush") context.arc(...this.place, tools.radius, 0, 6.2832);
    else if (this.on) this.path.forEach(([x, y], i) => context[i ? "lineTo" : "moveTo"](x, y));
    if (tools.kind === "lasso") context.closePath();
    outline(context, theme);
  }
}

function outline(context, theme) {
  context.lineWidth = 3.5;
  context.strokeStyle = css(theme.halo, 0.8);
  context.stroke();
  context.lineWidth = 1.5;
  context.strokeStyle = css(theme.text);
  context.stroke();
}

// Adds the points within `radius` of the segment from a to b.
function touched(pixels, [ax, ay], [bx, by], radius, inside) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy || 1;
  for (let i = 0; i < pixels.length / 2; i++) {
    const [px, py] = [pixels[2 * i] - ax, pixels[2 * i + 1] - ay];
    const t = Math.min(Math.max((px * dx + py * dy) / length, 0), 1);
    if ((px - t * dx) ** 2 + (py - t * dy) ** 2 <= radius * radius) inside.add(i);
  }
}

// The points inside a closed path, by the parity of its crossings.
function enclosed(pixels, path) {
  const inside = new Set();
  for (let i = 0; i < pixels.length / 2; i++) {
    const [x, y] = [pixels[2 * i], pixels[2 * i + 1]];
    let odd = false;
    for (let j = 0, k = path.length - 1; j < path.length; k = j++) {
      const [[ax, ay], [bx, by]] = [path[j], path[k]];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
    }
    if (odd) inside.add(i);
  }
  return inside;
}

// Listens on one panel's plot, before everything else that does.
export function listenStroke(plot, panel, stage) {
  const { stroke, hand } = stage;
  const place = (event) => {
    const frame = plot.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  plot.addEventListener("pointerdown", (event) => {
    if (!stroke.ready || event.button !== 0 || !event.isPrimary || panel.closed) return;
    const [x, y] = place(event);
    if (!hand.inBox(x, y)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    stage.board.plots.focus({ preventScroll: true });
    hand.forget();
    plot.setPointerCapture(event.pointerId);
    stroke.begin(panel, x, y);
  });
  plot.addEventListener("pointermove", (event) => {
    if (!stroke.ready) return;
    if (!stroke.on) {
      if (event.pointerType !== "touch") stroke.hover(...place(event));
      return;
    }
    event.stopImmediatePropagation();
    if (!event.isPrimary) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length ? all : [event]) stroke.extend(...place(one));
  });
  plot.addEventListener("pointerup", (event) => {
    if (!stroke.on) return;
    event.stopImmediatePropagation();
    if (event.isPrimary) stroke.finish();
  });
  plot.addEventListener("pointercancel", () => stroke.cancel());
  plot.addEventListener("pointerleave", () => {
    if (stroke.on || !stroke.place) return;
    stroke.place = null;
    stroke.repaint();
  });
  plot.addEventListener(
    "touchstart",
    (event) => {
      if (event.touches.length > 1) stroke.cancel(); // two fingers zoom
      else if (stroke.ready) event.preventDefault();
    },
    { passive: false },
  );
}
