// The images of points: a single one, or some of them in the picture.

import { decodeAt } from "../numbers/codes.js";
import { latest } from "../numbers/memo.js";
import { classColour } from "./colour.js";
import { canvasOf } from "./dom.js";
import { eachVisible } from "./marks.js";
import { fillPath } from "./pen.js";

const SIDE = 18; // pixels of the page along the longer side of an image in the picture
const CELL = 54; // side in pixels of the squares with at most one image each
const FRAME = 1.6;

// A point's image as a canvas. images: bytes (count, height, width), 255 for ink, which gets the colour of
// the text.
export function imageOf(images, point, theme) {
  const [, height, width] = images.shape;
  const image = new ImageData(width, height);
  const size = height * width;
  for (let p = 0; p < size; p++) {
    const share = images[point * size + p] / 255;
    const colour = theme.background.map((c, i) => c + (theme.text[i] - c) * share);
    image.data.set([...colour, 255], 4 * p);
  }
  return canvasOf(image);
}

// Images at as many points as there is room for, framed in the colour of the class that a panel assigns to
// them. field: its values at the points.
export function drawThumbnails(context, points, { points: values, outputs }, { view, box, theme }) {
  const { images, count } = points;
  const [, height, width] = images.shape;
  const scale = SIDE / Math.max(width, height);
  const [w, h] = [width * scale, height * scale];
  const canvases = canvasesFor(images, theme);
  for (const [i, x, y] of spread(points, view, box)) {
    const { code } = decodeAt(values, i, count, outputs);
    context.beginPath();
    context.rect(x - w / 2 - FRAME, y - h / 2 - FRAME, w + 2 * FRAME, h + 2 * FRAME);
    fillPath(context, classColour(theme, code));
    context.imageSmoothingEnabled = false;
    if (!canvases.has(i)) canvases.set(i, imageOf(images, i, theme));
    context.drawImage(canvases.get(i), x - w / 2, y - h / 2, w, h);
  }
}

// Canvases of the points, by position.
const canvasesFor = latest(() => new Map());

// Points [i, x, y] in pixels: in each square of the picture the one nearest to its middle, without
// overlaps.
function spread(points, view, box) {
  const cells = new Map();
  eachVisible(points, view, box, -SIDE / 2, (x, y, i) => {
    const [a, b] = [Math.floor((x - box.x) / CELL), Math.floor((y - box.y) / CELL)];
    const distance = Math.hypot(x - box.x - (a + 0.5) * CELL, y - box.y - (b + 0.5) * CELL);
    const key = `${a},${b}`;
    if (!(cells.get(key)?.distance <= distance)) cells.set(key, { distance, point: [i, x, y] });
  });
  const chosen = [];
  for (const { point } of [...cells.values()].sort((a, b) => a.distance - b.distance)) {
    const [, u, v] = point;
    const apart = ([, x, y]) => Math.max(Math.abs(x - u), Math.abs(y - v)) > SIDE + 2 * FRAME + 3;
    if (chosen.every(apart)) chosen.push(point);
  }
  return chosen;
}
