// Marks on the plane: class symbols, points, labels, and the cross-hair.

import contract from "../../../../contract.json";
import { decodeAt } from "../numbers/codes.js";
import { SHAPES, css, unpacked, STEPS } from "./colour.js";

const DOTS = contract.dots;
const MANY = 1500;

// Corner lists on the unit circle's scale; a circle has none.
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

function cross(turn) {
  const [w, r] = [0.42, 1.2];
  const corners = [
    [w, w],
    [w, r],
    [-w, r],
    [-w, w],
    [-r, w],
    [-r, -w],
    [-w, -w],
    [-w, -r],
    [w, -r],
    [w, -w],
    [r, -w],
    [r, w],
  ];
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  return corners.map(([x, y]) => [c * x - s * y, s * x + c * y]);
}

// Adds the shape of a class around (x, y) to the current path.
export function trace(context, code, x, y, r) {
  const corners = CORNERS[SHAPES[code % SHAPES.length]];
  if (!corners) {
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 2 * Math.PI);
    return;
  }
  corners.forEach(([u, v], i) => {
    if (i) context.lineTo(x + r * u, y + r * v);
    else context.moveTo(x + r * u, y + r * v);
  });
  context.closePath();
}

// The same shape as SVG path data around (8, 8), for buttons.
export function shapePath(code, r = 5) {
  const corners = CORNERS[SHAPES[code % SHAPES.length]];
  if (!corners) return `M${8 + r},8 A${r},${r} 0 1 1 ${8 - r},8 A${r},${r} 0 1 1 ${8 + r},8 Z`;
  return `M${corners.map(([u, v]) => `${(8 + r * u).toFixed(2)},${(8 + r * v).toFixed(2)}`).join(" L")} Z`;
}

export function dotRadius(count, box) {
  return Math.min(
    Math.max((0.06 * Math.min(box.w, box.h)) / Math.sqrt(Math.max(count, 9)), 0.9),
    2.6,
  );
}

// Data points as small neutral dots.
export function drawDots(context, points, view, box, theme) {
  const r = dotRadius(points.count, box);
  context.fillStyle = css(theme.line, points.count > DOTS.many ? DOTS.alpha_many : DOTS.alpha);
  context.beginPath();
  eachVisible(points, view, box, r, (x, y) => {
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 6.2832);
  });
  context.fill();
}

// Points coloured by colour words (Uint32Array): grouped by colour, one path for each. `quick`:
// many points are drawn as squares while the picture moves.
export function drawColoured(context, points, words, view, box, theme, quick) {
  const r = Math.min(Math.max(dotRadius(points.count, box) * DOTS.enlarged, 2.2), 5);
  const squares = quick && points.count > MANY;
  const groups = new Map();
  eachVisible(points, view, box, r, (x, y, i) => {
    const group = groups.get(words[i]);
    if (group) group.push(x, y);
    else groups.set(words[i], [x, y]);
  });
  context.lineWidth = 0.5;
  context.strokeStyle = css(theme.line, 0.35);
  for (const [word, places] of groups) {
    context.fillStyle = css(unpacked(word), 0.95);
    context.beginPath();
    for (let i = 0; i < places.length; i += 2) {
      const [x, y] = [places[i], places[i + 1]];
      if (squares) context.rect(x - 0.89 * r, y - 0.89 * r, 1.77 * r, 1.77 * r);
      else {
        context.moveTo(x + r, y);
        context.arc(x, y, r, 0, 6.2832);
      }
    }
    context.fill();
    if (points.count <= MANY) context.stroke();
  }
}

function eachVisible({ xy, count }, view, box, margin, visit) {
  const [x0, x1, y0, y1] = view.range;
  const sx = box.w / (x1 - x0);
  const sy = box.h / (y1 - y0);
  for (let i = 0; i < count; i++) {
    const x = box.x + (xy[2 * i] - x0) * sx;
    const y = box.y + (y1 - xy[2 * i + 1]) * sy;
    if (x < box.x - margin || y < box.y - margin) continue;
    if (x > box.x + box.w + margin || y > box.y + box.h + margin) continue;
    visit(x, y, i);
  }
}

// Colour words of points: signed values in 65 steps, so that paths stay few.
export function signedWords(values, top, colours, words) {
  for (let i = 0; i < words.length; i++) {
    const t = Math.round(Math.min(Math.max(values[i] / top, -1), 1) * 32) / 32;
    words[i] = colours[Math.round(STEPS * (1 + (t || 0)))];
  }
}

// Colour words of points by winning score, in 8 strengths.
export function winnerWords(values, k, top, shades, words) {
  const n = words.length;
  for (let i = 0; i < n; i++) {
    const { code, margin } = decodeAt(values, i, n, k);
    const t = Math.ceil(Math.min(margin / top, 1) * 8) / 8;
    words[i] = shades[code % shades.length][Math.round(STEPS * (t || 0))];
  }
}

// Rings around points by their positions: dark on a light halo, or the other way round.
export function drawErrors(context, { xy, count }, wrong, view, box, theme) {
  if (!wrong.length) return;
  const r = dotRadius(count, box) + DOTS.ring;
  context.beginPath();
  for (const i of wrong) {
    const [x, y] = view.toPixel(xy[2 * i], xy[2 * i + 1], box);
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 6.2832);
  }
  // Hundreds of rings would merge into a band.
  const few = wrong.length <= DOTS.few;
  context.lineWidth = 3.4;
  context.strokeStyle = css(theme.halo, 0.75);
  if (few) context.stroke();
  context.lineWidth = few ? 1.5 : 0.9;
  context.strokeStyle = css(theme.line, few ? 1 : 0.8);
  context.stroke();
}

// Labelled points: class colour, class shape, and an outline that is visible on any background.
export function drawLabels(context, labels, view, box, theme) {
  const r = box.w < 220 || labels.length > 40 ? 4.2 : 6;
  context.lineJoin = "round";
  for (const { x, y, code, others, clear = 1 } of labels) {
    const [px, py] = view.toPixel(x, y, box);
    if (px < box.x - r || px > box.x + box.w + r || py < box.y - r || py > box.y + box.h + r)
      continue;
    context.globalAlpha = clear;
    context.beginPath();
    trace(context, code, px, py, r);
    context.lineWidth = 0.75 * r;
    context.strokeStyle = css(theme.ring, 0.95);
    context.stroke();
    context.lineWidth = r > 5 ? 1.4 : 1;
    context.strokeStyle = css(theme.outline);
    context.fillStyle = css(theme.classes[code % theme.classes.length]);
    context.fill();
    context.stroke();
    if (others?.length) drawSlices(context, [code, ...others], px, py, r, theme);
  }
  context.globalAlpha = 1;
}

// Several candidate classes: a disc with a slice in the colour of each.
function drawSlices(context, codes, x, y, r, theme) {
  const [radius, turn] = [1.25 * r, (2 * Math.PI) / codes.length];
  codes.forEach((code, i) => {
    const start = -Math.PI / 2 + i * turn;
    context.beginPath();
    context.moveTo(x, y);
    context.arc(x, y, radius, start, start + turn);
    context.closePath();
    context.fillStyle = css(theme.classes[code % theme.classes.length]);
    context.fill();
    context.stroke();
  });
}

export function drawCross(context, x, y, box, theme) {
  context.strokeStyle = css(theme.line, 0.45);
  context.lineWidth = 1;
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(Math.round(x) + 0.5, box.y);
  context.lineTo(Math.round(x) + 0.5, box.y + box.h);
  context.moveTo(box.x, Math.round(y) + 0.5);
  context.lineTo(box.x + box.w, Math.round(y) + 0.5);
  context.stroke();
  context.setLineDash([]);
}

// A ring around the point that a click would label, or the keyboard's cursor.
export function drawRing(context, x, y, theme, strong) {
  context.beginPath();
  context.arc(x, y, strong ? 10 : 8.5, 0, 6.2832);
  context.lineWidth = strong ? 4.5 : 3.5;
  context.strokeStyle = css(theme.halo, 0.85);
  context.stroke();
  context.lineWidth = strong ? 2.2 : 1.4;
  context.strokeStyle = strong ? css(theme.primary) : css(theme.text, 0.85);
  context.stroke();
}

// A value beside the cross-hair, on a small plate.
export function drawChip(context, text, x, y, box, theme) {
  context.font = `${theme.type}px ${theme.font}`;
  const w = context.measureText(text).width + 10;
  const h = theme.type + 6;
  const left = Math.min(x + 8, box.x + box.w - w - 2);
  const top = Math.max(y - h - 7, box.y + 2);
  context.fillStyle = css(theme.background, 0.88);
  context.beginPath();
  context.roundRect(left, top, w, h, 4);
  context.fill();
  context.fillStyle = css(theme.text);
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(text, left + 5, top + h / 2 + 0.5);
}

// A hint while nothing is labelled.
export function drawInvitation(context, { box, theme }, free) {
  const text =
    box.w < 180 ? "click to label" : free ? "click anywhere to label" : "click a point to label it";
  context.font = `${theme.type + 1}px ${theme.font}`;
  const w = context.measureText(text).width + 24;
  const h = theme.type + 16;
  const [x, y] = [box.x + box.w / 2, box.y + box.h / 2];
  context.fillStyle = css(theme.background, 0.82);
  context.beginPath();
  context.roundRect(x - w / 2, y - h / 2, w, h, h / 2);
  context.fill();
  context.fillStyle = css(theme.text, 0.75);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y + 1);
}
