// Why a point has its class: the labels that contribute to a panel's estimate there, with their shares and
// the paths from the point to them.

import { drawChip, drawPath } from "../paint/marks.js";
import { nameOf } from "../numbers/labels.js";
import { RidgeModel } from "../numbers/ridge.js";

const MOST = 4; // labels that are shown
const LEAST = 0.02; // least share of a label that is shown

// The labels with the largest weights at a drawn point, {label, share, place, path}: weights over the sum of
// all their sizes, negative for a label that counts against its own class; places of the label and of the
// path to it. Empty if the browser has no estimate.
export function reasonsAt({ point }, panel, { settings, scene }) {
  const { hasNote, frozen, waiting, kind } = panel;
  if (point < 0 || hasNote || frozen || waiting || kind !== "classes") return [];
  const weights = panel.model?.labelWeights(point, settings);
  const total = weights?.reduce((sum, weight) => sum + Math.abs(weight), 0);
  if (!(total > 0)) return [];
  return settings.labels
    .map((label, j) => ({ label, share: weights[j] / total }))
    .filter(({ share }) => Math.abs(share) >= LEAST)
    .sort((a, b) => Math.abs(b.share) - Math.abs(a.share))
    .slice(0, MOST)
    .map((reason) => ({ ...reason, ...pathTo(reason.label, point, panel, scene.points) }));
}

// Kernel ridge depends on distances alone, so its path is straight; so are paths if the plane is a projection
// of the data. Else the path leads through the data, and is null if there is none without a gap.
function pathTo(label, point, panel, { xy, paths, position }) {
  const placeOf = (i) => [xy[2 * i], xy[2 * i + 1]];
  const i = position.get(label.index);
  const place = i === undefined ? [label.x, label.y] : placeOf(i);
  if (!paths || panel.model instanceof RidgeModel) return { place, path: [placeOf(point), place] };
  const points = paths.between(point, i ?? paths.nearest(...place));
  return { place, path: points && [...points.map(placeOf), place] };
}

// Lines for the note: one or none. If an estimate has no shares the line says why.
export function reasonLines(reasons, { point }, panel, { labels, scene }) {
  if (!reasons.length && point >= 0 && labels.length && !panel.frozen) return noSharesLines(panel);
  const parts = reasons.map(({ label, share }) =>
    `${percent(share)} ${label.index < 0 ? "one in empty space" : nameOf(label.index, scene.points)}`);
  return parts.length ? [`from labels: ${parts.join(", ")}`] : [];
}

function noSharesLines({ kind, hasNote, panel, model }) {
  if (kind !== "classes" || hasNote || model) return [];
  if (!panel.depends.includes("lam")) return ["from labels: along the edges of the graph, not by shares"];
  return ["from labels: the browser has no shares of this estimate"];
}

function percent(share) {
  return `${share < 0 ? "−" : ""}${Math.round(100 * Math.abs(share))} %`;
}

// Drawn below the labels: the paths, the widest at the bottom.
export function drawPaths(context, { view, box, theme }, reasons) {
  for (const { label, share, path } of reasons)
    if (path) drawPath(context, path.map(([x, y]) => view.toPixel(x, y, box)), label.code, share, theme);
}

// Drawn above them: the shares.
export function drawShares(context, { view, box, theme }, reasons) {
  for (const { share, place } of reasons)
    drawChip(context, percent(share), ...view.toPixel(...place, box), box, theme);
}
