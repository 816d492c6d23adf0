// Images that stand behind points, drawn in crisp pixels: ink in the colour of the text.

const LARGEST = 72; // pixels of the page along the longer side

// Bytes [count, height, width], 255 for ink, of a decoded static part; null where there are none.
export function imagesOf(raw) {
  if (!raw) return null;
  const [count, height, width] = raw.shape;
  return { count, height, width, data: raw.data };
}

// RGBA pixels of the image of one point on the page's colours.
export function inked(images, point, theme) {
  const { height, width, data } = images;
  const size = height * width;
  const rgba = new Uint8ClampedArray(4 * size);
  for (let p = 0; p < size; p++) {
    const share = data[point * size + p] / 255;
    for (let c = 0; c < 3; c++)
      rgba[4 * p + c] = theme.background[c] + (theme.text[c] - theme.background[c]) * share;
    rgba[4 * p + 3] = 255;
  }
  return rgba;
}

// The image of a point as a canvas, or null. One canvas is used again and again.
export class Pictures {
  draw(images, point, theme) {
    if (!images || point < 0) return null;
    const { height, width } = images;
    this.canvas ??= document.createElement("canvas");
    const { canvas } = this;
    canvas.className = "portrait";
    const scale = LARGEST / Math.max(width, height);
    Object.assign(canvas, { width, height });
    canvas.style.width = `${Math.round(width * scale)}px`;
    canvas.style.height = `${Math.round(height * scale)}px`;
    const pixels = new ImageData(inked(images, point, theme), width, height);
    canvas.getContext("2d").putImageData(pixels, 0, 0);
    return canvas;
  }
}
