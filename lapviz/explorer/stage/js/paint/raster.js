// Heat maps: from fields on the grid to pixels of the visible part of the plane.

import contract from "../../../../contract.json";
import { decodeAt } from "../numbers/codes.js";
import { STEPS } from "./colour.js";
import { canvasOf } from "./dom.js";

const SCALE = contract.scale;

// A raster reuses its image until the size changes.
export class Raster {
  // Paint the grid within `range` ([x0, x1, y0, y1]) at width x height; beyond the grid its edge is repeated.
  // scales: {top, colours} of one signed field, or {top, shades} of K scores.
  draw(field, k, grid, range, width, height, scales) {
    const [x0, x1, nx] = grid.x;
    const [y0, y1, ny] = grid.y;
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.words = new Uint32Array(this.image.data.buffer);
    }
    const { words } = this;
    const line = new Float32Array(k * nx);
    const [column, share] = [new Int32Array(width), new Float32Array(width)];
    for (let i = 0; i < width; i++) {
      const x = range[0] + ((i + 0.5) / width) * (range[1] - range[0]);
      const u = ((x - x0) / (x1 - x0)) * (nx - 1);
      column[i] = Math.min(Math.max(Math.floor(u), 0), nx - 2);
      share[i] = Math.min(Math.max(u - column[i], 0), 1);
    }
    const paintRow = k > 1 ? winnerRow : signedRow;
    for (let j = 0; j < height; j++) {
      const y = range[3] - ((j + 0.5) / height) * (range[3] - range[2]);
      const v = ((y - y0) / (y1 - y0)) * (ny - 1);
      const r = Math.min(Math.max(Math.floor(v), 0), ny - 2);
      const t = Math.min(Math.max(v - r, 0), 1);
      for (let c = 0; c < k; c++) {
        const low = (c * ny + r) * nx;
        for (let i = 0; i < nx; i++) {
          const a = field[low + i];
          line[c * nx + i] = a + (field[low + nx + i] - a) * t;
        }
      }
      paintRow(words.subarray(j * width, (j + 1) * width), line, column, share, nx, k, scales);
    }
    return (this.canvas = canvasOf(this.image, this.canvas));
  }
}

// Colours of the pixels of a row; pixels without a number are transparent.
function signedRow(target, line, column, share, nx, k, { top, colours }) {
  const scale = STEPS / top;
  const most = 2 * STEPS;
  for (let i = 0; i < target.length; i++) {
    const at = column[i];
    const a = line[at];
    const value = (a + (line[at + 1] - a) * share[i]) * scale + STEPS + 0.5;
    // A comparison with NaN is false.
    target[i] = value >= 0 ? colours[value > most ? most : value | 0] : value < 0 ? colours[0] : 0;
  }
}

function winnerRow(target, line, column, share, nx, k, { top, shades }) {
  const scores = new Float64Array(k); // at one pixel
  const scale = STEPS / top;
  for (let i = 0; i < target.length; i++) {
    for (let c = 0, p = column[i]; c < k; c++, p += nx) {
      scores[c] = line[p] + (line[p + 1] - line[p]) * share[i];
    }
    const { code, score, margin } = decodeAt(scores, 0, 1, k);
    const shade = margin * scale;
    const known = score > -Infinity;
    target[i] = known ? shades[code % shades.length][shade > STEPS ? STEPS : shade | 0] : 0;
  }
}

// The end of a panel's colour scale, `size`, by the rule of lapviz/figures/fields.py; 0 if there are no
// values. `inside`: the positions in the field that count, null for all. `constant`: is it a function that is
// constant at all positions?
export function scaleOf(field, k, kind, inside = null) {
  const top = topOf(field, k, inside);
  const flat = (nodes) => kind === "functions" && k === 1 && spread(field, nodes) < SCALE.flat_below * top;
  if (!flat(inside)) return { size: top, constant: false };
  return { size: SCALE.flat_room * top, constant: !inside || flat(null) };
}

// Largest minus smallest value at the nodes; null: at all.
function spread(values, nodes) {
  let [lo, hi] = [Infinity, -Infinity];
  const count = nodes?.length ?? values.length;
  for (let i = 0; i < count; i++) {
    const v = values[nodes ? nodes[i] : i];
    if (v < lo && v > -Infinity) lo = v;
    if (v > hi && v < Infinity) hi = v;
  }
  return hi - lo;
}

// Largest |value| of one signed field, or the largest margin of K scores, at the nodes; null: at all.
function topOf(field, k, nodes) {
  let top = 0;
  const n = field.length / k;
  const count = nodes?.length ?? n;
  for (let i = 0; i < count; i++) {
    const { margin } = decodeAt(field, nodes ? nodes[i] : i, n, k);
    if (margin > top && margin < Infinity) top = margin;
  }
  return top;
}

// Set the ends of the panels' scales from the values shown; `same`: one scale for all.
export function settleScales(panels, same) {
  const drawn = panels.filter((panel) => panel.field);
  // A panel of another kind (scores) has its own scale.
  const comparable = drawn.filter((panel) => !panel.panel?.kind || panel.panel.kind === drawn[0].kind);
  const most = Math.max(0, ...comparable.map((panel) => panel.field.size));
  for (const panel of drawn) {
    const { field } = panel;
    const top = (same && comparable.includes(panel) ? most : field.size) || 1;
    if (field.top !== top) Object.assign(field, { top, lines: null }); // levels are shares of the scale
  }
}
