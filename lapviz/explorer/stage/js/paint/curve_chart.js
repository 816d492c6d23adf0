// An SVG chart: axes, lines and dots over a range, linear or logarithmic.

import { set, svg } from "./dom.js";
import { short, ticks } from "../numbers/view.js";

const BOTTOM = 34; // pixels below and above the frame
const TOP = 10;
const LETTER = 7.2; // pixels of a digit at 12 px

let charts = 0;

export class Chart {
  constructor(label) {
    const id = `frame-${(charts += 1)}`;
    this.frame = svg("rect");
    this.clipped = { "clip-path": `url(#${id})` }; // attributes of what must not leave the frame
    this.grid = svg("g", { class: "grid" });
    this.lines = svg("g", { class: "lines" });
    this.over = svg("g", { class: "over" });
    this.node = svg("svg", { class: "chart", role: "img", "aria-label": label });
    this.node.append(svg("clipPath", { id }, this.frame), this.grid, this.lines, this.over);
  }

  // range: [x0, x1, y0, y1]; log: which of the axes are logarithmic; whole: whether x is a number of
  // steps; top: pixels above the frame.
  layout(width, height, range, { log = [false, false], names = ["", ""], top = TOP, whole = false } = {}) {
    Object.assign(this, { width, height, names, whole });
    this.log = log;
    this.range = [0, 1, 2, 3].map((i) => (log[i >> 1] ? Math.log10(range[i]) : range[i]));
    const yTicks = this.axisTicks(1, height / 44);
    const longest = Math.max(2, ...yTicks.map(({ text }) => text.length));
    this.box = { x: 22 + LETTER * longest, y: top, w: 0, h: height - BOTTOM - top };
    this.box.w = Math.max(width - this.box.x - 12, 20);
    set(this.node, { width, height, viewBox: `0 0 ${width} ${height}` });
    const { x, y, w, h } = this.box;
    set(this.frame, { x, y, width: w, height: h });
    this.drawAxes(yTicks);
  }

  // Ticks of an axis: positions on its scale, with texts.
  axisTicks(axis, count) {
    const [lo, hi] = this.range.slice(2 * axis, 2 * axis + 2);
    if (!this.log[axis]) {
      const { values: all, digits: most } = ticks(lo, hi, count);
      const [values, digits] = this.whole && axis === 0 ? [all.filter(Number.isInteger), 0] : [all, most];
      return values.map((at) => ({ at, text: at.toFixed(digits).replace("-", "−") }));
    }
    const stride = Math.max(1, Math.ceil((hi - lo) / count));
    const decades = [];
    for (let k = Math.ceil(lo); k <= hi; k += stride) decades.push(k);
    if (decades.length > 1) return decades.map((at) => ({ at, text: short(10 ** at) }));
    return [lo, (lo + hi) / 2, hi].map((at) => ({ at, text: short(10 ** at, 2) }));
  }

  drawAxes(yTicks) {
    const { x, y, w, h } = this.box;
    const parts = [svg("rect", { x: x - 0.5, y: y - 0.5, width: w + 1, height: h + 1 })];
    for (const { at, text } of yTicks) {
      const py = this.place(1, at);
      if (py < y - 1 || py > y + h + 1) continue;
      parts.push(svg("line", { x1: x, x2: x + w, y1: py, y2: py }), label(text, x - 6, py + 4, "end"));
    }
    const room = x + w - LETTER * this.names[0].length - 8;
    for (const { at, text } of this.axisTicks(0, w / 76)) {
      const px = this.place(0, at);
      if (px < x - 1 || px + (LETTER * text.length) / 2 > room) continue;
      parts.push(svg("line", { x1: px, x2: px, y1: y + h, y2: y + h + 4 }));
      parts.push(label(text, px, y + h + 18, "middle"));
    }
    const side = label(this.names[1], 0, 0, "middle");
    set(side, { transform: `translate(12 ${y + h / 2}) rotate(-90)` });
    this.grid.replaceChildren(...parts, label(this.names[0], x + w, y + h + 18, "end"), side);
  }

  place(axis, scaled) {
    const [lo, hi] = this.range.slice(2 * axis, 2 * axis + 2);
    const t = (scaled - lo) / (hi - lo || 1);
    return axis ? this.box.y + (1 - t) * this.box.h : this.box.x + t * this.box.w;
  }

  toPixel(x, y) {
    return [x, y].map((v, axis) => this.place(axis, this.log[axis] ? Math.log10(v) : v));
  }

  toPlane(px, py) {
    const [x0, x1, y0, y1] = this.range;
    const { box } = this;
    const scaled = [x0 + ((px - box.x) / box.w) * (x1 - x0), y1 - ((py - box.y) / box.h) * (y1 - y0)];
    return scaled.map((v, axis) => (this.log[axis] ? 10 ** v : v));
  }

  // The path of a line, clamped far outside the frame, with gaps at values that are no numbers.
  path(xs, ys) {
    const { y, h } = this.box;
    let text = "";
    let pen = "M";
    for (let i = 0; i < xs.length; i++) {
      const [px, py] = this.toPixel(xs[i], ys[i]);
      if (!Number.isFinite(px) || Number.isNaN(py)) {
        pen = "M";
        continue;
      }
      const clamped = Math.min(Math.max(py, y - 2000), y + h + 2000);
      text += `${pen}${px.toFixed(1)} ${clamped.toFixed(1)}`;
      pen = "L";
    }
    return text;
  }

  // Dots as one path of round caps.
  dots(points) {
    return points
      .map(([x, y]) => this.toPixel(x, y))
      .filter(([, py]) => py >= this.box.y && py <= this.box.y + this.box.h)
      .map(([px, py]) => `M${px.toFixed(1)} ${py.toFixed(1)}h0`)
      .join("");
  }
}

export function label(text, x, y, anchor) {
  return svg("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor }, text);
}
