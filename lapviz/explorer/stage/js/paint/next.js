// The point that would be labelled next: a question mark in a ring, on every panel.

import { css } from "./colour.js";

export function drawNext(context, { marked, points }, view, box, theme) {
  const i = points.position.get(marked ?? -1) ?? -1;
  if (i < 0) return;
  const [x, y] = view.toPixel(points.xy[2 * i], points.xy[2 * i + 1], box);
  if (x < box.x || y < box.y || x > box.x + box.w || y > box.y + box.h) return;
  context.beginPath();
  context.arc(x, y, 9, 0, 6.2832);
  context.fillStyle = css(theme.background, 0.9);
  context.fill();
  context.lineWidth = 4;
  context.strokeStyle = css(theme.halo, 0.9);
  context.stroke();
  context.lineWidth = 2;
  context.strokeStyle = css(theme.primary);
  context.stroke();
  context.font = `bold 13px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = css(theme.text);
  context.fillText("?", x, y + 1);
}
