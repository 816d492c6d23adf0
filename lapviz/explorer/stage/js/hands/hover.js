// Values at the pointer: a full note in its panel, short values in the others.

import { decodeAt } from "../numbers/codes.js";
import { drawChip, drawCross, drawRing } from "../paint/marks.js";
import { candidatesOf, findLabel } from "../numbers/labels.js";
import { farAt } from "../numbers/near.js";
import { words } from "./reasons.js";
import { imageOf } from "../paint/thumbnails.js";
import { short, snapped } from "../numbers/view.js";

export function verdict(values, scene, kind = scene.kind) {
  if (!values) return null;
  const { classes } = scene;
  const [v] = values;
  const { code, next, margin } = decodeAt(values, 0, 1, values.length);
  if (values.length === 1) {
    if (kind !== "classes") return { text: short(v), long: `value ${short(v, 4)}` };
    const name = classes[code] ?? (code ? "+" : "−");
    return { text: `${short(v, 2)} → ${name}`, long: `score ${short(v, 3)} → ${name}` };
  }
  const name = classes[code] ?? String(code);
  return { text: name, long: `${name}, ahead of ${classes[next] ?? next} by ${short(margin, 2)}` };
}

// Lines of the note at a target {x, y, index, point}; `why`: of the labels that reach it.
export function describe(target, panel, stage, why) {
  const { scene, labels } = stage;
  const lines = [placeWords(target, scene)].filter(Boolean);
  const told = [];
  const seen = verdict(panel.valuesAt(target.x, target.y, target.point), scene, panel.kind);
  if (seen) lines.push(panel.field?.constant ? `${seen.long}, the same everywhere` : seen.long);
  if (target.point < 0 && farAt(scene.grid, target.x, target.y)) lines.push("far from the data");
  if (target.point >= 0) {
    const truth = scene.points.truth?.[target.point] ?? -1;
    const known = truth >= 0 ? `, true class ${scene.classes[truth] ?? truth}` : "";
    const { notes, index } = scene.points;
    // The point's name first: its row, counted from 1, where there are no others.
    const [name, ...more] = notes?.[target.point]?.split("\n") ?? [`row ${index[target.point] + 1}`];
    lines.push(`${name}${known}`);
    told.push(...more);
  }
  const at = findLabel(labels, target);
  if (at >= 0) {
    const names = candidatesOf(labels[at]).map((code) => scene.classes[code] ?? code);
    lines.push(`labelled ${names.join(" or ")}`);
  }
  return [...lines, ...words(why, target, panel, stage), ...told];
}

// Coordinates of a target; in space those of its point.
function placeWords(target, scene) {
  if (scene.space) return target.point >= 0 ? scene.space.words(target.point) : "";
  const [x0, x1, y0, y1] = scene.view;
  const place = [snapped(target.x, x1 - x0), snapped(target.y, y1 - y0)];
  return place.map((c) => short(c)).join(", ");
}

// Draws the shared cross-hair in one panel, with a chip unless the full note stands there.
export function drawHover(context, stage, panel, target, strong, chip) {
  const { view, box, theme, scene } = stage;
  const [x, y] = view.toPixel(target.x, target.y, box);
  if (!scene.space) drawCross(context, x, y, box, theme);
  if (target.snapped || strong) drawRing(context, x, y, theme, strong);
  const values = chip && panel.valuesAt(target.x, target.y, target.point);
  const seen = values && verdict(values, scene, panel.kind);
  if (seen) drawChip(context, seen.text, x, y, box, theme);
}

const LARGEST = 72; // pixels of the page along the longer side of an image

// The image that stands behind a point, as a canvas, or null.
export function portrait(images, point, theme) {
  if (!images || point < 0) return null;
  const [, height, width] = images.shape;
  const canvas = imageOf(images, point, theme);
  const scale = LARGEST / Math.max(width, height);
  canvas.className = "portrait";
  canvas.style.width = `${Math.round(width * scale)}px`;
  canvas.style.height = `${Math.round(height * scale)}px`;
  return canvas;
}

// Puts the note near the pointer (x, y) and inside the picture: beside it, where it covers least of what
// is to be left free; `picture` is a canvas for it, or null.
export function placeTip(tip, lines, [x, y], size, picture, free) {
  const text = lines.flatMap((line, i) => (i ? [document.createElement("br"), line] : [line]));
  tip.replaceChildren(...(picture ? [picture] : []), ...text);
  tip.style.display = "block";
  const [w, h] = [tip.offsetWidth, tip.offsetHeight];
  const into = (at, room) => Math.max(2, Math.min(at, room - 2));
  const places = [y + 14, y - 14 - h].flatMap((top) =>
    [x + 14, x - 14 - w].map((left) => [into(left, size.width - w), into(top, size.height - h)]),
  );
  const covered = places.map(([left, top]) => {
    const under = ([u, v]) => u > left && u < left + w && v > top && v < top + h;
    return free.filter(under).length + (under([x, y]) ? Infinity : 0);
  });
  const [left, top] = places[covered.indexOf(Math.min(...covered))];
  tip.style.left = `${left}px`;
  tip.style.top = `${top}px`;
}
