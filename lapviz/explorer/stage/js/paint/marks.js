// Marks on the plane: class symbols, points, labels, and the cross-hair.

import contract from "../../../../contract.json";
import { decodeAt } from "../numbers/codes.js";
import { SHAPES, classColour, css, unpacked, STEPS } from "./colour.js";
import { addCircle, addLines, drawText } from "./pen.js";
import { fillAndStroke, fillPath, strokePath, strokeWithHalo } from "./pen.js";
import { SvgPath } from "./svg_pen.js";
import { CLASSES, codeOf, isLabel, placeOf } from "../numbers/drawing.js";

const DOTS = contract.dots;
const MANY = 1500; // coloured points that are squares while they move, and have no outline
const CROWD = 600; // landmarks
const CENTRED = { align: "center", baseline: "middle" };

// Corners of shapes of about unit radius; a circle has none.
const CORNERS = {
  square: polygon(4, Math.PI / 4, 1.18),
  triangle: polygon(3, -Math.PI / 2, 1.28),
  diamond: polygon(4, 0, 1.28),
  wedge: polygon(3, Math.PI / 2, 1.28),
  pentagon: polygon(5, -Math.PI / 2, 1.12),
  hexagon: polygon(6, 0, 1.12),
  star: Array.from({ length: 10 }, (_, i) =>
    spoke(-Math.PI / 2 + (i * Math.PI) / 5, i % 2 ? 0.55 : 1.32),
  ),
  plus: cross(0),
  cross: cross(Math.PI / 4),
};

function spoke(angle, radius) {
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

function polygon(n, start, radius) {
  return Array.from({ length: n }, (_, i) => spoke(start + (2 * Math.PI * i) / n, radius));
}

function cross(rotation) {
  const [w, r] = [0.42, 1.2];
  const corners = [[w, w], [w, r], [-w, r]].map(([x, y]) => [Math.atan2(y, x), Math.hypot(x, y)]);
  return [0, 1, 2, 3].flatMap((quarter) =>
    corners.map(([angle, radius]) => spoke(angle + rotation + (quarter * Math.PI) / 2, radius)),
  );
}

// Add the shape of a class around (x, y) to the current path: the next shape where the colours repeat.
export function addShape(context, code, x, y, r) {
  const corners = CORNERS[SHAPES[(code + Math.floor(code / SHAPES.length)) % SHAPES.length]];
  if (!corners) return addCircle(context, x, y, r);
  addLines(context, corners.map(([u, v]) => [x + r * u, y + r * v]));
  context.closePath();
}

// The same shape as SVG path data around (8, 8), for buttons.
export function shapePath(code, r = 5) {
  const path = new SvgPath();
  addShape(path, code, 8, 8, r);
  return path.data;
}

export function dotRadius(count, box) {
  const radius = (0.06 * Math.min(box.w, box.h)) / Math.sqrt(Math.max(count, 9));
  return Math.min(Math.max(radius, 0.9), 2.6);
}

// Data points as small neutral dots.
export function drawDots(context, points, view, box, theme) {
  const r = dotRadius(points.count, box);
  context.beginPath();
  eachVisible(points, view, box, r, (x, y) => addCircle(context, x, y, r));
  fillPath(context, css(theme.line, points.count > DOTS.many ? DOTS.alpha_many : DOTS.alpha));
}

// Landmarks, the centres of the test functions: small hollow discs, unlike dots and labels. xy: Float32Array
// of pairs, or null.
export function drawLandmarks(context, xy, view, box, theme) {
  if (!xy?.length) return;
  const count = xy.length / 2;
  const r = count > CROWD ? 1.7 : box.w < 220 || count > 200 ? 2.4 : 3.2;
  context.beginPath();
  eachVisible({ xy, count }, view, box, r, (x, y) => addCircle(context, x, y, r));
  fillAndStroke(context, css(theme.halo), css(theme.line), r > 2 ? 1.2 : 0.9);
}

// Rings around the drawn points whose values are known.
export function drawKnown(context, { known, points }, view, box, theme) {
  const drawn = known.map((row) => points.position.get(row)).filter((i) => i !== undefined);
  if (!drawn.length) return;
  const r = box.w < 220 || drawn.length > 200 ? 3.2 : 4.8;
  context.beginPath();
  const circle = (x, y) => addCircle(context, x, y, r);
  eachVisible({ xy: points.xy, count: drawn.length }, view, box, 0, circle, drawn);
  strokeWithHalo(context, theme, [3.5, 0.85], 1.6, css(theme.text));
}

// Points in the colours `words` (Uint32Array), one path per colour. `quick`: many points are drawn as
// squares while the picture moves.
export function drawColoured(context, points, words, view, box, theme, quick) {
  const r = Math.min(Math.max(dotRadius(points.count, box) * DOTS.enlarged, 2.2), 5);
  const squares = quick && points.count > MANY;
  const groups = new Map();
  eachVisible(points, view, box, r, (x, y, i) => {
    const group = groups.get(words[i]);
    if (group) group.push([x, y]);
    else groups.set(words[i], [[x, y]]);
  });
  for (const [word, places] of groups) {
    context.beginPath();
    for (const [x, y] of places) {
      if (squares) context.rect(x - 0.89 * r, y - 0.89 * r, 1.77 * r, 1.77 * r);
      else addCircle(context, x, y, r);
    }
    fillPath(context, css(unpacked(word), 0.95));
    if (points.count <= MANY) strokePath(context, css(theme.line, 0.35), 0.5);
  }
}

export function inside({ x, y, w, h }, px, py, margin = 0) {
  return px >= x - margin && py >= y - margin && px <= x + w + margin && py <= y + h + margin;
}

// Visit the points in the picture; order: positions of `count` points, else the first ones.
export function eachVisible({ xy, count }, view, box, margin, visit, order = null) {
  const [x0, x1, y0, y1] = view.range;
  const sx = box.w / (x1 - x0);
  const sy = box.h / (y1 - y0);
  for (let k = 0; k < count; k++) {
    const i = order ? order[k] : k;
    const x = box.x + (xy[2 * i] - x0) * sx;
    const y = box.y + (y1 - xy[2 * i + 1]) * sy;
    if (inside(box, x, y, margin)) visit(x, y, i);
  }
}

// Colour words of points: signed values in 65 steps, to keep the number of paths small.
export function signedWords(values, top, colours) {
  const words = new Uint32Array(values.length);
  for (let i = 0; i < words.length; i++) {
    const t = Math.round(Math.min(Math.max(values[i] / top, -1), 1) * 32) / 32;
    words[i] = colours[Math.round(STEPS * (1 + (t || 0)))];
  }
  return words;
}

// Colour words of points by class and margin, in 8 strengths.
export function winnerWords(values, k, top, shades) {
  const n = values.length / k;
  const words = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    const { code, margin } = decodeAt(values, i, n, k);
    const t = Math.ceil(Math.min(margin / top, 1) * 8) / 8;
    words[i] = shades[code % shades.length][Math.round(STEPS * (t || 0))];
  }
  return words;
}

// Small crosses on the points at these positions: dark on a light halo, or the other way round.
export function drawErrors(context, { xy, count }, wrong, view, box, theme) {
  if (!wrong.length) return;
  // The halos of hundreds would merge into a band.
  const few = wrong.length <= DOTS.few;
  const r = dotRadius(count, box) + (few ? DOTS.cross : DOTS.cross_many);
  context.beginPath();
  const addCross = (x, y) => {
    addLines(context, [[x - r, y - r], [x + r, y + r]]);
    addLines(context, [[x - r, y + r], [x + r, y - r]]);
  };
  eachVisible({ xy, count: wrong.length }, view, box, r, addCross, wrong);
  strokeWithHalo(context, theme, few ? [2.6, 0.7] : null, few ? 1.3 : 0.8, css(theme.line, few ? 0.95 : 0.6));
}

export function labelRadius(labels, box) {
  return box.w < 220 || labels.length > 40 ? 4.2 : 6;
}

// Labelled points: class colour, class shape, and an outline that is visible on any background.
export function drawLabels(context, labels, view, box, theme) {
  const r = labelRadius(labels, box);
  context.lineJoin = "round";
  for (const { x, y, code, others, opacity = 1 } of labels) {
    const [px, py] = view.toPixel(x, y, box);
    if (!inside(box, px, py, r)) continue;
    context.globalAlpha = opacity;
    context.beginPath();
    addShape(context, code, px, py, r);
    strokePath(context, css(theme.ring, 0.95), 0.75 * r);
    fillAndStroke(context, classColour(theme, code), css(theme.outline), r > 5 ? 1.4 : 1);
    if (others?.length) drawSlices(context, [code, ...others], px, py, r, theme);
  }
  context.globalAlpha = 1;
}

// Several candidate classes: a disc with a slice in the colour of each.
function drawSlices(context, codes, x, y, r, theme) {
  const [radius, angle] = [1.25 * r, (2 * Math.PI) / codes.length];
  codes.forEach((code, i) => {
    const start = -Math.PI / 2 + i * angle;
    context.beginPath();
    context.moveTo(x, y);
    context.arc(x, y, radius, start, start + angle);
    context.closePath();
    fillAndStroke(context, classColour(theme, code), css(theme.outline), r > 5 ? 1.4 : 1);
  });
}

export function drawCross(context, x, y, box, theme) {
  const [u, v] = [Math.round(x) + 0.5, Math.round(y) + 0.5];
  context.beginPath();
  addLines(context, [[u, box.y], [u, box.y + box.h]]);
  addLines(context, [[box.x, v], [box.x + box.w, v]]);
  strokeWithHalo(context, theme, null, 1, css(theme.line, 0.45), [3, 3]);
}

// A ring around the point that a click would label, or the keyboard's cursor.
export function drawRing(context, x, y, theme, strong) {
  context.beginPath();
  addCircle(context, x, y, strong ? 10 : 8.5);
  if (strong) strokeWithHalo(context, theme, [4.5, 0.85], 2.2, css(theme.primary));
  else strokeWithHalo(context, theme, [3.5, 0.85], 1.4, css(theme.text, 0.85));
}

// The point that would be labelled next: a question mark in a ring, on every panel.
export function drawNext(context, { marked, points }, view, box, theme) {
  const i = points.position.get(marked ?? -1) ?? -1;
  if (i < 0) return;
  const [x, y] = view.toPixel(points.xy[2 * i], points.xy[2 * i + 1], box);
  if (!inside(box, x, y)) return;
  context.beginPath();
  addCircle(context, x, y, 9);
  fillPath(context, css(theme.background, 0.9));
  strokeWithHalo(context, theme, [4, 0.9], 2, css(theme.primary));
  drawText(context, theme, "?", x, y + 1, { size: 13, bold: true, ...CENTRED });
}

// The path from a point to a label, with its share as width, dashed if the label counts against its own
// class. path: places in pixels.
export function drawPath(context, path, code, share, theme) {
  const width = 1 + 5 * Math.abs(share);
  context.save();
  Object.assign(context, { lineJoin: "round", lineCap: "round" });
  context.beginPath();
  addLines(context, path);
  strokePath(context, css(theme.ring, 0.85), width + 2.2);
  if (share < 0) context.setLineDash([2, 2 * width]);
  strokePath(context, classColour(theme, code), width);
  context.restore();
}

// A value beside the cross-hair, on a small plate.
export function drawChip(context, text, x, y, box, theme) {
  drawPlate(context, text, theme.type, [10, 6], theme, [0.88, 1], (w, h) => {
    return [Math.min(x + 8, box.x + box.w - w - 2), Math.max(y - h - 7, box.y + 2), 4];
  });
}

// A hint while nothing is labelled; `anywhere`: off-sample labels are possible.
export function drawInvitation(context, { box, theme }, anywhere) {
  const text =
    box.w < 180 ? "click to label" : anywhere ? "click anywhere to label" : "click a point to label it";
  drawPlate(context, text, theme.type + 1, [24, 15], theme, [0.82, 0.75], (w, h) => {
    return [box.x + (box.w - w) / 2, box.y + (box.h - h) / 2, h / 2];
  });
}

// Text of that size on a plate with room [beside, above] around it; place(w, h) returns its corner and the
// radius of its corners; opacities: of plate and text.
function drawPlate(context, text, size, [beside, above], theme, opacities, place) {
  context.font = `${size}px ${theme.font}`;
  const [w, h] = [context.measureText(text).width + beside, size + above];
  const [x, y, round] = place(w, h);
  context.beginPath();
  context.roundRect(x, y, w, h, round);
  fillPath(context, css(theme.background, opacities[0]));
  drawText(context, theme, text, x + w / 2, y + h / 2 + 0.5, { size, opacity: opacities[1], ...CENTRED });
}

// ---- a drawing while it is edited: points in the colour of their class, labels in its shape -------

const FEW = 800; // up to so many points have an outline

export function drawPoints(context, { points, sheet }, { view, box, theme }) {
  const few = points.length <= FEW;
  const r = Math.min(Math.max(1.5 * dotRadius(points.length, box), few ? 2.2 : 1.2), 4);
  for (let code = -1; code < CLASSES; code++) {
    const ofClass = points.filter((point) => codeOf(point) === code);
    if (!ofClass.length) continue;
    context.beginPath();
    for (const point of ofClass) {
      const [x, y] = view.toPixel(...placeOf(point, sheet), box);
      addShape(context, isLabel(point) ? code : 0, x, y, isLabel(point) ? 2 * r : r);
    }
    const line = code < 0 ? css(theme.halo, 0.8) : css(theme.outline, 0.75);
    if (few) fillAndStroke(context, classColour(theme, code), line, 0.8);
    else fillPath(context, classColour(theme, code));
  }
}

// The circle of a brush around (x, y), in the colour of the class that it paints, or of an eraser.
export function drawCursor(context, [x, y], { tool, radius, code = -1 }, theme) {
  context.beginPath();
  addCircle(context, x, y, Math.max(radius, 3));
  const style = tool === "brush" && code >= 0 ? classColour(theme, code) : css(theme.text);
  strokeWithHalo(context, theme, [3.5, 0.8], 1.5, style, tool === "eraser" ? [4, 3] : []);
}
