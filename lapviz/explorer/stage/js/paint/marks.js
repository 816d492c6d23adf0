// Marks on the plane: class symbols, points, labels, and the cross-hair.

import contract from "../../../../contract.json";
import { decodeAt } from "../numbers/codes.js";
import { SHAPES, css, unpacked, STEPS } from "./colour.js";

const DOTS = contract.dots;
const MANY = 1500; // coloured points that are squares while they move, and have no outline
const CROWD = 600; // landmarks

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

// Adds a circle to the current path.
function disc(context, x, y, r) {
  context.moveTo(x + r, y);
  context.arc(x, y, r, 0, 2 * Math.PI);
}

// The current path, seen on anything: wide and clear in the page's colour, then narrow in its own.
export function haloed(context, theme, [wide, clear], width, style, dash = null) {
  context.lineWidth = wide;
  context.strokeStyle = css(theme.halo, clear);
  context.stroke();
  context.lineWidth = width;
  context.strokeStyle = style;
  if (dash) context.setLineDash(dash);
  context.stroke();
  if (dash) context.setLineDash([]);
}

// Adds the shape of a class around (x, y) to the current path.
export function trace(context, code, x, y, r) {
  const corners = CORNERS[SHAPES[code % SHAPES.length]];
  if (!corners) {
    disc(context, x, y, r);
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
  eachVisible(points, view, box, r, (x, y) => disc(context, x, y, r));
  context.fill();
}

// Landmarks, the centres of the test functions: small hollow discs, to be told from dots and labels.
// xy: Float32Array of pairs, or null.
export function drawLandmarks(context, xy, view, box, theme) {
  if (!xy?.length) return;
  const count = xy.length / 2;
  const r = count > CROWD ? 1.7 : box.w < 220 || count > 200 ? 2.4 : 3.2;
  context.beginPath();
  eachVisible({ xy, count }, view, box, r, (x, y) => disc(context, x, y, r));
  context.fillStyle = css(theme.halo);
  context.fill();
  context.lineWidth = r > 2 ? 1.2 : 0.9;
  context.strokeStyle = css(theme.line);
  context.stroke();
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
      else disc(context, x, y, r);
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
    disc(context, ...view.toPixel(xy[2 * i], xy[2 * i + 1], box), r);
  }
  if (wrong.length <= DOTS.few) haloed(context, theme, [3.4, 0.75], 1.5, css(theme.line));
  else {
    // Halos of hundreds of rings would merge into a band.
    context.lineWidth = 0.9;
    context.strokeStyle = css(theme.line, 0.8);
    context.stroke();
  }
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
  if (strong) haloed(context, theme, [4.5, 0.85], 2.2, css(theme.primary));
  else haloed(context, theme, [3.5, 0.85], 1.4, css(theme.text, 0.85));
}

// The point that would be labelled next: a question mark in a ring, on every panel.
export function drawNext(context, { marked, points }, view, box, theme) {
  const i = points.position.get(marked ?? -1) ?? -1;
  if (i < 0) return;
  const [x, y] = view.toPixel(points.xy[2 * i], points.xy[2 * i + 1], box);
  if (x < box.x || y < box.y || x > box.x + box.w || y > box.y + box.h) return;
  context.beginPath();
  context.arc(x, y, 9, 0, 6.2832);
  context.fillStyle = css(theme.background, 0.9);
  context.fill();
  haloed(context, theme, [4, 0.9], 2, css(theme.primary));
  context.font = `bold 13px ${theme.font}`;
  context.fillStyle = css(theme.text);
  centred(context, "?", x, y + 1);
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
  centred(context, text, x, y + 1);
}

function centred(context, text, x, y) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y);
}
