// Values at the pointer: a full note in the panel under it, short values in the others.

import { decodeAt } from "../numbers/codes.js";
import { drawChip, drawCross, drawRing } from "../paint/marks.js";
import { candidatesOf, findLabel, nameOf } from "../numbers/labels.js";
import { farAt } from "../numbers/near.js";
import { reasonLines } from "./reasons.js";
import { imageOf } from "../paint/thumbnails.js";
import { short } from "../numbers/view.js";

// The values at a place as text, short and `long`; null if there are none.
export function valueText(values, scene, kind = scene.kind) {
  if (!values) return null;
  const { classes } = scene;
  const [v] = values;
  const { code, next, margin } = decodeAt(values, 0, 1, values.length);
  if (values.length === 1) {
    if (kind !== "classes") return { text: short(v), long: `value ${short(v, 4)}` };
    if (margin === 0) return { text: "0 → tie", long: "score 0 → tie between classes" };
    const name = classes[code] ?? (code ? "+" : "−");
    return { text: `${short(v, 2)} → ${name}`, long: `score ${short(v, 3)} → ${name}` };
  }
  if (margin === 0) return { text: "tie", long: "tie between classes" };
  const name = classes[code] ?? String(code);
  const second = classes[next] ?? next;
  return { text: name, long: `${name}, score ${short(margin, 2)} above that of ${second}` };
}

// Lines of the note at a target {x, y, index, point}; reasons: see reasonsAt().
export function describe(target, panel, stage, reasons) {
  const { scene, labels } = stage;
  const lines = [placeText(target, stage)].filter(Boolean);
  const remarks = [];
  const value = valueText(panel.valuesAt(target, scene.points), scene, panel.kind);
  if (value) lines.push(panel.field?.constant ? `${value.long}, the same everywhere` : value.long);
  if (target.point < 0 && farAt(scene.grid, target.x, target.y)) lines.push("far from the data");
  if (target.point >= 0) {
    const truth = scene.points.truth?.[target.point] ?? -1;
    const trueClass = truth >= 0 ? `, true class ${scene.classes[truth] ?? truth}` : "";
    const { notes, index } = scene.points;
    lines.push(`${nameOf(index[target.point], scene.points)}${trueClass}`);
    remarks.push(...(notes?.[target.point]?.split("\n").slice(1) ?? []));
  }
  const at = findLabel(labels, target);
  if (at >= 0) {
    const names = candidatesOf(labels[at]).map((code) => scene.classes[code] ?? code);
    lines.push(`labelled ${names.join(" or ")}`);
  }
  return [...lines, ...reasonLines(reasons, target, panel, stage), ...remarks];
}

// Coordinates of a target; in space those of its point.
function placeText({ x, y, point }, { scene, view }) {
  if (scene.space) return point >= 0 ? scene.space.coordinates(point) : "";
  return view.snap(x, y).map((c) => short(c)).join(", ");
}

// Draw the shared cross-hair in one panel; `strong`: of the keyboard; `chip`: with the value in short.
export function drawHover(context, options, panel, target, { strong, chip }) {
  const { view, box, theme, scene } = options;
  const [x, y] = view.toPixel(target.x, target.y, box);
  if (!scene.space) drawCross(context, x, y, box, theme);
  if (target.snapped || strong) drawRing(context, x, y, theme, strong);
  const values = chip && panel.valuesAt(target, scene.points);
  const value = values && valueText(values, scene, panel.kind);
  if (value) drawChip(context, value.text, x, y, box, theme);
}

const LARGEST = 72; // pixels of the page along the longer side of an image

// The image of a point as a canvas, or null.
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

// Place the note inside the picture, diagonally beside the pointer (x, y), where it covers the fewest of the
// `uncovered` places; `image` is a canvas for it, or null.
export function placeTip(tip, lines, [x, y], size, image, uncovered) {
  const text = lines.flatMap((line, i) => (i ? [document.createElement("br"), line] : [line]));
  tip.replaceChildren(...(image ? [image] : []), ...text);
  tip.style.display = "block";
  const [w, h] = [tip.offsetWidth, tip.offsetHeight];
  const clamp = (position, room) => Math.max(2, Math.min(position, room - 2));
  const places = [y + 14, y - 14 - h].flatMap((top) =>
    [x + 14, x - 14 - w].map((left) => [clamp(left, size.width - w), clamp(top, size.height - h)]),
  );
  const covered = places.map(([left, top]) => {
    const covers = ([u, v]) => u > left && u < left + w && v > top && v < top + h;
    return uncovered.filter(covers).length + (covers([x, y]) ? Infinity : 0);
  });
  const [left, top] = places[covered.indexOf(Math.min(...covered))];
  tip.style.left = `${left}px`;
  tip.style.top = `${top}px`;
}
