// Kernel ridge regression on the labels alone, with the kernel's formula from Python.

import { codesOf, outputsOf } from "./codes.js";
import { compileFormula } from "./formulas.js";
import { anyCandidates, labelKey, sameLabels } from "./labels.js";
import { mixEach, solvePositive } from "./linalg.js";
import { latest } from "./memo.js";

const MOST_LABELS = 400; // a Cholesky solve of that size is fast enough during a drag

// Arguments of kernels.
const ARGUMENTS = {
  r2: (a, b) => (a.x - b.x) ** 2 + (a.y - b.y) ** 2,
  u: (a, b) => a.x * b.x + a.y * b.y,
};

export class RidgeModel {
  // spec: {formula, argument, values, floor} of the panel; floor is the smallest ridge, relative to the
  // kernel's size, that keeps two labels in one place solvable.
  constructor(spec, { grid, points, classes, mu }) {
    const nClasses = classes.length;
    const { formula, argument, values, floor } = spec;
    const argumentOf = Object.hasOwn(ARGUMENTS, argument) ? ARGUMENTS[argument] : null;
    const kernel = argumentOf && compileFormula(formula, [argument], values);
    Object.assign(this, { argumentOf, kernel, floor, grid, points, nClasses, mu });
    Object.assign(this, { outputs: outputsOf(nClasses), prepared: null, places: {} });
    this.columns = columnsFor(points, JSON.stringify([formula, argument, values]));
  }

  evaluate({ labels, lam }, out) {
    if (!this.kernel || anyCandidates(labels)) return false;
    if (labels.length > MOST_LABELS) return false;
    const a = this.solve(labels, lam, this.prepare(labels).codes, this.outputs);
    mixEach(out, (kind) => labels.map((label) => this.column(kind, label)), a, this.outputs);
    return true;
  }

  solve(labels, lam, values, k) {
    const n = labels.length;
    const { gram, floor } = this.prepare(labels);
    const system = gram.slice();
    for (let j = 0; j < n; j++) system[j * n + j] += n * Math.max(lam * this.mu, floor);
    return solvePositive(system, n, values, k);
  }

  // See ModesModel.
  labelWeights(point, { labels, lam }) {
    if (!this.kernel || !labels.length || labels.length > MOST_LABELS || anyCandidates(labels)) return null;
    const kernelRow = Float64Array.from(labels, (label) => this.column("points", label)[point]);
    return this.solve(labels, lam, kernelRow, 1); // the system is symmetric
  }

  prepare(labels) {
    if (this.prepared && sameLabels(this.prepared.labels, labels)) return this.prepared;
    const n = labels.length;
    const gram = new Float64Array(n * n).map((_, at) => this.k(labels[at % n], labels[(at / n) | 0]));
    const size = gram.reduce((most, g) => Math.max(most, Math.abs(g)), 1);
    const codes = codesOf(labels, this.nClasses);
    this.prepared = { labels, gram, codes, floor: this.floor * size };
    const keys = new Set(labels.map(labelKey));
    for (const name of this.columns.keys()) if (!keys.has(name.slice(1))) this.columns.delete(name);
    return this.prepared;
  }

  k(place, label) {
    return this.kernel([this.argumentOf(place, label)]);
  }

  column(kind, label) {
    const name = kind[0] + labelKey(label);
    const places = (this.places[kind] ??= kind === "grid" ? nodesOf(this.grid) : pointsOf(this.points));
    if (!this.columns.has(name)) {
      const values = new Float64Array(places.length).map((_, p) => this.k(places[p], label));
      this.columns.set(name, values);
    }
    return this.columns.get(name);
  }
}

// Values of a kernel (its formula as text) on the grid and at the points, by label; they outlive their model.
const columnsFor = latest(() => new Map());

function nodesOf({ x: [x0, x1, nx], y: [y0, y1, ny] }) {
  return Array.from({ length: nx * ny }, (_, p) => {
    return { x: x0 + ((x1 - x0) * (p % nx)) / (nx - 1), y: y0 + ((y1 - y0) * Math.floor(p / nx)) / (ny - 1) };
  });
}

function pointsOf({ xy, count }) {
  return Array.from({ length: count }, (_, i) => ({ x: xy[2 * i], y: xy[2 * i + 1] }));
}
