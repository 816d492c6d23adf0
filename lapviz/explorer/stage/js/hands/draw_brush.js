// What brush, eraser and hand do to the points of a drawing: pure functions on pixels and cells.

import { CELLS, MOST, cellAt, codeOf, groupFor, groupOf, placeOf, pointOf } from "../numbers/drawing.js";

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
export function touchedBy(points, sheet, toPixel, [ax, ay], [bx, by], radius) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy || 1;
  const found = [];
  points.forEach((point, i) => {
    const [u, v] = toPixel(...placeOf(point, sheet));
    const t = Math.min(Math.max(((u - ax) * dx + (v - ay) * dy) / length, 0), 1);
    if ((u - ax - t * dx) ** 2 + (v - ay - t * dy) ** 2 <= radius * radius) found.push(i);
  });
  return found;
}

// The position of the point nearest to a place in pixels, within reach; as a list.
export function nearestTo(points, sheet, toPixel, [x, y], reach) {
  let [best, at] = [reach * reach, -1];
  points.forEach((point, i) => {
    const [u, v] = toPixel(...placeOf(point, sheet));
    const d = (u - x) ** 2 + (v - y) ** 2;
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

// The points as a table: x, y, class, labelled.
export function asTable({ points, sheet }) {
  const rows = [...points].sort((a, b) => a - b).map((point) => {
    const code = codeOf(point);
    const labelled = groupFor(code, true) === groupOf(point) && code >= 0 ? 1 : 0;
    return [...placeOf(point, sheet), code < 0 ? "" : `class ${code + 1}`, labelled].join(",");
  });
  return `x,y,class,labelled\n${rows.map((row) => `${row}\n`).join("")}`;
}
