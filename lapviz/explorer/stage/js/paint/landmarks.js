// Landmarks, the centres of the test functions: small hollow discs, to be told from dots and labels.

import { css } from "./colour.js";

const MANY = 600;

// xy: Float32Array of pairs, or null.
export function drawLandmarks(context, xy, view, box, theme) {
  if (!xy?.length) return;
  const count = xy.length / 2;
  const r = count > MANY ? 1.7 : box.w < 220 || count > 200 ? 2.4 : 3.2;
  const [x0, x1, y0, y1] = view.range;
  context.beginPath();
  for (let i = 0; i < count; i++) {
    const x = box.x + ((xy[2 * i] - x0) * box.w) / (x1 - x0);
    const y = box.y + ((y1 - xy[2 * i + 1]) * box.h) / (y1 - y0);
    if (x < box.x - r || y < box.y - r || x > box.x + box.w + r || y > box.y + box.h + r) continue;
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 6.2832);
  }
  context.save();
  context.fillStyle = css(theme.halo);
  context.fill();
  context.lineWidth = r > 2 ? 1.2 : 0.9;
  context.strokeStyle = css(theme.line);
  context.stroke();
  context.restore();
}
