// Kernel ridge regression on the labels alone: the browser knows the kernels of the plane.

import { mix, solvePositive } from "./linalg.js";
import { codesOf, outputsOf } from "./filters.js";
import { sameLabels, labelKey } from "./labels.js";

const MOST_LABELS = 400; // a Cholesky solve of that size still keeps up with a drag
const LEAST = 1e-12; // of the kernel's size: keeps two labels in one place solvable

// kernel name -> function of (squared distance, dot product), bandwidth and degree given.
const KERNELS = {
  gaussian: (s) => (d2) => Math.exp(-d2 / (2 * s * s)),
  exponential: (s) => (d2) => Math.exp(-Math.sqrt(d2) / s),
  matern32: (s) => (d2) => {
    const t = Math.sqrt(3 * d2) / s;
    return (1 + t) * Math.exp(-t);
  },
  matern52: (s) => (d2) => {
    const t = Math.sqrt(5 * d2) / s;
    return (1 + t + (t * t) / 3) * Math.exp(-t);
  },
  polynomial: (s, degree) => (d2, dot) => (1 + dot / (s * s)) ** degree,
};

export class RidgeModel {
  constructor(spec, grid, points, nClasses, mu) {
    const make = KERNELS[spec.kernel];
    this.kernel = make ? make(spec.bandwidth, spec.degree) : null;
    this.outputs = outputsOf(nClasses);
    Object.assign(this, { grid, points, nClasses, mu, prepared: null, columns: new Map() });
  }

  evaluate({ labels, lam }, out) {
    if (!this.kernel) return false;
    if (!labels.length) {
      out.grid?.fill(0);
      out.points?.fill(0);
      return true;
    }
    if (labels.length > MOST_LABELS) return false;
    const n = labels.length;
    const { gram, codes, floor } = this.prepare(labels);
    const system = gram.slice();
    for (let j = 0; j < n; j++) system[j * n + j] += n * Math.max(lam * this.mu, floor);
    const a = solvePositive(system, n, codes, this.outputs);
    for (const kind of ["grid", "points"]) {
      if (!out[kind]) continue;
      const rows = labels.map((label) => this.column(kind, label));
      mix(out[kind], rows, a, this.outputs, rows[0].length);
    }
    return true;
  }

  prepare(labels) {
    if (this.prepared && sameLabels(this.prepared.labels, labels)) return this.prepared;
    const n = labels.length;
    const gram = new Float64Array(n * n);
    labels.forEach((p, i) => labels.forEach((q, j) => (gram[i * n + j] = this.k(p.x, p.y, q))));
    const size = gram.reduce((most, g) => Math.max(most, Math.abs(g)), 1);
    this.prepared = { labels, gram, codes: codesOf(labels, this.nClasses), floor: LEAST * size };
    const alive = new Set(labels.map(labelKey));
    for (const name of this.columns.keys()) {
      if (!alive.has(name.slice(1))) this.columns.delete(name);
    }
    return this.prepared;
  }

  k(x, y, c) {
    return this.kernel((x - c.x) ** 2 + (y - c.y) ** 2, x * c.x + y * c.y);
  }

  column(kind, label) {
    const name = kind[0] + labelKey(label);
    if (!this.columns.has(name)) {
      this.columns.set(name, kind === "grid" ? this.onGrid(label) : this.atPoints(label));
    }
    return this.columns.get(name);
  }

  onGrid(label) {
    const [x0, x1, nx] = this.grid.x;
    const [y0, y1, ny] = this.grid.y;
    const column = new Float64Array(nx * ny);
    for (let j = 0, p = 0; j < ny; j++) {
      const y = y0 + ((y1 - y0) * j) / (ny - 1);
      for (let i = 0; i < nx; i++, p++)
        column[p] = this.k(x0 + ((x1 - x0) * i) / (nx - 1), y, label);
    }
    return column;
  }

  atPoints(label) {
    const { xy, count } = this.points;
    const column = new Float64Array(count);
    for (let i = 0; i < count; i++) column[i] = this.k(xy[2 * i], xy[2 * i + 1], label);
    return column;
  }
}
