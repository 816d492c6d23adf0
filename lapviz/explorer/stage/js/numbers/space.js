// Points in space: how they are turned, where they fall on the picture, and which lie in front.

import { View, kept, short } from "./view.js";

const START = { azimuth: -0.44, elevation: 0.35 }; // radians: the first and the third axis lie flat
const STEEPEST = Math.PI / 2;
const EYE = 5; // distance of the eye in radii of the data: a slight perspective
const ROOM = 1.1; // half of the picture in radii, of which 1.02 are the outline of a ball
const DIMMEST = 0.35; // opacity of a label at the very back
const BUCKETS = 2048; // of depths

// The turned axes as rows: to the right, upwards, towards the eye. The third axis of the data
// stands upright; without any turn the first points to the right and the second away.
export function turnMatrix({ azimuth, elevation }) {
  const [c, s] = [Math.cos(azimuth), Math.sin(azimuth)];
  const [e, f] = [Math.cos(elevation), Math.sin(elevation)];
  return [
    [c, -s, 0],
    [s * f, c * f, e],
    [-s * e, -c * e, f],
  ];
}

// The middle of the box around points xyz (flat, three each), and the greatest distance from it.
export function ballAround(xyz) {
  const low = [Infinity, Infinity, Infinity];
  const high = low.map((v) => -v);
  for (let i = 0; i < xyz.length; i++) {
    low[i % 3] = Math.min(low[i % 3], xyz[i]);
    high[i % 3] = Math.max(high[i % 3], xyz[i]);
  }
  const centre = low.map((v, a) => (xyz.length ? (v + high[a]) / 2 : 0));
  let most = 0;
  for (let i = 0; i < xyz.length; i += 3) {
    const [x, y, z] = centre.map((v, a) => xyz[i + a] - v);
    most = Math.max(most, x * x + y * y + z * z);
  }
  return { centre, radius: Math.sqrt(most) || 1 };
}

export class Space {
  // xy (flat, two each) is written at every turn: all that looks for points in the plane of the
  // picture finds them there.
  constructor(xyz, xy) {
    const count = xy.length / 2;
    Object.assign(this, { xyz, xy, count, ...ballAround(xyz), turns: 0, seen: null });
    this.near = new Float32Array(count); // 0 at the back of the ball, 1 at its front
    this.order = new Uint32Array(count); // from the back to the front
    this.look(START);
    const half = ROOM * this.radius;
    this.view = [-half, half, -half, half];
  }

  // Where the points fall as they are turned now; nothing to do if that was the last question.
  look({ azimuth, elevation }) {
    if (this.seen?.azimuth === azimuth && this.seen.elevation === elevation) return;
    this.seen = { azimuth, elevation };
    this.matrix = turnMatrix(this.seen);
    this.turns += 1;
    const [right, up, front] = this.matrix;
    const [cx, cy, cz] = this.centre;
    const { xyz, xy, near, radius, count } = this;
    const eye = EYE * radius;
    for (let i = 0; i < count; i++) {
      const x = xyz[3 * i] - cx;
      const y = xyz[3 * i + 1] - cy;
      const z = xyz[3 * i + 2] - cz;
      const depth = front[0] * x + front[1] * y + front[2] * z;
      const scale = eye / (eye - depth);
      xy[2 * i] = scale * (right[0] * x + right[1] * y + right[2] * z);
      xy[2 * i + 1] = scale * (up[0] * x + up[1] * y + up[2] * z);
      near[i] = 0.5 * (1 + depth / radius);
    }
    this.sort();
  }

  // A counting sort of the depths.
  sort() {
    const { near, order, count } = this;
    const starts = new Uint32Array(BUCKETS + 1);
    const bucket = (i) => Math.min(Math.max((near[i] * BUCKETS) | 0, 0), BUCKETS - 1);
    for (let i = 0; i < count; i++) starts[bucket(i) + 1] += 1;
    for (let b = 0; b < BUCKETS; b++) starts[b + 1] += starts[b];
    for (let i = 0; i < count; i++) order[starts[bucket(i)]++] = i;
  }

  // How large a mark at a depth is, of one in the middle.
  scale(near) {
    return EYE / (EYE + 1 - 2 * near);
  }

  // The coordinates of a point, as they are in the data.
  words(i) {
    return [0, 1, 2].map((a) => short(this.xyz[3 * i + a])).join(", ");
  }

  // Labels at the places where their points are now, from the back, with how clearly to draw them.
  placed(labels, position) {
    const found = [];
    for (const label of labels) {
      const i = position.get(label.index) ?? -1;
      if (i < 0) continue;
      const [near, x, y] = [this.near[i], this.xy[2 * i], this.xy[2 * i + 1]];
      found.push({ ...label, x, y, near, clear: DIMMEST + (1 - DIMMEST) * Math.min(2 * near, 1) });
    }
    return found.sort((a, b) => a.near - b.near);
  }
}

// A view that can be turned as well.
export class SpaceView extends View {
  constructor(name, base) {
    super(name, base);
    const { azimuth, elevation } = kept.get(name) ?? START; // whatever of the points is drawn now
    Object.assign(this, { azimuth, elevation });
  }

  // Turn by angles, to the right and downwards.
  turn(right, down) {
    this.azimuth = (this.azimuth + right) % (2 * Math.PI);
    this.elevation = Math.min(Math.max(this.elevation + down, -STEEPEST), STEEPEST);
    this.save();
  }

  // What a link asks for.
  turnTo(azimuth, elevation) {
    Object.assign(this, { azimuth, elevation });
    this.turn(0, 0);
  }

  // Turn by a drag of so many pixels: the side that is seen follows the hand.
  follow(dx, dy, box) {
    const angle = (2 * ROOM) / (box.w * this.zoom);
    this.turn(angle * dx, angle * dy);
  }

  // The same points, of which more may be drawn than before: they are seen as they were.
  rebase(base) {
    this.base = base;
  }

  get zoomed() {
    const still = this.azimuth === START.azimuth && this.elevation === START.elevation;
    return super.zoomed || !still;
  }

  reset() {
    Object.assign(this, START);
    super.reset();
  }

}
