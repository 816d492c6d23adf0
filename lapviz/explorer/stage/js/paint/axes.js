// The axes around a picture: frame, light ticks, and names that are never cut off.

import { css } from "./colour.js";
import { drawText } from "./pen.js";
import { AXIS } from "../panels/layout.js";
import { ticks } from "../numbers/view.js";

// In letter heights: the room for a name along the vertical axis, the most room beside the picture, and the
// distance of numbers along the vertical axis.
const [ROTATED, MOST, LINE] = [1.25, 5.4, 1.5];

// Pixels that the vertical axis needs beside the picture.
export function axisRoom(context, view, box, theme, name) {
  const { type } = theme;
  context.font = `${type}px ${theme.font}`;
  const [, , y0, y1] = view.range;
  const { values, ...scale } = ticks(y0, y1, box.h / (5 * type), box.h / (LINE * type));
  const widths = values.map((value) => context.measureText(tick(value, scale)).width);
  const nameRoom = isRotated(context, name) ? ROTATED * type : 0;
  const width = Math.max(Math.max(0, ...widths) + 9, AXIS - nameRoom / 2) + nameRoom;
  return Math.ceil(Math.min(width, MOST * type));
}

// Does the vertical axis's name run along it, because it is too long for the corner?
function isRotated(context, name) {
  return context.measureText(name).width > AXIS - 8;
}

// Frame, light ticks outside it, and names at the ends of the axes.
export function drawAxes(context, view, box, theme, names) {
  Object.assign(context, { strokeStyle: css(theme.text, 0.22), lineWidth: 1 });
  context.strokeRect(box.x - 0.5, box.y - 0.5, box.w + 1, box.h + 1);
  if (!names) return;
  context.font = `${theme.type}px ${theme.font}`; // as names are measured
  context.beginPath();
  names.forEach((name, axis) => drawTicks(context, view, box, theme, axis, name));
  context.stroke();
  nameAxes(context, box, theme, names);
}

// axis: 0 for the horizontal one, 1 for the vertical one. Numbers leave room for the name.
function drawTicks(context, view, box, theme, axis, name) {
  const { type } = theme;
  const rotated = isRotated(context, name);
  const end = box.x + box.w - Math.min(context.measureText(name).width, 0.6 * box.w) - 10;
  const top = box.y + (rotated ? 4 : 1.7 * type);
  const [least, most] = axis ? [top, box.y + box.h - 4] : [box.x + 6, end];
  const [length, spacing, leastSpacing] = axis ? [box.h, 5, LINE] : [box.w, 4, 3];
  const [dx, dy] = axis ? [-1, 0] : [0, 1]; // away from the picture
  const room = axis ? box.x - 8 - (rotated ? ROTATED * type : 0) : undefined;
  const [align, baseline] = axis ? ["right", "middle"] : ["center", "top"];
  const style = { opacity: 0.7, align, baseline, room };
  const place = (value) => view.toPixel(value, value, box)[axis];
  const fits = (value) => place(value) > least && place(value) < most;
  const [lo, hi] = view.range.slice(2 * axis, 2 * axis + 2);
  const { values, ...scale } = ticks(lo, hi, length / (spacing * type), length / (leastSpacing * type), fits);
  for (const value of values) {
    const [x, y] = axis ? [box.x, place(value)] : [place(value), box.y + box.h];
    context.moveTo(x + dx, y + dy);
    context.lineTo(x + 4 * dx, y + 4 * dy);
    if (fits(value)) drawText(context, theme, tick(value, scale), x + 6 * dx, y + 6 * dy, style);
  }
}

// A name longer than its axis is condensed.
function nameAxes(context, box, theme, [across, up]) {
  const style = { opacity: 0.8, align: "right", baseline: "top" };
  drawText(context, theme, across, box.x + box.w, box.y + box.h + 6, { ...style, room: 0.6 * box.w });
  if (!isRotated(context, up)) return drawText(context, theme, up, box.x - 6, box.y, style);
  context.save();
  context.translate(2, box.y);
  context.rotate(-Math.PI / 2);
  drawText(context, theme, up, 0, 0, { ...style, room: box.h });
  context.restore();
}

// Long numbers are written as powers of ten, with the digits in which neighbours differ.
function tick(value, { digits, step }) {
  const power = Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  const after = Math.max(power - Math.floor(Math.log10(step) + 1e-9), 0);
  const text = power >= 5 ? value.toExponential(after).replace("e+", "e") : value.toFixed(digits);
  return (Number(text) === 0 ? (0).toFixed(digits) : text).replaceAll("-", "−");
}
