// Where a field has data near it: the nodes that limit colour scales, and the fading elsewhere.

import contract from "../../../../contract.json";

const { cover: COVER } = contract.near;

// The places of a grid's nodes near the data, or null where that is all or none of them; made once.
export function insideOf(grid) {
  if (!grid?.near) return null;
  if (grid.inside === undefined) {
    const at = [];
    grid.near.data.forEach((size, p) => size === 255 && at.push(p));
    const some = at.length && at.length < grid.near.data.length;
    grid.inside = some ? Int32Array.from(at) : null;
  }
  return grid.inside;
}

const FAR = 128; // of 255: more than half of the way from the data to where nothing is known

// Whether a place of the plane is far from all data: its nearest node says so.
export function farAt(grid, x, y) {
  if (!grid?.near) return false;
  const node = ([low, high, n], v) =>
    Math.min(Math.max(Math.round(((v - low) / (high - low)) * (n - 1)), 0), n - 1);
  return grid.near.data[node(grid.y, y) * grid.x[2] + node(grid.x, x)] < FAR;
}

// A grid's values at those nodes, outputs (k) below each other; all of them for `inside` null.
export function within(field, k, inside) {
  if (!inside) return field;
  const n = field.length / k;
  const m = inside.length;
  const out = new field.constructor(k * m);
  for (let o = 0; o < k; o++)
    for (let i = 0; i < m; i++) out[o * m + i] = field[o * n + inside[i]];
  return out;
}

// Fades what is far from the data towards the colour of 0. Node i of the grid is the centre of
// pixel i, so that the picture of the nodes is larger than their extent by a pixel.
export function drawCover(context, grid, region, theme) {
  if (!insideOf(grid)) return;
  const { x, y, near } = grid;
  const [nx, ny] = [x[2], y[2]];
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [nx, ny];
  const pen = picture.getContext("2d");
  const image = pen.createImageData(nx, ny);
  const [r, g, b] = theme.middle.map(Math.round);
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const alpha = Math.round(COVER * (255 - near.data[j * nx + i]));
      image.data.set([r, g, b, alpha], 4 * ((ny - 1 - j) * nx + i));
    }
  }
  pen.putImageData(image, 0, 0);
  const [w, h] = [region.w / (nx - 1), region.h / (ny - 1)];
  context.imageSmoothingEnabled = true;
  context.drawImage(picture, region.x - w / 2, region.y - h / 2, nx * w, ny * h);
}
