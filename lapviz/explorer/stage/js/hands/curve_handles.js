// Points and slopes that are moved by hand: by pointer, touch, or arrow keys.

import contract from "../../../../contract.json";
import { ARROWS, listenDrag, placeOn } from "./gestures.js";
import { fit, set, show, svg } from "../paint/dom.js";
import { short } from "../numbers/view.js";

const ARM = [30, 44]; // pixels from a point to the ends of its slope, at least and at most
const REACH = 18; // pixels around a handle that a finger may miss it by
const MOST = contract.changes.curve.handles.size; // of values and slopes

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// What one adds to: numbers of the handles as the response matrices want them.
export function numbers(handles) {
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
  // acts: {move(i, handle, done), select(i), remove(i)}
  constructor(chart, acts) {
    Object.assign(this, { chart, acts, nodes: [], handles: [] });
    this.group = svg("g", { class: "handles" });
    chart.node.append(this.group);
    chart.node.setAttribute("role", "group"); // a picture has nothing in it that can be moved
  }

  draw(handles, selected) {
    this.handles = handles;
    fit(this.nodes, handles.length, (i) => this.added(i));
    handles.forEach((handle, i) => this.place(i, handle, i === selected));
  }

  added(i) {
    const knob = (cls) =>
      svg("g", { class: cls, role: "slider", tabindex: 0 },
        svg("circle", { r: REACH, class: "reach" }), svg("circle", { r: 8, class: "bead" }));
    const parts = { point: knob("point"), left: knob("turn"), right: knob("turn") };
    parts.arm = svg("line", { class: "arm" });
    parts.node = svg("g", { class: "handle" }, parts.arm, parts.left, parts.right, parts.point);
    set(parts.left, { tabindex: -1, "aria-hidden": true }); // one stop for the keyboard is enough
    for (const name of ["point", "left", "right"])
      this.listen(parts[name], i, name === "point" ? "point" : "turn");
    this.group.append(parts.node);
    return parts;
  }

  listen(node, i, what) {
    let grip = null; // from the pointer to the middle of what it holds
    const begin = ([px, py]) => {
      node.focus({ preventScroll: true });
      const { x, value } = this.handles[i];
      const [cx, cy] = this.chart.toPixel(x, value);
      grip = what === "point" ? [cx - px, cy - py, px] : [cx, cy, Math.sign(px - cx) || 1];
      this.acts.select(i);
    };
    const drag = (at, done) =>
      what === "point" ? this.slide(i, at, grip, done) : this.turn(i, at, grip, done);
    // A cancelled touch has no place: what it moved so far stays.
    const lost = () => this.acts.move(i, this.handles[i], true);
    listenDrag(node, placeOn(this.chart.node), { begin, drag, lost });
    node.addEventListener("focus", () => this.acts.select(i));
    node.addEventListener("keydown", (event) => this.press(event, i, what));
  }

  // Straight up and down keeps the input: a hand that wavers by a few pixels does not move it.
  slide(i, [px, py], grip, done) {
    grip.free ||= Math.abs(px - grip[2]) > 6;
    const [x, value] = this.chart.toPlane(px + grip[0], py + grip[1]);
    const handle = this.handles[i];
    this.acts.move(i, movedTo(handle, grip.free ? x : handle.x, value), done);
  }

  turn(i, [px, py], [cx, cy, side], done) {
    const dx = side * Math.max(side * (px - cx), 3);
    const [x0, y0] = this.chart.toPlane(cx, cy);
    const [x1, y1] = this.chart.toPlane(cx + dx, py);
    this.acts.move(i, turnedTo(this.handles[i], (y1 - y0) / (x1 - x0)), done);
  }

  press(event, i, what) {
    if (event.key === "Delete" || event.key === "Backspace") this.acts.remove(i);
    else if (event.key in ARROWS) {
      const [dx, dy] = ARROWS[event.key];
      const many = event.shiftKey ? 10 : 1;
      const [x0, x1, y0, y1] = this.chart.range;
      const unit = ((y1 - y0) / 100) * many;
      const handle = this.handles[i];
      const next =
        what === "point"
          ? movedTo(handle, handle.x + 0.01 * many * dx, handle.value + unit * dy)
          : turnedTo(handle, (handle.slope ?? 0) + (5 * unit * (dy || dx)) / (x1 - x0));
      this.acts.move(i, next, true);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  place(i, { x, value, slope }, selected) {
    const { node, point, left, right, arm } = this.nodes[i];
    const [cx, cy] = this.chart.toPixel(x, value);
    node.classList.toggle("selected", selected);
    set(point, spoken(`Point ${i + 1}`, value, `x ${short(x)}, value ${short(value)}`));
    point.setAttribute("transform", `translate(${cx.toFixed(1)} ${cy.toFixed(1)})`);
    const given = slope !== null && slope !== undefined;
    for (const part of [left, right, arm]) show(part, given);
    if (!given) return;
    const [ux, uy] = this.chart.toPixel(x + 1, value + slope);
    const length = Math.hypot(ux - cx, uy - cy) || 1;
    const reach = Math.min(Math.max(0.06 * this.chart.width, ARM[0]), ARM[1]);
    const [dx, dy] = [((ux - cx) / length) * reach, ((uy - cy) / length) * reach];
    set(arm, { x1: cx - dx, y1: cy - dy, x2: cx + dx, y2: cy + dy });
    left.setAttribute("transform", `translate(${(cx - dx).toFixed(1)} ${(cy - dy).toFixed(1)})`);
    right.setAttribute("transform", `translate(${(cx + dx).toFixed(1)} ${(cy + dy).toFixed(1)})`);
    set(right, spoken(`Slope of point ${i + 1}`, slope, `slope ${short(slope)}`));
  }
}

// What a handle says as a slider.
function spoken(label, now, text) {
  const range = { "aria-valuenow": now, "aria-valuemin": -MOST, "aria-valuemax": MOST };
  return { "aria-label": label, ...range, "aria-valuetext": text };
}
