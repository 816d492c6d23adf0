// Level lines: the levels, and d3's polygons as paths without their segments along the frame.

import contract from "../../../../contract.json";
import { contours } from "../../vendor/d3-contour.js";
import { decodeAt } from "../numbers/codes.js";
import { regionOf } from "./layers.js";

const maker = contours();

// Shares of the largest value below which the zero line is faint, or not drawn.
const { faint_below: FAINT, nothing_below: NOTHING, least_rest: LEAST } = contract.lines;
const HALF_WIDTH = 8; // segments to either side in a running mean
let flattened = new Float32Array(0);

// Lines of one signed field, each a list of places in d3's cell coordinates (node i at i + 1/2): thin ones on
// a scale that ends at `top`, and the zero line, faint where the field is small compared to `size`. `unbend`
// is the inverse of the colour map: levels are evenly spaced in colour.
export function signedLines(field, nx, ny, { top, size }, count, unbend) {
  maker.size([nx, ny]);
  const lines = { thin: [], zero: [], faint: [] };
  for (let i = 1; i <= count; i++) {
    const level = top * unbend(i / (count + 1));
    for (const signed of [level, -level]) addLevel(field, nx, ny, signed, () => () => lines.thin);
  }
  addZero(lines, field, nx, ny, size);
  return lines;
}

// Decision boundaries of K stacked fields: where the margin of one over the best other is zero.
export function boundaries(field, k, nx, ny, size) {
  maker.size([nx, ny]);
  const n = nx * ny;
  const [first, second, margin] = [0, 1, 2].map(() => new Float32Array(n)); // the two top values
  const winner = new Uint8Array(n);
  for (let p = 0; p < n; p++) {
    const { code, score, other } = decodeAt(field, p, n, k);
    [winner[p], first[p], second[p]] = [code, score, other];
  }
  const lines = { thin: [], zero: [], faint: [] };
  for (const c of new Set(winner)) {
    const row = field.subarray(c * n, (c + 1) * n);
    for (let p = 0; p < n; p++) margin[p] = row[p] - (winner[p] === c ? second[p] : first[p]);
    addZero(lines, margin, nx, ny, size);
  }
  return lines;
}

// Add the zero line, each segment by the size of the field along it.
function addZero({ zero, faint }, field, nx, ny, top) {
  const sizeAt = ([x, y]) => {
    const i = Math.min(Math.max(Math.floor(x - 0.5), 0), nx - 2);
    const at = Math.min(Math.max(Math.floor(y - 0.5), 0), ny - 2) * nx + i;
    const low = Math.max(Math.abs(field[at]), Math.abs(field[at + 1]));
    return Math.max(low, Math.abs(field[at + nx]), Math.abs(field[at + nx + 1]));
  };
  const choose = (ring) => {
    const sizes = smooth(ring.map((point) => Math.log(sizeAt(point) / top + 1e-300)));
    return (i) => (sizes[i] > Math.log(FAINT) ? zero : sizes[i] > Math.log(NOTHING) ? faint : null);
  };
  addLevel(flatten(field, FAINT * top), nx, ny, 0, choose);
}

// Running means, so that a line near a threshold does not break into dashes.
function smooth(values) {
  const sums = [0];
  for (const value of values) sums.push(sums.at(-1) + value);
  return values.map((_, i) => {
    const from = Math.max(i - HALF_WIDTH, 0);
    const to = Math.min(i + HALF_WIDTH + 1, values.length);
    return (sums[to] - sums[from]) / (to - from);
  });
}

// Put values below `small` on a log scale. Between neighbours that differ by orders of magnitude, linear
// interpolation would cross zero at the smaller one, and the zero line would become a staircase.
function flatten(field, small) {
  if (flattened.length !== field.length) flattened = new Float32Array(field.length);
  const lowest = Math.log(NOTHING / FAINT);
  for (let p = 0; p < field.length; p++) {
    const size = Math.abs(field[p]);
    if (size >= small) flattened[p] = field[p];
    else {
      const share = size > 0 ? Math.max(1 - Math.log(size / small) / lowest, LEAST) : LEAST;
      flattened[p] = field[p] < 0 ? -small * share : small * share;
    }
  }
  return flattened;
}

// Add the segments of a level: choose(ring) returns a function from the index of a segment to the lines that
// it belongs to, or null to leave it out. d3 closes every ring along the frame; those segments are no level lines.
function addLevel(field, nx, ny, level, choose) {
  for (const ring of maker.contour(field, level).coordinates.flat()) {
    const linesOf = choose(ring);
    let last = null; // those of the segment before
    let [x, y] = ring[0];
    let onFrame = x <= 0 || y <= 0 || x >= nx || y >= ny;
    for (let i = 1; i < ring.length; i++) {
      const [u, v] = ring[i];
      const endsOnFrame = u <= 0 || v <= 0 || u >= nx || v >= ny;
      const lines = onFrame && endsOnFrame ? null : linesOf(i);
      if (lines && lines !== last) lines.push([[x, y]]);
      lines?.at(-1).push([u, v]);
      last = lines;
      [x, y, onFrame] = [u, v, endsOnFrame];
    }
  }
}

// A function from d3's cell coordinates to pixels.
export function cellsToPixels(grid, view, box) {
  const { x, y, w, h } = regionOf(grid, view, box);
  const [sx, sy] = [w / (grid.x[2] - 1), -h / (grid.y[2] - 1)];
  return ([i, j]) => [x + sx * (i - 0.5), y + h + sy * (j - 0.5)];
}
