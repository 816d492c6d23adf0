// Level lines: which levels, and d3's polygons as paths without the frame they close along.

import { contours } from "../vendor/d3-contour.js";

const maker = contours();

// Lines of one signed field with values in [-top, top]: thin ones, and the zero line.
// `bend` is the colour map's: levels are evenly spaced in colour.
export function signedLines(field, nx, ny, top, count, unbend) {
  maker.size([nx, ny]);
  const thin = new Path2D();
  for (let i = 1; i <= count; i++) {
    const level = top * unbend(i / (count + 1));
    addLevel(thin, field, nx, ny, level);
    addLevel(thin, field, nx, ny, -level);
  }
  const zero = new Path2D();
  addLevel(zero, field, nx, ny, 0);
  return { thin, zero };
}

// Decision boundaries of K stacked fields: where each one's margin over the best other is zero.
export function boundaries(field, k, nx, ny) {
  maker.size([nx, ny]);
  const n = nx * ny;
  const first = new Float32Array(n);
  const second = new Float32Array(n);
  const winner = winners(field, k, n, first, second);
  const margin = new Float32Array(n);
  const zero = new Path2D();
  const seen = new Uint8Array(k);
  for (let p = 0; p < n; p++) seen[winner[p]] = 1;
  for (let c = 0; c < k; c++) {
    if (!seen[c]) continue;
    const row = field.subarray(c * n, (c + 1) * n);
    for (let p = 0; p < n; p++) margin[p] = row[p] - (winner[p] === c ? second[p] : first[p]);
    addLevel(zero, margin, nx, ny, 0);
  }
  return { thin: new Path2D(), zero };
}

// Index of the largest of K stacked fields; `first` and `second` receive the two top values.
export function winners(field, k, n, first, second) {
  const winner = new Uint8Array(n);
  first.set(field.subarray(0, n));
  second.fill(-Infinity);
  for (let c = 1; c < k; c++) {
    for (let p = 0, at = c * n; p < n; p++, at++) {
      const v = field[at];
      if (v > first[p]) {
        second[p] = first[p];
        first[p] = v;
        winner[p] = c;
      } else if (v > second[p]) second[p] = v;
    }
  }
  return winner;
}

function addLevel(path, field, nx, ny, level) {
  for (const polygon of maker.contour(field, level).coordinates) {
    for (const ring of polygon) addRing(path, ring, nx, ny);
  }
}

// d3 closes every ring along the frame; those pieces are no level lines.
function addRing(path, ring, nx, ny) {
  let pen = false;
  let [x, y] = ring[0];
  let framed = x <= 0 || y <= 0 || x >= nx || y >= ny;
  for (let i = 1; i < ring.length; i++) {
    const [u, v] = ring[i];
    const edge = u <= 0 || v <= 0 || u >= nx || v >= ny;
    if (framed && edge) pen = false;
    else {
      if (!pen) path.moveTo(x, y);
      path.lineTo(u, v);
      pen = true;
    }
    [x, y, framed] = [u, v, edge];
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
