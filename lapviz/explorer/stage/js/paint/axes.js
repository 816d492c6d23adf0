// The axes around a picture: frame, light ticks, and names that are never cut off.

import { css } from "./colour.js";
import { AXIS } from "../panels/layout.js";
import { ticks } from "../numbers/view.js";

// In widths of a letter: what a name along the vertical axis takes, the most beside the picture,
// and what a number needs to itself.
const [TURNED, MOST, LINE] = [1.25, 5.4, 1.5];

// Pixels that the vertical axis needs beside the picture.
export function axisRoom(context, view, box, theme, name) {
  const { type } = theme;
  context.font = `${type}px ${theme.font}`;
  const [, , y0, y1] = view.range;
  const { values, digits } = ticks(y0, y1, box.h / (5 * type), box.h / (LINE * type));
  const widths = values.map((value) => context.measureText(tick(value, digits)).width);
  const turned = turns(context, name) ? TURNED * type : 0;
  return Math.ceil(
    Math.min(Math.max(Math.max(0, ...widths) + 9, AXIS - turned / 2) + turned, MOST * type),
  );
}

// Does the vertical axis's name run along it, because it is too long for the corner?
function turns(context, name) {
  return context.measureText(name).width > AXIS - 8;
}

// Light ticks outside the frame, names at the axes' ends.
export function drawAxes(context, view, box, theme, names) {
  context.strokeStyle = css(theme.text, 0.22);
  context.lineWidth = 1;
  context.strokeRect(box.x - 0.5, box.y - 0.5, box.w + 1, box.h + 1);
  if (!names) return;
  context.font = `${theme.type}px ${theme.font}`;
  context.fillStyle = css(theme.text, 0.7);
  context.beginPath();
  drawAcross(context, view, box, names[0], theme.type);
  drawUp(context, view, box, names[1], theme.type);
  context.stroke();
  context.fillStyle = css(theme.text, 0.8);
  nameAxes(context, box, names);
}

function drawAcross(context, view, box, name, type) {
  const [x0, x1] = view.range;
  const place = (value) => view.toPixel(value, 0, box)[0];
  const end = box.x + box.w - Math.min(context.measureText(name).width, 0.6 * box.w) - 10;
  const clear = (value) => place(value) > box.x + 6 && place(value) < end;
  const { values, digits } = ticks(x0, x1, box.w / (4 * type), box.w / (3 * type), clear);
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const value of values) {
    const x = place(value);
    context.moveTo(x, box.y + box.h + 1);
    context.lineTo(x, box.y + box.h + 4);
    if (clear(value)) context.fillText(tick(value, digits), x, box.y + box.h + 6);
  }
}

function drawUp(context, view, box, name, type) {
  const [, , y0, y1] = view.range;
  const turned = turns(context, name);
  const place = (value) => view.toPixel(0, value, box)[1];
  const top = box.y + (turned ? 4 : type + 5);
  const clear = (value) => place(value) > top && place(value) < box.y + box.h - 4;
  const { values, digits } = ticks(y0, y1, box.h / (5 * type), box.h / (LINE * type), clear);
  context.textAlign = "right";
  context.textBaseline = "middle";
  const room = box.x - 8 - (turned ? TURNED * type : 0);
  for (const value of values) {
    const y = place(value);
    context.moveTo(box.x - 4, y);
    context.lineTo(box.x - 1, y);
    if (clear(value)) context.fillText(tick(value, digits), box.x - 6, y, room);
  }
}

// A name that is longer than its axis is squeezed into it.
function nameAxes(context, box, [across, up]) {
  context.textAlign = "right";
  context.textBaseline = "top";
  context.fillText(across, box.x + box.w, box.y + box.h + 6, 0.6 * box.w);
  if (!turns(context, up)) {
    context.fillText(up, box.x - 6, box.y);
    return;
  }
  context.save();
  context.translate(2, box.y);
  context.rotate(-Math.PI / 2);
  context.fillText(up, 0, 0, box.h);
  context.restore();
}

function tick(value, digits) {
  const text = Math.abs(value) >= 1e5 ? value.toExponential(0) : value.toFixed(digits);
  return (Number(text) === 0 ? (0).toFixed(digits) : text).replaceAll("-", "−");
}
