// The images that stand behind points: one alone, or some of them in the picture itself.

import { decodeAt } from "../numbers/codes.js";
import { classColour } from "./colour.js";
import { canvasOf } from "./dom.js";
import { inside } from "./marks.js";
import { filled } from "./pen.js";

const SIDE = 18; // pixels of the page along the longer side of an image in the picture
const CELL = 54; // pixels of the squares of which each has one image at most
const FRAME = 1.6;

// An image in crisp pixels as a canvas. images: bytes (count, height, width), 255 for ink, which is in the
// colour of the text.
export function imageOf(images, point, theme) {
  const [, height, width] = images.shape;
  const image = new ImageData(width, height);
  const size = height * width;
  for (let p = 0; p < size; p++) {
    const share = images.data[point * size + p] / 255;
    const colour = theme.background.map((c, i) => c + (theme.text[i] - c) * share);
    image.data.set([...colour, 255], 4 * p);
  }
  return canvasOf(image);
}

// Images at some points, as many as there is room for, framed in the colour of the class that a panel
// gives them. field: its values at the points.
export function drawThumbnails(context, points, { points: values, outputs }, { view, box, theme }) {
  const { images, count } = points;
  const [, height, width] = images.shape;
  const scale = SIDE / Math.max(width, height);
  const [w, h] = [width * scale, height * scale];
  if (kept.of !== images || kept.theme !== theme.id)
    kept = { of: images, theme: theme.id, canvases: new Map() };
  for (const [i, x, y] of spread(points, view, box)) {
    const { code } = decodeAt(values, i, count, outputs);
    context.beginPath();
    context.rect(x - w / 2 - FRAME, y - h / 2 - FRAME, w + 2 * FRAME, h + 2 * FRAME);
    filled(context, classColour(theme, code));
    context.imageSmoothingEnabled = false;
    if (!kept.canvases.has(i)) kept.canvases.set(i, imageOf(images, i, theme));
    context.drawImage(kept.canvases.get(i), x - w / 2, y - h / 2, w, h);
  }
}

let kept = {}; // canvases of the last points

// Points [i, x, y] in pixels, one in the middle of each square of the picture that has any, none of them
// on another.
function spread({ xy, count }, view, box) {
  const cells = new Map();
  for (let i = 0; i < count; i++) {
    const [x, y] = view.toPixel(xy[2 * i], xy[2 * i + 1], box);
    if (!inside(box, x, y, -SIDE / 2)) continue;
    const [a, b] = [Math.floor((x - box.x) / CELL), Math.floor((y - box.y) / CELL)];
    const off = Math.hypot(x - box.x - (a + 0.5) * CELL, y - box.y - (b + 0.5) * CELL);
    const key = `${a},${b}`;
    if (!(cells.get(key)?.off <= off)) cells.set(key, { off, at: [i, x, y] });
  }
  const chosen = [];
  for (const { at } of [...cells.values()].sort((one, other) => one.off - other.off)) {
    const free = ([, x, y]) => Math.max(Math.abs(x - at[1]), Math.abs(y - at[2])) > SIDE + 2 * FRAME + 3;
    if (chosen.every(free)) chosen.push(at);
  }
  return chosen;
}
