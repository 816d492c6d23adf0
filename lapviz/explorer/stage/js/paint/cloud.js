// Points in space as discs, painted pixel by pixel from the back to the front. All panels share order and
// stamps, so that sixteen of them rotate smoothly.

import contract from "../../../../contract.json";
import { dotRadius } from "./marks.js";
import { addLines, strokeWithHalo } from "./pen.js";
import { css, packed } from "./colour.js";
import { canvasOf } from "./dom.js";

const DOTS = contract.dots;
const LAYERS = 16; // layers of depth, with marks of different size and fading
const SHIFTS = 4; // places of a mark's centre within a pixel, along either side
const FADED = 0.65; // share of the page's colour in a mark at the very back
const RIM = { light: 0.3, dark: 0.14 }; // share of the lines' colour at the edge of a mark
const LARGER = 1.2; // than a dot in the plane
const BUSY = 9e5; // painted pixels above which a picture that moves is painted coarsely

// Radius of a mark at medium depth, in pixels of the page.
export function markRadius(count, box) {
  return Math.min(Math.max(LARGER * dotRadius(count, box) * DOTS.enlarged, 2), 5);
}

// What all panels share: place, stamp and layer of every mark, from the back to the front.
export class Cloud {
  constructor() {
    this.stamps = new Map();
    this.name = "";
  }

  // Prepare for painting the panels with these options.
  prepare({ scene, view, box, ratio, theme, count, moving }) {
    const { space, points } = scene;
    const radius = markRadius(points.count, box);
    const work = points.count * count * (2 * radius * ratio + 1) ** 2;
    const scale = moving && work > BUSY ? Math.min(ratio, 1) : ratio;
    const name = [space.rotations, box.w, box.h, scale, theme.id, ...view.range].join();
    if (name === this.name && this.space === space) return;
    Object.assign(this, { name, space, scale, theme });
    this.width = Math.max(1, Math.round(box.w * scale));
    this.height = Math.max(1, Math.round(box.h * scale));
    const depths = Array.from({ length: LAYERS }, (_, layer) => (layer + 0.5) / LAYERS);
    this.discs = depths.map((depth) => this.stamp(radius * scale * space.scale(depth)));
    this.fades = depths.map((depth) => Math.round(256 * FADED * (1 - depth) ** 1.3));
    this.place(points, view);
  }

  // Place the stamps in the picture; marks that are not completely inside are left out.
  place({ xy, count }, view) {
    const [x0, x1, y0, y1] = view.range;
    const [sx, sy] = [this.width / (x1 - x0), this.height / (y1 - y0)];
    const { near, order } = this.space;
    this.corner = new Int32Array(count);
    this.layer = new Uint8Array(count);
    this.shift = new Uint8Array(count);
    this.item = new Uint32Array(count);
    let visible = 0;
    for (let k = 0; k < count; k++) {
      const i = order[k];
      const layer = Math.min(Math.max((near[i] * LAYERS) | 0, 0), LAYERS - 1);
      const { half } = this.discs[layer];
      const x = (xy[2 * i] - x0) * sx;
      const y = (y1 - xy[2 * i + 1]) * sy;
      const [left, top] = [Math.floor(x), Math.floor(y)];
      if (left < half || top < half || left + half >= this.width || top + half >= this.height)
        continue;
      this.item[visible] = i;
      this.layer[visible] = layer;
      this.shift[visible] = (((y - top) * SHIFTS) | 0) * SHIFTS + (((x - left) * SHIFTS) | 0);
      this.corner[visible++] = (top - half) * this.width + left - half;
    }
    this.visible = visible;
  }

  // A disc's pixels for every place of its centre within a pixel: offset, cover and rim, 0 to 256.
  stamp(radius) {
    const r = Math.round(4 * radius) / 4;
    const strength = 256 * (this.theme.dark ? RIM.dark : RIM.light);
    const name = [r, this.width, strength].join();
    const cached = this.stamps.get(name);
    if (cached) return cached;
    const half = Math.ceil(r + 1);
    const masks = [];
    for (let shift = 0; shift < SHIFTS * SHIFTS; shift++) {
      const u = half + ((shift % SHIFTS) + 0.5) / SHIFTS;
      const v = half + (Math.floor(shift / SHIFTS) + 0.5) / SHIFTS;
      const mask = [];
      for (let y = 0; y <= 2 * half; y++) {
        for (let x = 0; x <= 2 * half; x++) {
          const inside = r - Math.hypot(x + 0.5 - u, y + 0.5 - v);
          const cover = Math.round(256 * Math.min(Math.max(inside + 0.5, 0), 1));
          const rim = Math.round(strength * Math.min(Math.max(1.2 - inside, 0), 1));
          if (cover) mask.push(y * this.width + x, cover, rim);
        }
      }
      masks.push(Int32Array.from(mask));
    }
    const stamp = { half, masks };
    if (this.stamps.size > 200) this.stamps.clear();
    this.stamps.set(name, stamp);
    return stamp;
  }

  // The marks in the colours `words` (packed RGBA, one for each point; null: all in that of the text), as an
  // image for a panel.
  paint(words) {
    const { width, height, theme, visible } = this;
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    const { pixels } = this;
    pixels.fill(packed(theme.background));
    const neutral = packed(theme.text);
    const [pr, pg, pb] = theme.background;
    const [lr, lg, lb] = theme.line;
    for (let k = 0; k < visible; k++) {
      const layer = this.layer[k];
      const word = words ? words[this.item[k]] : neutral;
      const fade = this.fades[layer];
      const r = mix(word & 255, pr, fade);
      const g = mix((word >> 8) & 255, pg, fade);
      const b = mix((word >> 16) & 255, pb, fade);
      const mask = this.discs[layer].masks[this.shift[k]];
      const corner = this.corner[k];
      for (let m = 0; m < mask.length; m += 3) {
        const at = corner + mask[m];
        const cover = mask[m + 1];
        const rim = mask[m + 2];
        let [s, t, u] = [r, g, b];
        if (rim) {
          s = mix(r, lr, rim);
          t = mix(g, lg, rim);
          u = mix(b, lb, rim);
        }
        if (cover < 256) {
          const under = pixels[at];
          s = mix(under & 255, s, cover);
          t = mix((under >> 8) & 255, t, cover);
          u = mix((under >> 16) & 255, u, cover);
        }
        pixels[at] = 0xff000000 | (u << 16) | (t << 8) | s;
      }
    }
    return (this.sheet = canvasOf(this.image, this.sheet));
  }
}

function mix(a, b, share) {
  return (a + (((b - a) * share) >> 8)) | 0;
}

const NAME = 12; // pixels between the names of two axes

// The directions of the data's axes, in the lower left corner.
export function drawTriad(context, space, box, theme, names) {
  const small = box.w < 200;
  const length = small ? 13 : 24;
  const reach = length + (small ? 4 : 16);
  const [x, y] = [box.x + reach, box.y + box.h - reach];
  Object.assign(context, { font: `12px ${theme.font}`, textAlign: "left", textBaseline: "middle" });
  const [right, up, front] = space.matrix;
  const order = [0, 1, 2].sort((a, b) => front[a] - front[b]);
  const ends = [0, 1, 2].map((axis) => {
    const [u, v] = [right[axis] * length, -up[axis] * length];
    const size = Math.hypot(u, v);
    const away = 1 + 10 / Math.max(size, 9);
    return { u, v, size, x: x + away * u, y: y + away * v };
  });
  const isClear = (end) =>
    ends.every((other) => other.size <= end.size || Math.hypot(other.x - end.x, other.y - end.y) > NAME);
  const colour = (axis) => css(theme.text, 0.85 + 0.15 * front[axis]);
  for (const axis of order) {
    const { u, v } = ends[axis];
    context.beginPath();
    addLines(context, [[x, y], [x + u, y + v]]);
    context.lineCap = "round";
    strokeWithHalo(context, theme, [4, 0.8], 1.5, colour(axis));
  }
  for (const axis of order) { // names over all lines
    if (small || !isClear(ends[axis])) continue; // of two names at one place that of the longer axis
    const centred = ends[axis].x - context.measureText(names[axis]).width / 2;
    const left = centred < box.x ? x + 6 : centred; // a long name would be cut off at the left
    const place = [names[axis], left, ends[axis].y, box.x + box.w - left];
    Object.assign(context, { strokeStyle: css(theme.halo, 0.85), lineWidth: 3.5 });
    context.strokeText(...place);
    context.fillStyle = colour(axis);
    context.fillText(...place);
  }
}
