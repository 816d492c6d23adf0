// Strokes, fillings and words on a canvas, or on the pen of a picture that is saved.

import { css } from "./colour.js";

// Adds a circle to the current path.
export function disc(context, x, y, r) {
  context.moveTo(x + r, y);
  context.arc(x, y, r, 0, 2 * Math.PI);
}

// Adds corners that straight lines join.
export function lines(context, corners) {
  corners.forEach(([x, y], i) => context[i ? "lineTo" : "moveTo"](x, y));
}

// Draws the line of the current path, or of a path that is given.
export function stroked(context, style, width, ...path) {
  Object.assign(context, { strokeStyle: style, lineWidth: width });
  context.stroke(...path);
}

export function filled(context, style) {
  context.fillStyle = style;
  context.fill();
}

// Fills the current path, and draws its line.
export function inked(context, fill, line, width) {
  filled(context, fill);
  stroked(context, line, width);
}

// The current path, seen on anything: wide and clear in the page's colour, then narrow in its own.
export function haloed(context, theme, halo, width, style, dash = null) {
  if (halo) stroked(context, css(theme.halo, halo[1]), halo[0]);
  if (dash) context.setLineDash(dash);
  stroked(context, style, width);
  if (dash) context.setLineDash([]);
}

// Words at a place, in at most `room` pixels.
export function write(context, theme, words, x, y, look = {}) {
  const { size = theme.type, bold = false, clear = 1, align = "left", base = "alphabetic" } = look;
  Object.assign(context, { font: `${bold ? "bold " : ""}${size}px ${theme.font}`, textAlign: align });
  Object.assign(context, { textBaseline: base, fillStyle: css(theme.text, clear) });
  context.fillText(words, x, y, look.room);
}

export function clipTo(context, { x, y, w, h }) {
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
}

// Draws inside all of these rectangles.
export function clipped(context, boxes, draw) {
  context.save();
  for (const box of boxes) clipTo(context, box);
  draw();
  context.restore();
}
