// The visible part of the plane: zoom and pan, shared by all panels; and round tick values.

import contract from "../../../../contract.json";
import { same } from "./drawing.js";

const ZERO = contract.labels.zero;

// Zoom, and the rotation in space, survive reruns and remounts, by stage key and view_key.
export const savedViews = new Map();

export class View {
  static ZOOM = [0.5, 200]; // limits of the zoom
  static LEAST_SHARE = 0.6; // of the data that could be visible along either axis: together over a third

  constructor(name, base) {
    Object.assign(this, { name, base, zoom: 1, centre: middleOf(base) });
    const saved = savedViews.get(name);
    if (saved && same(saved.base, base)) Object.assign(this, saved);
    this.limit();
  }

  // In another plane the whole picture is in view again: the zoom was one of the old coordinates.
  rebase(base) {
    if (same(this.base, base)) return;
    this.base = base;
    this.reset();
  }

  // Half extents of the whole view.
  get half() {
    return [(this.base[1] - this.base[0]) / 2, (this.base[3] - this.base[2]) / 2];
  }

  get aspect() {
    return this.half[0] / this.half[1];
  }

  get zoomed() {
    const middle = middleOf(this.base);
    return this.zoom !== 1 || middle.some((m, axis) => m !== this.centre[axis]);
  }

  // Visible [x0, x1, y0, y1].
  get range() {
    const [hx, hy] = this.half.map((h) => h / this.zoom);
    const [x, y] = this.centre;
    return [x - hx, x + hx, y - hy, y + hy];
  }

  toPixel(x, y, box) {
    const [x0, x1, y0, y1] = this.range;
    return [box.x + ((x - x0) / (x1 - x0)) * box.w, box.y + ((y1 - y) / (y1 - y0)) * box.h];
  }

  toPlane(px, py, box) {
    const [x0, x1, y0, y1] = this.range;
    const [x, y] = [((px - box.x) / box.w) * (x1 - x0), ((py - box.y) / box.h) * (y1 - y0)];
    return this.snap(x0 + x, y1 - y);
  }

  // A place with coordinates that are tiny compared to the whole view set to 0.
  snap(...place) {
    return place.map((value, axis) => (Math.abs(value) < ZERO * 2 * this.half[axis] ? 0 : value));
  }

  // Zoom by a factor around the place (x, y).
  zoomAt(factor, x = this.centre[0], y = this.centre[1]) {
    const zoom = this.limitedZoom(this.zoom * factor);
    const ratio = this.zoom / zoom;
    this.lookAt(zoom, x + (this.centre[0] - x) * ratio, y + (this.centre[1] - y) * ratio);
  }

  limitedZoom(zoom) {
    const [farthest, closest] = this.constructor.ZOOM;
    return Math.min(Math.max(zoom, farthest), closest);
  }

  // Move as far as the limit allows; returns false if the limit was reached.
  pan(dx, dy) {
    this.centre = [this.centre[0] + dx, this.centre[1] + dy];
    const complete = this.limit();
    this.save();
    return complete;
  }

  // Keep the data in view; returns true if nothing had to change.
  limit() {
    const requested = this.centre;
    const middle = middleOf(this.base);
    this.centre = this.half.map(Math.abs).map((h, axis) => {
      const visible = h / this.zoom;
      const most = visible + h - 2 * this.constructor.LEAST_SHARE * Math.min(visible, h);
      return Math.min(Math.max(requested[axis], middle[axis] - most), middle[axis] + most);
    });
    return this.centre.every((c, axis) => c === requested[axis]);
  }

  // Set zoom and centre.
  lookAt(zoom, x, y) {
    this.zoom = this.limitedZoom(zoom);
    this.centre = [x, y];
    this.limit();
    this.save();
  }

  reset() {
    Object.assign(this, { centre: middleOf(this.base), zoom: 1 });
    this.save();
  }

  save() {
    savedViews.set(this.name, { ...this });
  }
}

function middleOf([x0, x1, y0, y1]) {
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}

const ENOUGH = 3; // ticks that make a scale readable

// About `count` round values within [lo, hi]; more, up to `most`, if fewer than three of them satisfy
// `shown`.
export function ticks(lo, hi, count, most = count, shown = () => true) {
  const rough = (hi - lo) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const multiple = [1, 2, 5, 10].find((m) => m * power >= rough) ?? 10;
  let chosen = roundValues(lo, hi, multiple * power);
  for (const m of [5, 2, 1, 0.5, 0.2, 0.1]) {
    if (chosen.values.filter(shown).length >= ENOUGH) break;
    if ((hi - lo) / (m * power) > most) break;
    if (m < multiple) chosen = roundValues(lo, hi, m * power);
  }
  return chosen;
}

function roundValues(lo, hi, step) {
  const out = [];
  for (let k = Math.ceil(lo / step); k * step <= hi + 1e-9 * step; k++) out.push(k * step);
  return { values: out, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), step };
}

// A number with as many digits as in links.
export function roundedForLink(value) {
  return Number(value.toPrecision(4));
}

// "1 label", "2 labels".
export function counted(n, word) {
  return `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
}

// A number as text, with a true minus sign.
export function short(value, digits = 3) {
  if (!Number.isFinite(value)) return "–";
  return numeral(value, digits, Math.max(digits - 2, 0)).replaceAll("-", "−");
}

// With that many digits, or as a power of ten with `decimals`.
export function numeral(value, digits, decimals) {
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-3 && size < 1e5)) return String(Number(value.toPrecision(digits)));
  return value.toExponential(decimals).replace(/\.?0+e/, "e").replace("e+", "e");
}
