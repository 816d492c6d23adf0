// One canvas of a picture: the photograph, a segmentation over it, scribbles, the brush.

import { css } from "./colour.js";
import { element, fit, setText } from "./dom.js";
import { ERASER } from "../numbers/picture_strokes.js";

const LEVELS = 28; // of certainty in a byte, as picture_component.py writes them
const FAINTEST = 0.35; // of the overlay where the classes are equally likely

// The part of the picture that is seen: common to all canvases.
export class Frame {
  constructor(width, height) {
    Object.assign(this, { width, height });
    this.reset();
  }

  reset() {
    Object.assign(this, { zoom: 1, x: this.width / 2, y: this.height / 2 });
  }

  get whole() {
    return this.zoom === 1;
  }

  // Pixels of the screen for one of the picture.
  scale(box) {
    return (box.w / this.width) * this.zoom;
  }

  toScreen([x, y], box) {
    const s = this.scale(box);
    return [box.w / 2 + (x + 0.5 - this.x) * s, box.h / 2 + (y + 0.5 - this.y) * s];
  }

  toPicture([px, py], box) {
    const s = this.scale(box);
    return [this.x + (px - box.w / 2) / s - 0.5, this.y + (py - box.h / 2) / s - 0.5];
  }

  zoomAt(factor, [px, py], box) {
    const zoom = Math.min(Math.max(this.zoom * factor, 1), 40);
    const [x, y] = this.toPicture([px, py], box);
    this.zoom = zoom;
    const [u, v] = this.toPicture([px, py], box);
    this.x += x - u;
    this.y += y - v;
    this.limit();
  }

  pan(dx, dy, box) {
    const s = this.scale(box);
    this.x -= dx / s;
    this.y -= dy / s;
    this.limit();
  }

  limit() {
    const clamp = (value, size) => {
      const half = size / 2 / this.zoom;
      return Math.min(Math.max(value, half), size - half);
    };
    this.x = clamp(this.x, this.width);
    this.y = clamp(this.y, this.height);
  }
}

export class PictureView {
  constructor() {
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.scribbles = document.createElement("canvas");
    this.title = element("div.title");
    this.note = element("div.subtitle");
    this.head = element("div.head", {}, element("div.row", {}, this.title), this.note);
    this.node = element("div.panel", {}, this.head, element("div.photo", {}, this.canvas));
    this.overlay = null;
    this.box = { w: 1, h: 1 };
  }

  // The panel's classes: {title, note, step, shape, codes} with codes already unpacked.
  adopt(panel, alone) {
    setText(this.title, panel?.title ?? "");
    setText(this.note, panel?.note ?? "");
    this.head.hidden = alone;
    if (this.panel?.codes === panel?.codes) return;
    this.panel = panel;
    this.overlay = null;
  }

  // The overlay for these colours and this opacity, as a canvas of the panel's own size.
  painted({ theme, opacity, outline }) {
    const { panel } = this;
    if (!panel) return null;
    const key = [theme.id, opacity, outline].join();
    if (this.overlay?.key === key) return this.overlay.canvas;
    const [h, w] = panel.shape;
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: w, height: h });
    const image = new ImageData(w, h);
    const words = new Uint32Array(image.data.buffer);
    const colours = Uint32Array.from({ length: 9 * LEVELS }, (_, byte) => {
      const [r, g, b] = theme.classes[Math.floor(byte / LEVELS) % theme.classes.length];
      const sure = (byte % LEVELS) / (LEVELS - 1);
      const alpha = Math.round(255 * opacity * (FAINTEST + (1 - FAINTEST) * sure));
      return ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;
    });
    const { codes } = panel;
    for (let i = 0; i < codes.length; i++) words[i] = colours[codes[i]];
    if (outline) drawBoundary(words, codes, w, h);
    canvas.getContext("2d").putImageData(image, 0, 0);
    this.overlay = { key, canvas };
    return canvas;
  }

  draw(stage, width, height) {
    const { image, frame, theme } = stage;
    const ratio = window.devicePixelRatio || 1;
    this.box = { w: width, h: height };
    fit(this.canvas, width, height, ratio);
    const context = this.canvas.getContext("2d");
    const s = frame.scale(this.box);
    const [left, top] = frame.toScreen([-0.5, -0.5], this.box);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.imageSmoothingEnabled = s < 4;
    context.drawImage(image, left, top, frame.width * s, frame.height * s);
    const overlay = this.painted(stage);
    if (overlay) {
      const { step } = this.panel;
      context.imageSmoothingEnabled = step * s * ratio < 1.5;
      context.drawImage(overlay, left, top, overlay.width * step * s, overlay.height * step * s);
    }
    this.drawScribbles(context, stage, ratio, s);
    this.drawBrush(context, stage, s, theme);
  }

  // Scribbles on a canvas of their own: an eraser takes away from them alone.
  drawScribbles(context, stage, ratio, s) {
    const { w, h } = this.box;
    fit(this.scribbles, w, h, ratio);
    const ink = this.scribbles.getContext("2d");
    ink.setTransform(ratio, 0, 0, ratio, 0, 0);
    ink.globalCompositeOperation = "source-over";
    ink.clearRect(0, 0, w, h);
    for (const stroke of stage.shownStrokes) {
      const erases = stroke.code === ERASER;
      ink.globalCompositeOperation = erases ? "destination-out" : "source-over";
      const path = () => this.path(ink, stroke, stage.frame);
      const wide = Math.max(2 * stroke.radius * s, 1.5);
      Object.assign(ink, { lineCap: "round", lineJoin: "round" });
      if (!erases) {
        ink.strokeStyle = css(stage.theme.ring);
        ink.lineWidth = wide + 2;
        path();
      }
      ink.strokeStyle = css(erases ? [0, 0, 0] : stage.theme.classes[stroke.code]);
      ink.lineWidth = wide;
      path();
    }
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 0.85;
    context.drawImage(this.scribbles, 0, 0);
    context.restore();
  }

  path(ink, { points }, frame) {
    ink.beginPath();
    points.forEach((point, i) => {
      const [x, y] = frame.toScreen(point, this.box);
      if (i) ink.lineTo(x, y);
      else ink.moveTo(x, y);
    });
    if (points.length === 1) ink.lineTo(...frame.toScreen([points[0][0] + 0.01, points[0][1]], this.box));
    ink.stroke();
  }

  drawBrush(context, stage, s, theme) {
    if (!stage.cursor || stage.tool === "move") return;
    const [x, y] = stage.frame.toScreen(stage.cursor, this.box);
    const radius = Math.max(stage.radius * s, 3);
    for (const [width, colour] of [[4, theme.ring], [2, stage.brushColour]]) {
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.lineWidth = width;
      context.strokeStyle = css(colour);
      context.setLineDash(stage.tool === "eraser" && width === 2 ? [4, 3] : []);
      context.stroke();
    }
    context.setLineDash([]);
  }
}

// A light and a dark pixel on either side of where classes meet: seen on any picture.
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
