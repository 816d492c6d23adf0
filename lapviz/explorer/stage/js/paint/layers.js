// Layers that all panels share and that do not change with λ, drawn once: the points, and the fading far
// from them.

import contract from "../../../../contract.json";
import { css } from "./colour.js";
import { blank, canvasOf } from "./dom.js";
import { withClip, strokePath } from "./pen.js";
import { insideOf } from "../numbers/near.js";

const { cover: COVER } = contract.near;

export class Layer {
  canvas = document.createElement("canvas");

  // The canvas, of a panel's size, redrawn by put(context) if its content, size, zoom or theme changed.
  show(content, { theme, view, size, box, ratio }, put) {
    const key = [theme.id, size.width, size.height, box.x, box.w, box.h, ratio, ...view.range].join();
    if (this.key !== key || this.content !== content) put(blank(this.canvas, size, ratio));
    Object.assign(this, { key, content });
    return this.canvas;
  }
}

// Fade the field far from the data towards the colour of 0. Node i of the grid is the centre of pixel i,
// so the image of the nodes is one pixel larger than their extent.
export function drawCover(context, { scene: { grid }, view, box, theme }) {
  if (!insideOf(grid)) return;
  const region = regionOf(grid, view, box);
  const { x, y, near } = grid;
  const [nx, ny] = [x[2], y[2]];
  const image = new ImageData(nx, ny);
  const [r, g, b] = theme.middle.map(Math.round);
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const alpha = Math.round(COVER * (255 - near[j * nx + i]));
      image.data.set([r, g, b, alpha], 4 * ((ny - 1 - j) * nx + i));
    }
  }
  const [w, h] = [region.w / (nx - 1), region.h / (ny - 1)];
  withClip(context, [box, region], () => {
    context.imageSmoothingEnabled = true;
    context.drawImage(canvasOf(image), region.x - w / 2, region.y - h / 2, nx * w, ny * h);
  });
}

// ---- the region of the field, and the plane beyond it ----------------------------------------------

const STEP = 7; // pixels between the lines of the hatch

// The grid's extent in pixels, {x, y, w, h}.
export function regionOf(grid, view, box) {
  const [left, low] = view.toPixel(grid.x[0], grid.y[0], box);
  const [right, high] = view.toPixel(grid.x[1], grid.y[1], box);
  return { x: left, y: high, w: right - left, h: low - high };
}

// A faint hatch beyond the region, and a thin border around it: nothing was computed there, which is not
// the same as 0.
export function drawBeyond(context, region, box, theme) {
  // Not for less than half a pixel, which is invisible.
  const ends = ({ x, y, w, h }) => [-x, -y, x + w, y + h];
  if (ends(region).every((end, i) => end >= ends(box)[i] - 0.5)) return;
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
  strokePath(context, css(theme.text, 0.13), 1);
  context.restore();
  Object.assign(context, { strokeStyle: css(theme.text, 0.4), lineWidth: 1 });
  context.strokeRect(region.x, region.y, region.w, region.h);
}
