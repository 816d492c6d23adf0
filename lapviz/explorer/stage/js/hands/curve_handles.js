// Points and slopes that the user moves by pointer, touch, or arrow keys.

import contract from "../../../../contract.json";
import { ARROWS, CLICK_DISTANCE, handleKey, listenDrag, placeOn } from "./gestures.js";
import { fit, set, show, svg } from "../paint/dom.js";
import { short } from "../numbers/view.js";

const ARM = [30, 44]; // least and largest distance in pixels from a point to the ends of its slope
const REACH = 18; // pixels around a handle that a finger may miss it by
const MOST = contract.changes.curve.handles.size; // of values and slopes

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// Values, then slopes (0 if there is none): what the response matrices are multiplied by.
export function valuesAndSlopes(handles) {
  return [...handles.map((h) => h.value), ...handles.map((h) => h.slope ?? 0)];
}

// The handle moved to a place, within limits.
export function movedTo(handle, x, value) {
  return { ...handle, x: clamp(x, 0, 1), value: clamp(value, -MOST, MOST) };
}

export function turnedTo(handle, slope) {
  return { ...handle, slope: clamp(slope, -MOST, MOST) };
}

export class HandlesView {
  // actions: {move(i, handle, { done }), select(i), remove(i), travel("undo" or "redo")}
  constructor(chart, actions) {
    Object.assign(this, { chart, actions, nodes: [], handles: [], held: false, repeats: false });
    this.group = svg("g", { class: "handles" });
    chart.node.append(this.group);
    chart.node.setAttribute("role", "group"); // the role img could contain no controls
  }

  draw(handles, selected) {
    this.handles = handles;
    fit(this.nodes, handles.length, (i) => this.addHandle(i));
    handles.forEach((handle, i) => this.place(i, handle, i === selected));
  }

  addHandle(i) {
    const knob = (cls) =>
      svg("g", { class: cls, role: "slider", tabindex: 0 },
        svg("circle", { r: REACH, class: "reach" }), svg("circle", { r: 8, class: "bead" }));
    const parts = { point: knob("point"), left: knob("turn"), right: knob("turn") };
    parts.arm = svg("line", { class: "arm" });
    parts.node = svg("g", { class: "handle" }, parts.arm, parts.left, parts.right, parts.point);
    set(parts.left, { tabindex: -1, "aria-hidden": true }); // one tab stop is enough
    this.listen(parts.point, i, 0);
    this.listen(parts.left, i, -1);
    this.listen(parts.right, i, 1);
    this.group.append(parts.node);
    return parts;
  }

  // side: of the slope's end, -1 or 1; 0 for the point.
  listen(node, i, side) {
    let grip = null; // the pointer's first place, and its offset to the centre of what it holds
    const begin = ([px, py]) => {
      node.focus({ preventScroll: true });
      const { cx, cy, dx, dy } = this.pixels(this.handles[i]);
      this.held = true;
      grip = { from: [px, py], offset: [cx + side * dx - px, cy + side * dy - py] };
      this.actions.select(i);
    };
    const drag = ([px, py], options) => {
      const { from, offset } = grip;
      grip.moved ||= Math.hypot(px - from[0], py - from[1]) > CLICK_DISTANCE;
      // Sideways moves of a few pixels do not change the input, so that it stays in a vertical drag.
      grip.sideways ||= Math.abs(px - from[0]) > 6;
      if (!grip.moved) return options.done && stay();
      this.held = !options.done;
      const at = [px + offset[0], py + offset[1]];
      this.actions.move(i, side ? this.turned(i, at, side) : this.slid(i, at, grip.sideways), options);
    };
    // After a click, or a cancelled touch, which has no place, the handle is where it was.
    const stay = () => {
      this.held = false;
      this.actions.move(i, this.handles[i], { done: true });
    };
    listenDrag(node, placeOn(this.chart.node), { begin, drag, cancelled: stay });
    node.addEventListener("focus", () => this.actions.select(i));
    node.addEventListener("keydown", (event) => this.press(event, i, side));
    for (const end of ["keyup", "blur"]) node.addEventListener(end, () => this.release(i));
  }

  slid(i, at, sideways) {
    const handle = this.handles[i];
    const [x, value] = this.chart.toPlane(...at);
    return movedTo(handle, sideways ? x : handle.x, value);
  }

  turned(i, [px, py], side) {
    const handle = this.handles[i];
    const { cx } = this.pixels(handle);
    const [x, y] = this.chart.toPlane(cx + side * Math.max(side * (px - cx), 3), py);
    return turnedTo(handle, (y - handle.value) / (x - handle.x));
  }

  press(event, i, side) {
    const repeats = event.repeat && event.key in ARROWS; // a held key is one edit, as a drag is
    if (!repeats) this.release(i);
    if (event.key === "Delete" || event.key === "Backspace") this.actions.remove(i);
    else if (event.key in ARROWS) {
      const [dx, dy] = ARROWS[event.key];
      const times = event.shiftKey ? 10 : 1;
      const [x0, x1, y0, y1] = this.chart.range;
      const unit = ((y1 - y0) / 100) * times;
      const handle = this.handles[i];
      const next = side
        ? turnedTo(handle, (handle.slope ?? 0) + (5 * unit * (dy || dx)) / (x1 - x0))
        : movedTo(handle, handle.x + 0.01 * times * dx, handle.value + unit * dy);
      this.repeats = this.held = repeats;
      this.actions.move(i, next, { done: !repeats });
    } else if (!handleKey(event, this.actions, () => false)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  release(i) {
    if (!this.repeats) return;
    this.repeats = this.held = false;
    if (this.handles[i]) this.actions.move(i, this.handles[i], { done: true });
  }

  // Centre of the point in pixels, and from there to the right end of its slope.
  pixels({ x, value, slope }) {
    const [cx, cy] = this.chart.toPixel(x, value);
    const [ux, uy] = this.chart.toPixel(x + 1, value + (slope ?? 0));
    const reach = Math.min(Math.max(0.06 * this.chart.width, ARM[0]), ARM[1]);
    const share = reach / Math.hypot(ux - cx, uy - cy);
    return { cx, cy, dx: (ux - cx) * share, dy: (uy - cy) * share };
  }

  place(i, handle, selected) {
    const { x, value, slope } = handle;
    const { node, point, left, right, arm } = this.nodes[i];
    const { cx, cy, dx, dy } = this.pixels(handle);
    node.classList.toggle("selected", selected);
    set(point, sliderAttributes(`Point ${i + 1}`, value, `x ${short(x)}, value ${short(value)}`));
    point.setAttribute("transform", `translate(${cx.toFixed(1)} ${cy.toFixed(1)})`);
    const hasSlope = slope !== null && slope !== undefined;
    for (const part of [left, right, arm]) show(part, hasSlope);
    if (!hasSlope) return;
    set(arm, { x1: cx - dx, y1: cy - dy, x2: cx + dx, y2: cy + dy });
    left.setAttribute("transform", `translate(${(cx - dx).toFixed(1)} ${(cy - dy).toFixed(1)})`);
    right.setAttribute("transform", `translate(${(cx + dx).toFixed(1)} ${(cy + dy).toFixed(1)})`);
    set(right, sliderAttributes(`Slope of point ${i + 1}`, slope, `slope ${short(slope)}`));
  }
}

// Attributes of a handle as a slider.
function sliderAttributes(label, value, text) {
  const range = { "aria-valuenow": value, "aria-valuemin": -MOST, "aria-valuemax": MOST };
  return { "aria-label": label, ...range, "aria-valuetext": text };
}
