// Level lines: the levels, and d3's polygons as paths without their parts along the frame.

import contract from "../../../../contract.json";
import { contours } from "../../vendor/d3-contour.js";
import { decodeAt } from "../numbers/codes.js";

const maker = contours();

// Shares of the largest value below which the zero line is faint, or is not drawn.
const { faint_below: FAINT, nothing_below: NOTHING, least_rest: LEAST } = contract.lines;
const ALONG = 8; // pieces to either side that the size is averaged over
let flattened = new Float32Array(0);
const canvasPath = () => new Path2D();

// Lines of one signed field: thin ones on a scale that ends at `top`, and the zero line with its
// faint parts, beside values up to `size`. `unbend` is the colour map's inverse: levels are evenly
// spaced in colour.
export function signedLines(field, nx, ny, { top, size }, count, unbend, make = canvasPath) {
  maker.size([nx, ny]);
  const lines = { thin: make(), zero: make(), faint: make() };
  for (let i = 1; i <= count; i++) {
    const level = top * unbend(i / (count + 1));
    for (const side of [level, -level]) addLevel(field, nx, ny, side, () => () => lines.thin);
  }
  addZero(lines, field, nx, ny, size);
  return lines;
}

// Decision boundaries of K stacked fields: where each one's margin over the best other is zero.
export function boundaries(field, k, nx, ny, size, make = canvasPath) {
  maker.size([nx, ny]);
  const n = nx * ny;
  const [first, second, margin] = [0, 1, 2].map(() => new Float32Array(n)); // the two top values
  const winner = new Uint8Array(n);
  for (let p = 0; p < n; p++) {
    const { code, score, other } = decodeAt(field, p, n, k);
    [winner[p], first[p], second[p]] = [code, score, other];
  }
  const lines = { thin: make(), zero: make(), faint: make() };
  for (const c of new Set(winner)) {
    const row = field.subarray(c * n, (c + 1) * n);
    for (let p = 0; p < n; p++) margin[p] = row[p] - (winner[p] === c ? second[p] : first[p]);
    addZero(lines, margin, nx, ny, size);
  }
  return lines;
}

// The zero line, each piece by the size of the field along it.
function addZero({ zero, faint }, field, nx, ny, top) {
  const size = ([x, y]) => {
    const i = Math.min(Math.max(Math.floor(x - 0.5), 0), nx - 2);
    const at = Math.min(Math.max(Math.floor(y - 0.5), 0), ny - 2) * nx + i;
    const low = Math.max(Math.abs(field[at]), Math.abs(field[at + 1]));
    return Math.max(low, Math.abs(field[at + nx]), Math.abs(field[at + nx + 1]));
  };
  const choose = (ring) => {
    const sizes = smooth(ring.map((point) => Math.log(size(point) / top + 1e-300)));
    return (i) => (sizes[i] > Math.log(FAINT) ? zero : sizes[i] > Math.log(NOTHING) ? faint : null);
  };
  addLevel(flatten(field, FAINT * top), nx, ny, 0, choose);
}

// Running means, so that a line near a threshold does not fall into dashes.
function smooth(values) {
  const sums = [0];
  for (const value of values) sums.push(sums.at(-1) + value);
  return values.map((_, i) => {
    const from = Math.max(i - ALONG, 0);
    const to = Math.min(i + ALONG + 1, values.length);
    return (sums[to] - sums[from]) / (to - from);
  });
}

// Values below `small` on a log scale. Between neighbours that differ by orders of magnitude a
// straight line would cross zero at the smaller one, and the zero line would become a staircase.
function flatten(field, small) {
  if (flattened.length !== field.length) flattened = new Float32Array(field.length);
  const lowest = Math.log(NOTHING / FAINT);
  for (let p = 0; p < field.length; p++) {
    const size = Math.abs(field[p]);
    if (size >= small) flattened[p] = field[p];
    else {
      const rest = size > 0 ? Math.max(1 - Math.log(size / small) / lowest, LEAST) : LEAST;
      flattened[p] = field[p] < 0 ? -small * rest : small * rest;
    }
  }
  return flattened;
}

// Adds a level's pieces: choose(ring) gives a function of a piece's place in the ring, whose value is the
// piece's path; null leaves it out. d3 closes every ring along the frame; those pieces are no level lines.
function addLevel(field, nx, ny, level, choose) {
  for (const ring of maker.contour(field, level).coordinates.flat()) {
    const pathOf = choose(ring);
    let pen = null;
    let [x, y] = ring[0];
    let framed = x <= 0 || y <= 0 || x >= nx || y >= ny;
    for (let i = 1; i < ring.length; i++) {
      const [u, v] = ring[i];
      const edge = u <= 0 || v <= 0 || u >= nx || v >= ny;
      const path = framed && edge ? null : pathOf(i);
      if (path && path !== pen) path.moveTo(x, y);
      if (path) path.lineTo(u, v);
      pen = path;
      [x, y, framed] = [u, v, edge];
    }
  }
}

// Matrix from d3's cell coordinates (node i at i + 1/2) to pixels.
export function cellsToPixels(grid, view, box) {
  const [x0, x1, nx] = grid.x;
  const [y0, y1, ny] = grid.y;
  const [left, low] = view.toPixel(x0, y0, box);
  const [right, high] = view.toPixel(x1, y1, box);
  const sx = (right - left) / (nx - 1);
  const sy = (high - low) / (ny - 1);
  return new DOMMatrix([sx, 0, 0, sy, left - sx / 2, low - sy / 2]);
}
