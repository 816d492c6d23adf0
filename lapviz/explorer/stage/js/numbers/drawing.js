// Drawings: points on a sheet of cells, as lapviz/datasets/drawings.py has them.

import contract from "../../../../contract.json";
import { nearWay } from "./near.js";

const RULES = contract.drawing;
export const MOST = RULES.most;
export const MOST_IN_LINK = RULES.most_in_link;
export const CLASSES = RULES.classes;
export const CELLS = 1 << RULES.bits;
export const SHEET = RULES.sheet;
const FAR = 2 ** 30; // steps that a sheet's corner may lie from the origin

// A drawing: {sheet: [x0, y0, dx, dy], points}, where a point is one number, of its group and its cell
// row by row. Groups: 0 without a class, else 2c + 1, and 2c + 2 where it was painted as a label.
// Drawings are not changed.
export function pointOf(column, row, group) {
  return (group * CELLS + row) * CELLS + column;
}

export const groupOf = (point) => Math.floor(point / (CELLS * CELLS));
export const groupFor = (code, labelled) => (code < 0 ? 0 : 2 * code + (labelled ? 2 : 1));
export const codeOf = (point) => Math.floor((groupOf(point) + 1) / 2) - 1;
export const isLabel = (point) => groupOf(point) > 0 && groupOf(point) % 2 === 0;

export function placeOf(point, [x0, y0, dx, dy]) {
  return [x0 + dx * (point % CELLS), y0 + dy * (Math.floor(point / CELLS) % CELLS)];
}

// The cell nearest to a place, on the sheet's edge for places beyond it.
export function cellAt(x, y, [x0, y0, dx, dy]) {
  const near = (value) => Math.min(Math.max(Math.round(value), 0), CELLS - 1);
  return [near((x - x0) / dx), near((y - y0) / dy)];
}

// A drawing as messages carry it: the sheet's four numbers, then the points; and as answers do.
export function toNumbers({ sheet, points }) {
  return [...sheet, ...points];
}

export function fromParts({ sheet, points }) {
  return { sheet, points: Array.from(points.data) };
}

// Do two drawings have the same points, in whatever order?
export function sameDrawing(a, b) {
  const sorted = ({ points }) => Float64Array.from(points).sort();
  return same(a.sheet, b.sheet) && same(sorted(a), sorted(b));
}

export function same(a, b) {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

// The sheet in 32-bit floats.
export function checkedSheet(sheet) {
  const [x0, y0, dx, dy] = sheet.map(Math.fround);
  const good = [dx, dy].every((step) => step >= 1e-30 && step <= 1e30);
  if (!good || !(Math.abs(x0) <= FAR * dx && Math.abs(y0) <= FAR * dy))
    throw new Error("The sheet of the drawing is empty or too far from the origin.");
  return [x0, y0, dx, dy];
}

// Are two scenes drawings on one sheet?
export function sameSheet(before, scene) {
  return Boolean(before?.drawing && scene.drawing) && same(before.drawing.sheet, scene.drawing.sheet);
}

// ---- what brush, eraser and hand do to the points: pure functions on pixels and cells -------------

// A source of random numbers in [0, 1), the same for the same seed (mulberry32).
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// Places in pixels that a brush leaves between a and b: `count` of them, each within `radius` of
// the way. A single point of a fine brush lies where the hand is.
export function spray([ax, ay], [bx, by], radius, count, random) {
  return Array.from({ length: count }, () => {
    const [along, far, turn] = [random(), radius * Math.sqrt(random()), 2 * Math.PI * random()];
    return [
      ax + along * (bx - ax) + far * Math.cos(turn),
      ay + along * (by - ay) + far * Math.sin(turn),
    ];
  });
}

// Points at places of the plane, those on the sheet, as far as there is room: [points, are any left out].
export function painted(points, places, sheet, code, labelled) {
  const [x0, y0, dx, dy] = sheet;
  const on = places.filter(([x, y]) => {
    const [column, row] = [(x - x0) / dx, (y - y0) / dy];
    return column > -0.5 && row > -0.5 && column < CELLS - 0.5 && row < CELLS - 0.5;
  });
  const room = Math.max(MOST - points.length, 0);
  const group = groupFor(code, labelled);
  const fresh = on.slice(0, room).map(([x, y]) => pointOf(...cellAt(x, y, sheet), group));
  return [[...points, ...fresh], on.length > room];
}

// Positions of the points whose places in pixels, from toPixel, lie within `radius` of the way from
// a to b.
export function touchedBy(points, sheet, toPixel, a, b, radius) {
  const far = nearWay(a, b);
  const found = [];
  points.forEach((point, i) => far(...toPixel(...placeOf(point, sheet))) <= radius && found.push(i));
  return found;
}

// The position of the point nearest to a place in pixels, within reach; as a list.
export function nearestTo(points, sheet, toPixel, place, reach) {
  const far = nearWay(place, place);
  let [best, at] = [reach, -1];
  points.forEach((point, i) => {
    const d = far(...toPixel(...placeOf(point, sheet)));
    if (d <= best) [best, at] = [d, i];
  });
  return at < 0 ? [] : [at];
}

export function without(points, positions) {
  const gone = new Set(positions);
  return points.filter((_, i) => !gone.has(i));
}

// The points at these positions moved by (dx, dy) in the plane; none leaves the sheet.
export function moved(points, positions, sheet, [dx, dy]) {
  const result = [...points];
  for (const i of positions) {
    const [x, y] = placeOf(points[i], sheet);
    result[i] = pointOf(...cellAt(x + dx, y + dy, sheet), groupOf(points[i]));
  }
  return result;
}

// A drawing of the points of a scene: at most `most` of them, evenly chosen, labelled ones first.
// `labels` {index, x, y, code} become labels; free ones become points.
export function pointsFrom({ xy, index, truth }, labels, sheet, most) {
  const byRow = new Map(labels.filter((l) => l.index >= 0).map((label) => [label.index, label.code]));
  const [first, rest] = [[], []];
  for (const { index: row, x, y, code } of labels)
    if (row < 0) first.push(pointOf(...cellAt(x, y, sheet), groupFor(code, true)));
  index.forEach((row, i) => {
    const cell = cellAt(xy[2 * i], xy[2 * i + 1], sheet);
    const given = byRow.get(row);
    if (given !== undefined) first.push(pointOf(...cell, groupFor(given, true)));
    else rest.push(pointOf(...cell, groupFor(truth?.[i] ?? -1, false)));
  });
  const room = Math.max(most - first.length, 0);
  const every = Math.max(rest.length / Math.max(room, 1), 1);
  const count = Math.min(room, rest.length);
  const thinned = Array.from({ length: count }, (_, i) => rest[Math.floor(i * every)]);
  return [...first.slice(0, most), ...thinned];
}

// The points as a table: x, y, class, labelled; in the order of the drawing's code.
export function asTable({ points, sheet }) {
  const rows = [...points].sort(inOrder).map((point) => {
    const code = codeOf(point);
    return [...placeOf(point, sheet), code < 0 ? "" : `class ${code + 1}`, isLabel(point) ? 1 : 0].join(",");
  });
  return `x,y,class,labelled\n${rows.map((row) => `${row}\n`).join("")}`;
}

// By group, then by the bits of row and column in turn, the highest first (Morton).
function inOrder(p, q) {
  const [[a, b], [c, d]] = [p, q].map((point) => [point % CELLS, Math.floor(point / CELLS) % CELLS]);
  const [across, up] = [a ^ c, b ^ d];
  const wider = up < across && up < (up ^ across); // is the highest bit that differs one of the column?
  return groupOf(p) - groupOf(q) || (wider ? a - c : b - d);
}
