// What pointer and arrow keys aim at among points in space.

import { markRadius } from "../paint/cloud.js";

const BEHIND = 3; // how much further away a point at the very back counts

export function spaceTarget({ xy, index }, i) {
  return { x: xy[2 * i], y: xy[2 * i + 1], index: index[i], point: i, snapped: true };
}

// The point under (px, py): of those whose marks lie there the foremost, else the nearest within
// reach, where one further back counts as further away.
export function aimAt(px, py, { scene, view, box, labels }, reach) {
  const { space, points } = scene;
  const { near } = space;
  const labelled = new Set(labels.map((label) => label.index));
  const mark = markRadius(points.count, box);
  let best = Infinity;
  let found = -1;
  for (let i = 0; i < points.count; i++) {
    const [u, v] = view.toPixel(points.xy[2 * i], points.xy[2 * i + 1], box);
    const d = Math.hypot(u - px, v - py);
    const ease = labelled.has(points.index[i]) ? 2 : 1; // it is drawn larger
    if (d > reach) continue;
    const covers = d <= mark * space.scale(near[i]) * ease;
    const rank = covers ? -near[i] : (d * (1 + BEHIND * (1 - near[i]))) / ease;
    if (rank < best) [best, found] = [rank, i];
  }
  if (found >= 0) return spaceTarget(points, found);
  const [x, y] = view.toPlane(px, py, box);
  return { x, y, index: -1, point: -1, snapped: false };
}

// The next point from `from` in the direction (dx, dy) of the picture, near it in depth as well;
// from nowhere, the foremost are the near ones.
export function nextFrom(from, dx, dy, { space, points }) {
  const { near, radius } = space;
  const depth = from.point >= 0 ? near[from.point] : 1;
  let best = Infinity;
  let found = -1;
  for (let i = 0; i < points.count; i++) {
    const [x, y] = [points.xy[2 * i] - from.x, points.xy[2 * i + 1] - from.y];
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy - y * dx);
    if (ahead <= 1e-9 * radius || aside > ahead) continue;
    const way = ahead + 2 * aside + 2 * radius * Math.abs(near[i] - depth);
    if (way < best) [best, found] = [way, i];
  }
  return found < 0 ? null : spaceTarget(points, found);
}
