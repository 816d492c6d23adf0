// Points in space: their rotation, projection, and order of depth.

import { View, savedViews, short } from "./view.js";

const START = { azimuth: -0.44, elevation: 0.35 }; // radians: the first and the third axis lie flat
const STEEPEST = Math.PI / 2;
const EYE = 5; // distance of the eye in radii of the data: a slight perspective
const ROOM = 1.1; // half of the picture in radii, of which the outline of a ball takes 1.02
const DIMMEST = 0.35; // opacity of a label at the very back

// Rows of the rotation: to the right, upwards, towards the eye. The third axis of the data is upright;
// without rotation the first points to the right and the second away.
export function rotationMatrix({ azimuth, elevation }) {
  const [c, s] = [Math.cos(azimuth), Math.sin(azimuth)];
  const [e, f] = [Math.cos(elevation), Math.sin(elevation)];
  return [
    [c, -s, 0],
    [s * f, c * f, e],
    [-s * e, -c * e, f],
  ];
}

// Centre of the box around points xyz (flat, three each), and the largest distance from it.
export function ballAround(xyz) {
  const [x, y, z] = [0, 1, 2].map((axis) => xyz.filter((_, i) => i % 3 === axis));
  const centre = [x, y, z].map((values) => (Math.min(...values) + Math.max(...values)) / 2);
  const [cx, cy, cz] = centre;
  const distances = Array.from(x, (_, i) => Math.hypot(x[i] - cx, y[i] - cy, z[i] - cz));
  return { centre, radius: Math.max(0, ...distances) || 1 };
}

export class Space {
  // xy (flat, two each) receives the projection at every rotation, where everything else looks for points
  // in the plane of the picture.
  constructor(xyz, xy) {
    const count = xy.length / 2;
    Object.assign(this, { xyz, xy, count, ...ballAround(xyz), rotations: 0, angles: null });
    this.near = new Float32Array(count); // 0 at the back of the ball, 1 at its front
    this.order = Uint32Array.from({ length: count }, (_, i) => i); // from the back to the front
    this.look(START);
    const half = ROOM * this.radius;
    this.view = [-half, half, -half, half];
  }

  // Project the points for these angles, unless they are already.
  look({ azimuth, elevation }) {
    if (this.angles?.azimuth === azimuth && this.angles.elevation === elevation) return;
    this.angles = { azimuth, elevation };
    this.matrix = rotationMatrix(this.angles);
    this.rotations += 1;
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
    this.order.sort((i, j) => near[i] - near[j]);
  }

  // Size of a mark at a depth, relative to one in the middle.
  scale(near) {
    return EYE / (EYE + 1 - 2 * near);
  }

  // The coordinates of a point in the data, as text.
  coordinates(i) {
    return [0, 1, 2].map((a) => short(this.xyz[3 * i + a])).join(", ");
  }

  // Labels at the current places of their points, from the back to the front, with their opacity.
  placed(labels, position) {
    const place = (label) => {
      const i = position.get(label.index);
      const [near, x, y] = [this.near[i], this.xy[2 * i], this.xy[2 * i + 1]];
      return { ...label, x, y, near, opacity: DIMMEST + (1 - DIMMEST) * Math.min(2 * near, 1) };
    };
    const drawn = labels.filter(({ index }) => position.has(index));
    return drawn.map(place).sort((a, b) => a.near - b.near);
  }
}

// A view that can be rotated as well.
export class SpaceView extends View {
  constructor(name, base) {
    super(name, base);
    const { azimuth, elevation } = savedViews.get(name) ?? START; // whichever points are drawn
    Object.assign(this, { azimuth, elevation });
  }

  // Rotate by angles, to the right and downwards.
  rotate(right, down) {
    this.azimuth = (this.azimuth + right) % (2 * Math.PI);
    this.elevation = Math.min(Math.max(this.elevation + down, -STEEPEST), STEEPEST);
    this.save();
  }

  // Rotate to the angles of a link.
  rotateTo(azimuth, elevation) {
    Object.assign(this, { azimuth, elevation });
    this.rotate(0, 0);
  }

  // Rotate by a drag in pixels: the visible side follows the pointer.
  rotateByDrag(dx, dy, box) {
    const angle = (2 * ROOM) / (box.w * this.zoom);
    this.rotate(angle * dx, angle * dy);
  }

  // More of the same points may be drawn than before: the view stays.
  rebase(base) {
    this.base = base;
  }

  get zoomed() {
    const rotated = this.azimuth !== START.azimuth || this.elevation !== START.elevation;
    return super.zoomed || rotated;
  }

  reset() {
    Object.assign(this, START);
    super.reset();
  }
}
