// How a drawing looks while it is changed: points in their class's colour, labels as its shape.

import { css } from "./colour.js";
import { CLASSES, codeOf, isLabel, placeOf } from "../numbers/drawing.js";
import { dotRadius, haloed, trace } from "./marks.js";
import { clipTo } from "./region.js";

const FEW = 800; // points that have an outline

export function drawPoints(context, { points, sheet }, { view, box, theme }) {
  const few = points.length <= FEW;
  const r = Math.min(Math.max(1.5 * dotRadius(points.length, box), few ? 2.2 : 1.2), 4);
  clipTo(context, box);
  for (let code = -1; code < CLASSES; code++) {
    const own = points.filter((point) => codeOf(point) === code);
    if (!own.length) continue;
    context.beginPath();
    for (const point of own) {
      const [x, y] = view.toPixel(...placeOf(point, sheet), box);
      trace(context, isLabel(point) ? code : 0, x, y, isLabel(point) ? 2 * r : r);
    }
    context.fillStyle = code < 0 ? css(theme.line, 0.65) : css(theme.classes[code]);
    context.strokeStyle = code < 0 ? css(theme.halo, 0.8) : css(theme.outline, 0.75);
    context.lineWidth = 0.8;
    context.fill();
    if (few) context.stroke();
  }
}

// The circle of the tool around (x, y).
export function drawCursor(context, [x, y], { tool, radius, code }, theme) {
  const painting = tool === "brush";
  context.beginPath();
  context.arc(x, y, Math.max(radius, 3), 0, 6.2832);
  const style = painting && code >= 0 ? css(theme.classes[code]) : css(theme.text);
  haloed(context, theme, [3.5, 0.8], 1.5, style, tool === "eraser" ? [4, 3] : []);
}
