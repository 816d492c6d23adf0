// Strokes, fills and text on a canvas, or on the pen of a saved picture.

import { css } from "./colour.js";

// Add a circle to the current path.
export function addCircle(context, x, y, r) {
  context.moveTo(x + r, y);
  context.arc(x, y, r, 0, 2 * Math.PI);
}

// Add a polygonal line to the current path.
export function addLines(context, corners) {
  corners.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
}

// Stroke the current path.
export function strokePath(context, style, width) {
  Object.assign(context, { strokeStyle: style, lineWidth: width });
  context.stroke();
}

export function fillPath(context, style) {
  context.fillStyle = style;
  context.fill();
}

// Fill the current path, and stroke it.
export function fillAndStroke(context, fill, line, width) {
  fillPath(context, fill);
  strokePath(context, line, width);
}

// Stroke the current path so that it is visible on anything: wide in the page's colour, then narrow in its
// style. halo: [width, opacity], or null.
export function strokeWithHalo(context, theme, halo, width, style, dash = null) {
  if (halo) strokePath(context, css(theme.halo, halo[1]), halo[0]);
  if (dash) context.setLineDash(dash);
  strokePath(context, style, width);
  if (dash) context.setLineDash([]);
}

// Text at a place, in at most `room` pixels.
export function drawText(context, theme, text, x, y, style = {}) {
  const { size = theme.type, bold = false, opacity = 1, align = "left", baseline = "alphabetic" } = style;
  Object.assign(context, { font: `${bold ? "bold " : ""}${size}px ${theme.font}`, textAlign: align });
  Object.assign(context, { textBaseline: baseline, fillStyle: css(theme.text, opacity) });
  context.fillText(text, x, y, style.room);
}

// Draw inside all of these rectangles.
export function withClip(context, boxes, draw) {
  context.save();
  for (const { x, y, w, h } of boxes) {
    context.beginPath();
    context.rect(x, y, w, h);
    context.clip();
  }
  draw();
  context.restore();
}
