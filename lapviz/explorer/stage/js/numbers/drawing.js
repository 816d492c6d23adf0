// Drawings: points on a sheet of cells, as in lapviz/datasets/drawings.py.

import contract from "../../../../contract.json";
import { distanceToSegment } from "./near.js";

const RULES = contract.drawing;
export const MOST = RULES.most;
export const MOST_IN_LINK = RULES.most_in_link;
export const CLASSES = RULES.classes;
export const CELLS = 1 << RULES.bits;
export const SHEET = RULES.sheet;
const FARTHEST = 2 ** 30; // largest distance of a sheet's corner from the origin, in cells

// A drawing: {sheet: [x0, y0, dx, dy], points}, immutable. A point is one number, from its group and the row
// and column of its cell. Groups: 0 without a class, 2c + 1 for class c, 2c + 2 if painted as a label.
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

// The cell nearest to a place; on the sheet's edge for places outside it.
export function cellAt(x, y, [x0, y0, dx, dy]) {
  const clamp = (value) => Math.min(Math.max(Math.round(value), 0), CELLS - 1);
  return [clamp((x - x0) / dx), clamp((y - y0) / dy)];
}

// A drawing as sent in messages: the sheet's four numbers, then the points.
export function toNumbers({ sheet, points }) {
  return [...sheet, ...points];
}

// A drawing from an answer.
export function fromParts({ sheet, points }) {
  return { sheet, points: Array.from(points) };
}

// Do two drawings have the same points, in any order?
export function sameDrawing(a, b) {
  const sorted = ({ points }) => Float64Array.from(points).sort();
  return same(a.sheet, b.sheet) && same(sorted(a), sorted(b));
}

export function same(a, b) {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

// The sheet rounded to 32-bit floats; throws an Error if it is not usable.
export function checkedSheet(sheet) {
  const [x0, y0, dx, dy] = sheet.map(Math.fround);
  const valid = [dx, dy].every((step) => step >= 1e-30 && step <= 1e30);
  if (!valid || !(Math.abs(x0) <= FARTHEST * dx && Math.abs(y0) <= FARTHEST * dy))
    throw new Error("The sheet of the drawing is empty or too far from the origin.");
  return [x0, y0, dx, dy];
}

// Are two scenes drawings on one sheet?
export function sameSheet(previous, scene) {
  return Boolean(previous?.drawing && scene.drawing) && same(previous.drawing.sheet, scene.drawing.sheet);
}

// ---- brush, eraser, and moves of points: pure functions on pixels and cells -----------------------

// A seeded generator of random numbers in [0, 1) (mulberry32).
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// `count` random places in pixels, each within `radius` of the segment from a to b. With radius 0 they
// lie on it.
export function spray([ax, ay], [bx, by], radius, count, random) {
  return Array.from({ length: count }, () => {
    const [along, distance, angle] = [random(), radius * Math.sqrt(random()), 2 * Math.PI * random()];
    return [
      ax + along * (bx - ax) + distance * Math.cos(angle),
      ay + along * (by - ay) + distance * Math.sin(angle),
    ];
  });
}

// Add points at those places of the plane that are on the sheet, up to MOST points in all; returns the points
// and whether any were left out.
export function painted(points, places, sheet, code, labelled) {
  const [x0, y0, dx, dy] = sheet;
  const onSheet = places.filter(([x, y]) => {
    const [column, row] = [(x - x0) / dx, (y - y0) / dy];
    return column > -0.5 && row > -0.5 && column < CELLS - 0.5 && row < CELLS - 0.5;
  });
  const room = Math.max(MOST - points.length, 0);
  const group = groupFor(code, labelled);
  const added = onSheet.slice(0, room).map(([x, y]) => pointOf(...cellAt(x, y, sheet), group));
  return [[...points, ...added], onSheet.length > room];
}

// Positions of the points whose pixels, by toPixel, are within `radius` of the segment from a to b.
export function touchedBy(points, sheet, toPixel, a, b, radius) {
  const distance = distanceToSegment(a, b);
  const isTouched = (point) => distance(...toPixel(...placeOf(point, sheet))) <= radius;
  return points.flatMap((point, i) => (isTouched(point) ? [i] : []));
}

// The position of the point nearest to a place in pixels, as a list; empty if none is within reach.
export function nearestTo(points, sheet, toPixel, place, reach) {
  const distance = distanceToSegment(place, place);
  const distances = points.map((point) => distance(...toPixel(...placeOf(point, sheet))));
  const least = Math.min(...distances);
  return least <= reach ? [distances.lastIndexOf(least)] : [];
}

export function without(points, positions) {
  const removed = new Set(positions);
  return points.filter((_, i) => !removed.has(i));
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

// The points of a scene as points of a drawing: at most `most`, evenly chosen after the labelled ones.
// Points with a label in `labels` {index, x, y, code} are painted as labels; off-sample labels are added.
export function pointsFrom({ xy, index, truth }, labels, sheet, most) {
  const byRow = new Map(labels.filter((l) => l.index >= 0).map((label) => [label.index, label.code]));
  const [labelled, unlabelled] = [[], []];
  for (const { index: row, x, y, code } of labels)
    if (row < 0) labelled.push(pointOf(...cellAt(x, y, sheet), groupFor(code, true)));
  index.forEach((row, i) => {
    const cell = cellAt(xy[2 * i], xy[2 * i + 1], sheet);
    const code = byRow.get(row);
    if (code !== undefined) labelled.push(pointOf(...cell, groupFor(code, true)));
    else unlabelled.push(pointOf(...cell, groupFor(truth?.[i] ?? -1, false)));
  });
  const room = Math.max(most - labelled.length, 0);
  const stride = Math.max(unlabelled.length / Math.max(room, 1), 1);
  const count = Math.min(room, unlabelled.length);
  const thinned = Array.from({ length: count }, (_, i) => unlabelled[Math.floor(i * stride)]);
  return [...labelled.slice(0, most), ...thinned];
}

// The points as a CSV table with the columns x, y, class, labelled; in the order of the drawing's code.
export function asTable({ points, sheet }) {
  const rows = [...points].sort(mortonOrder).map((point) => {
    const code = codeOf(point);
    return [...placeOf(point, sheet), code < 0 ? "" : `class ${code + 1}`, isLabel(point) ? 1 : 0].join(",");
  });
  return `x,y,class,labelled\n${rows.map((row) => `${row}\n`).join("")}`;
}

// Order by group, then by the interleaved bits of row and column (Morton).
function mortonOrder(p, q) {
  const [[a, b], [c, d]] = [p, q].map((point) => [point % CELLS, Math.floor(point / CELLS) % CELLS]);
  const [across, up] = [a ^ c, b ^ d];
  const byColumn = up < across && up < (up ^ across); // is the highest bit that differs in the column?
  return groupOf(p) - groupOf(q) || (byColumn ? a - c : b - d);
}
