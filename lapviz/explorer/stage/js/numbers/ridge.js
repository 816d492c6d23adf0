// Kernel ridge regression on the labels alone, with the kernel's formula from Python.

import { codesOf, outputsOf } from "./codes.js";
import { compileFormula } from "./formulas.js";
import { anyCandidates, labelKey, sameLabels } from "./labels.js";
import { mixEach, solvePositive } from "./linalg.js";

const MOST_LABELS = 400; // a Cholesky solve of that size is fast enough during a drag

// Arguments of kernels, for a place and a label.
const ARGUMENTS = {
  r2: (x, y, label) => (x - label.x) ** 2 + (y - label.y) ** 2,
  u: (x, y, label) => x * label.x + y * label.y,
};

function array(n, value) {
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) out[i] = value(i);
  return out;
}

export class RidgeModel {
  // spec: {formula, argument, values, floor} of the panel; floor is the smallest ridge, relative to the
  // kernel's size, that keeps two labels in one place solvable.
  constructor(spec, { grid, points, classes, mu }) {
    const nClasses = classes.length;
    const { formula, argument, values, floor } = spec;
    const argumentOf = Object.hasOwn(ARGUMENTS, argument) ? ARGUMENTS[argument] : null;
    const kernel = argumentOf && compileFormula(formula, [argument], values);
    Object.assign(this, { argumentOf, kernel, floor, grid, points, nClasses, mu });
    Object.assign(this, { outputs: outputsOf(nClasses), prepared: null, sites: {} });
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
    const gram = new Float64Array(n * n);
    const [x, y] = [array(n, (i) => labels[i].x), array(n, (i) => labels[i].y)];
    labels.forEach((label, j) => gram.set(this.k(x, y, label), j * n)); // symmetric
    const size = gram.reduce((most, g) => Math.max(most, Math.abs(g)), 1);
    const codes = codesOf(labels, this.nClasses);
    this.prepared = { labels, gram, codes, floor: this.floor * size };
    const keys = new Set(labels.map(labelKey));
    for (const name of this.columns.keys()) if (!keys.has(name.slice(1))) this.columns.delete(name);
    return this.prepared;
  }

  // k(., label) at the places with coordinates x and y (arrays).
  k(x, y, label) {
    const values = [0];
    return array(x.length, (i) => {
      values[0] = this.argumentOf(x[i], y[i], label);
      return this.kernel(values);
    });
  }

  column(kind, label) {
    const name = kind[0] + labelKey(label);
    if (!this.columns.has(name)) this.columns.set(name, this.k(...this.sitesOf(kind), label));
    return this.columns.get(name);
  }

  // Coordinates of the grid's nodes or of the points, computed once.
  sitesOf(kind) {
    return (this.sites[kind] ??= kind === "grid" ? nodesOf(this.grid) : pointsOf(this.points));
  }
}

const lastColumns = new WeakMap();

// Values of a kernel on the grid and at the points, by label: those of the last kernel outlive its model.
function columnsFor(points, kernel) {
  if (lastColumns.get(points)?.kernel !== kernel) lastColumns.set(points, { kernel, columns: new Map() });
  return lastColumns.get(points).columns;
}

function nodesOf({ x: [x0, x1, nx], y: [y0, y1, ny] }) {
  return [
    array(nx * ny, (p) => x0 + ((x1 - x0) * (p % nx)) / (nx - 1)),
    array(nx * ny, (p) => y0 + ((y1 - y0) * Math.floor(p / nx)) / (ny - 1)),
  ];
}

function pointsOf({ xy, count }) {
  return [0, 1].map((axis) => array(count, (i) => xy[2 * i + axis]));
}
