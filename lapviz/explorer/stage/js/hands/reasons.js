// Why a point has its class: which labels reach it in a panel's estimate, how much, and along what way.

import { drawChip, drawWay } from "../paint/marks.js";
import { RidgeModel } from "../numbers/ridge.js";

const MOST = 4; // labels that are shown
const LEAST = 0.02; // share below which none is

// The labels that count most at a drawn point, {label, share, there, way}: shares of the sizes of all
// counts, below 0 where a label speaks against its own class; places of the label and of the way to it.
// Empty where the browser knows no estimate.
export function reasonsAt({ point }, panel, { settings, scene }) {
  if (point < 0 || panel.noted || panel.frozen || panel.kind !== "classes") return [];
  const counts = panel.model?.countsAt(point, settings);
  const all = counts?.reduce((sum, count) => sum + Math.abs(count), 0);
  if (!(all > 0)) return [];
  return settings.labels
    .map((label, j) => ({ label, share: counts[j] / all }))
    .filter(({ share }) => Math.abs(share) >= LEAST)
    .sort((a, b) => Math.abs(b.share) - Math.abs(a.share))
    .slice(0, MOST)
    .map((one) => ({ ...one, ...placesOf(one.label, point, panel, scene.points) }));
}

// Kernel ridge knows distances alone, so its way is straight, as it is where the plane is a projection of
// the data; else it leads through the data, and is null where there is none but through gaps.
function placesOf(label, point, panel, { xy, ways, position }) {
  const place = (i) => [xy[2 * i], xy[2 * i + 1]];
  const at = position.get(label.index);
  const there = at === undefined ? [label.x, label.y] : place(at);
  if (!ways || panel.model instanceof RidgeModel) return { there, way: [place(point), there] };
  const along = ways.between(point, at ?? ways.nearest(...there));
  return { there, way: along && [...along.map(place), there] };
}

// In the note: a line, or none. Where an estimate has no shares the line says why.
export function words(why, { point }, panel, { labels }) {
  if (!why.length && point >= 0 && labels.length && !panel.frozen) return silence(panel);
  const each = why.map(({ label, share }) =>
    `${percent(share)} ${label.index < 0 ? "one in empty space" : `row ${label.index + 1}`}`);
  return each.length ? [`from labels: ${each.join(", ")}`] : [];
}

function silence({ kind, noted, panel, model }) {
  if (kind !== "classes" || noted || model) return [];
  if (!panel.depends.includes("lam")) return ["from labels: along the edges of the graph, not by shares"];
  return ["from labels: not a sum over them here, so there are no shares"];
}

function percent(share) {
  return `${share < 0 ? "−" : ""}${Math.round(100 * Math.abs(share))} %`;
}

// Below the labels: the ways, the widest at the bottom.
export function drawReasons(context, { view, box, theme }, why) {
  for (const { label, share, way } of why)
    if (way) drawWay(context, way.map(([x, y]) => view.toPixel(x, y, box)), label.code, share, theme);
}

// Above them: the shares.
export function drawShares(context, { view, box, theme }, why) {
  for (const { share, there } of why)
    drawChip(context, percent(share), ...view.toPixel(...there, box), box, theme);
}
