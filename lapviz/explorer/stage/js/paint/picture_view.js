// One canvas of a picture: the photograph, a segmentation over it, scribbles, the brush.

import { css } from "./colour.js";
import { blank, canvasOf, element, setText } from "./dom.js";
import { drawCursor } from "./marks.js";
import { addLines, strokePath } from "./pen.js";
import { latest } from "../numbers/memo.js";
import { View } from "../numbers/view.js";

const LEVELS = 28; // levels of certainty in a byte, as in the explorer (pages/picture/view.py)
const FAINTEST = 0.35; // opacity of the overlay if the classes are equally likely

// Strokes of a brush are immutable records {code, radius, points}.
export const ERASER = -1;

// A stroke as sent in messages, [code, radius, x, y, x, y, ...], and back.
export function toRow({ code, radius, points }) {
  return [code, radius, ...points.flat()];
}

export function fromRow([code, radius, ...xy]) {
  const points = Array.from({ length: xy.length / 2 }, (_, i) => xy.slice(2 * i, 2 * i + 2));
  return { code, radius, points };
}

// The visible part of the picture, shared by all canvases: a view with y downwards that stays within the
// picture. Pixels are one unit wide, with their centres at integers.
export class Frame extends View {
  static ZOOM = [1, 40];
  static LEAST_SHARE = 1;

  constructor(name, width, height) {
    super(name, [-0.5, width - 0.5, height - 0.5, -0.5]);
    Object.assign(this, { width, height });
  }

  // Pixels of the screen per pixel of the picture.
  scale(box) {
    return (box.w / this.width) * this.zoom;
  }
}

export class PictureView {
  constructor() {
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.scribbles = document.createElement("canvas");
    this.title = element("div.title");
    this.note = element("div.subtitle");
    this.head = element("div.head", {}, this.title, this.note);
    this.node = element("div.panel", {}, this.head, element("div.photo", {}, this.canvas));
    this.overlay = latest(overlayOf);
    this.box = { x: 0, y: 0, w: 1, h: 1 };
  }

  // panel: {title, note, step, shape, codes} with decompressed codes of the classes.
  adopt(panel, alone) {
    setText(this.title, panel?.title ?? "");
    setText(this.note, panel?.note ?? "");
    this.head.hidden = alone;
    this.panel = panel;
  }

  draw(stage, width, height) {
    const { image, frame, theme } = stage;
    const ratio = window.devicePixelRatio || 1;
    this.box = { x: 0, y: 0, w: width, h: height };
    const context = blank(this.canvas, { width, height }, ratio);
    const s = frame.scale(this.box);
    const [left, top] = frame.toPixel(-0.5, -0.5, this.box);
    context.imageSmoothingEnabled = s < 4;
    context.drawImage(image, left, top, frame.width * s, frame.height * s);
    if (this.panel) {
      const { step } = this.panel;
      const overlay = this.overlay(this.panel, theme, stage.opacity, stage.outline);
      context.imageSmoothingEnabled = step * s * ratio < 1.5;
      context.drawImage(overlay, left, top, overlay.width * step * s, overlay.height * step * s);
    }
    this.drawScribbles(context, stage, ratio, s);
    if (!stage.cursor || stage.tool === "move") return;
    const { tool, code, radius } = stage;
    const at = frame.toPixel(...stage.cursor, this.box);
    drawCursor(context, at, { tool, code, radius: radius * s }, theme);
  }

  // Scribbles are drawn on their own canvas, since the eraser acts on them only.
  drawScribbles(context, stage, ratio, s) {
    const { w, h } = this.box;
    const ink = blank(this.scribbles, { width: w, height: h }, ratio);
    Object.assign(ink, { lineCap: "round", lineJoin: "round" });
    for (const { code, radius, points } of stage.strokes.concat(stage.drawing ?? [])) {
      const erases = code === ERASER;
      ink.globalCompositeOperation = erases ? "destination-out" : "source-over";
      const width = Math.max(2 * radius * s, 1.5);
      const [[x, y]] = points;
      const path = points.length > 1 ? points : [[x, y], [x + 0.01, y]];
      ink.beginPath();
      addLines(ink, path.map((point) => stage.frame.toPixel(...point, this.box)));
      // The eraser takes the ring, too, with its smoothed edge.
      strokePath(ink, css(erases ? [0, 0, 0] : stage.theme.ring), width + (erases ? 4 : 2));
      if (!erases) strokePath(ink, css(stage.theme.classes[code]), width);
    }
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 0.85;
    context.drawImage(this.scribbles, 0, 0);
    context.restore();
  }
}

// The classes of a panel in these colours with this opacity, as a canvas of the panel's size.
function overlayOf({ shape: [h, w], codes }, { classes }, opacity, outline) {
  const image = new ImageData(w, h);
  const words = new Uint32Array(image.data.buffer);
  const colours = Uint32Array.from({ length: 9 * LEVELS }, (_, byte) => {
    const [r, g, b] = classes[Math.floor(byte / LEVELS) % classes.length];
    const certainty = (byte % LEVELS) / (LEVELS - 1);
    const alpha = Math.round(255 * opacity * (FAINTEST + (1 - FAINTEST) * certainty));
    return ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;
  });
  for (let i = 0; i < codes.length; i++) words[i] = colours[codes[i]];
  if (outline) drawBoundary(words, codes, w, h);
  return canvasOf(image);
}

// A light and a dark pixel on either side of a boundary between classes, visible on any picture.
function drawBoundary(words, codes, w, h) {
  const code = (i) => (codes[i] / LEVELS) | 0;
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const i = y * w + x;
      const right = x + 1 < w && code(i) !== code(i + 1);
      const below = y + 1 < h && code(i) !== code(i + w);
      if (!right && !below) continue;
      words[i] = 0xffffffff;
      if (right) words[i + 1] = 0xff181410;
      if (below) words[i + w] = 0xff181410;
    }
  }
}
