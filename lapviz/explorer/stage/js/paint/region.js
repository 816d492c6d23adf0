// Where the field was computed, and what is shown of the plane beyond.

import { css } from "./colour.js";

const STEP = 7; // pixels between the lines of the hatch

// The grid's extent in pixels, {x, y, w, h}.
export function regionOf(grid, view, box) {
  const [left, low] = view.toPixel(grid.x[0], grid.y[0], box);
  const [right, high] = view.toPixel(grid.x[1], grid.y[1], box);
  return { x: left, y: high, w: right - left, h: low - high };
}

export function clipTo(context, { x, y, w, h }) {
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
}

// A faint hatch over what lies beyond the region, and a thin border around it: nothing was computed
// there, which is not the same as 0.
export function drawBeyond(context, region, box, theme) {
  if (covers(region, box)) return;
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.w, box.h);
  context.rect(region.x, region.y, region.w, region.h);
  context.clip("evenodd");
  context.beginPath();
  for (let t = -box.h; t < box.w; t += STEP) {
    context.moveTo(box.x + t, box.y + box.h);
    context.lineTo(box.x + t + box.h, box.y);
  }
  context.lineWidth = 1;
  context.strokeStyle = css(theme.text, 0.13);
  context.stroke();
  context.restore();
  context.lineWidth = 1;
  context.strokeStyle = css(theme.text, 0.4);
  context.strokeRect(region.x, region.y, region.w, region.h);
}

// Up to half a pixel, which no eye misses.
function covers(region, box) {
  return (
    region.x <= box.x + 0.5 &&
    region.y <= box.y + 0.5 &&
    region.x + region.w >= box.x + box.w - 0.5 &&
    region.y + region.h >= box.y + box.h - 0.5
  );
}
