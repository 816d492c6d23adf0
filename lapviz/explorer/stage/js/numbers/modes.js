// The estimate from leading modes: a drag of lambda, a new filter or a label, without a round trip.

import { codesOf, outputsOf } from "./codes.js";
import { eigSymmetric } from "./eigen.js";
import { applySpectral, median, mix, rowsOf, sample } from "./linalg.js";
import { anySeveral, sameLabels, labelKey } from "./labels.js";

const MOST_COLUMNS = 160; // labels whose Gram matrix can be decomposed between two frames

// Decoded modes prepared once: rows of every mode on the grid and at the points.
export function prepareModes(raw, grid, points) {
  const m = raw.gamma.length;
  const gamma = Float64Array.from(raw.gamma);
  const tiny = 1e-9 * Math.max(median(gamma), 1e-300);
  return {
    m,
    gamma,
    tiny,
    gamma1: raw.gamma1, // the first energy that is not a numerical zero
    gridRows: raw.grid ? rowsOf(raw.grid.data, m) : null,
    pointRows: rowsOf(raw.points.data, m),
    grid,
    points,
  };
}

// Representers of labels, which come turned to the axes of their Gram matrix (payload.py) and are
// turned back when they are first needed.
class Columns {
  constructor(grid, points, gram, turn) {
    Object.assign(this, { turned: { grid, points }, gram, turn, rows: {} });
  }

  get grid() {
    return this.back("grid");
  }

  get points() {
    return this.back("points");
  }

  back(kind) {
    const turned = this.turned[kind];
    if (!turned) return null;
    return (this.rows[kind] ??= turnedBack(rowsOf(turned.data, this.turn.length), this.turn));
  }
}

function turnedBack(rows, turn) {
  return turn.map((weights) => {
    const out = new Float64Array(rows[0].length);
    mix(out, rows, Float64Array.from(weights), 1, out.length);
    return out;
  });
}

export class ModesModel {
  // modes: prepareModes' record; spec: the panel's model record; labels: those of Python's columns;
  // nClasses, dataTerm: of the scene.
  constructor(modes, spec, labels, nClasses, dataTerm) {
    Object.assign(this, { modes, nClasses, dataTerm, intercept: spec.intercept });
    this.outputs = outputsOf(nClasses);
    this.given = spec.known ? numbersOf(spec.known) : null; // numbers in place of labels
    const own = this.given?.labels ?? labels;
    const known = own.length;
    this.several = anySeveral(own); // then the panel is that of the averaged candidates
    this.known = new Map(own.map((label, j) => [labelKey(label), j]));
    const { columns_grid: onGrid, columns_points: atPoints, columns_gram: gram } = spec;
    const turn = spec.columns_turn;
    const enough = gram && known && (onGrid || !modes.gridRows) && (onGrid || atPoints);
    this.columns = enough ? new Columns(onGrid, atPoints, gram, turn) : null;
    this.prepared = null;
    this.truncated = false; // did the last evaluation use the leading modes only?
  }

  // Writes the field into out = {grid, points} (either may be null). False: only Python can.
  evaluate(settings, out) {
    const { given } = this;
    if (!given) return this.answer(settings, out);
    if (!this.answer({ ...settings, labels: given.labels }, out)) return false;
    for (const values of [out.grid, out.points])
      if (values) for (let p = 0; p < values.length; p++) values[p] += given.offset;
    return true;
  }

  answer({ labels, lam, filter }, out) {
    if (!filter?.h || (anySeveral(labels) && !this.several)) return false;
    this.truncated = false;
    if (!labels.length) return fill(out, 0);
    const work = this.prepare(labels);
    if (!work) return false;
    const k = this.outputs;
    this.truncated = work.route !== "columns";
    if (work.route === "all") {
      const { gamma, gamma1 } = this.modes;
      const weights = work.weights.map((b, i) => b * filter.h(lam, gamma[(i / k) | 0], gamma1));
      return this.mixModes(out, weights, null);
    }
    if (this.dataTerm === "poisson") return this.poisson(work, out);
    const { eig, right, top } = work;
    const psi = (s) => (s > 1e-14 * top ? filter.h(lam, 1 / s, 1 / top) / s : 0);
    const a = applySpectral(eig, psi, right, k);
    const shift = this.intercept ? this.constant(work, a) : null;
    if (work.route === "columns") return this.mixColumns(out, work, a, shift);
    return this.mixModes(out, this.modeWeights(work, a), shift);
  }

  // Labels as sources: a Σ (y_j − ȳ) G(·, x_j), only the scale a is fitted to the labels.
  poisson(work, out) {
    if (!work.gram) return false;
    const { n, y, gram } = work;
    const k = this.outputs;
    const { centred, mean } = centreRows(y, n, k);
    const a = centred.map((v) => v / n);
    const values = new Float64Array(n * k);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        for (let o = 0; o < k; o++) values[i * k + o] += gram[i * n + j] * a[j * k + o];
      }
    }
    const levelled = this.intercept ? centreRows(values, n, k) : { centred: values, mean: null };
    let [dot, norm] = [0, 0];
    levelled.centred.forEach((v, at) => ((dot += v * centred[at]), (norm += v * v)));
    const scale = norm > 0 ? dot / norm : 0;
    const weights = a.map((v) => scale * v);
    const shift = this.intercept ? mean.map((m, o) => m - scale * levelled.mean[o]) : null;
    if (work.route === "columns") return this.mixColumns(out, work, weights, shift);
    return this.mixModes(out, this.modeWeights(work, weights), shift);
  }

  // The part that depends on the labels only, cached until they change.
  prepare(labels) {
    if (this.prepared && sameLabels(this.prepared.labels, labels)) return this.prepared.work;
    const rows = labels.map((label) => this.at(label));
    const work = rows.includes(null) ? null : this.decompose(labels, rows);
    this.prepared = { labels, work };
    return work;
  }

  decompose(labels, rows) {
    const y = this.given?.values ?? codesOf(labels, this.nClasses);
    if (this.dataTerm === "all") return this.loadAll(rows, y);
    const known = labels.map((label) => this.known.get(labelKey(label)) ?? -1);
    const some = this.columns && known.some((j) => j >= 0);
    if (some && labels.length <= MOST_COLUMNS) return this.byColumns(labels, rows, known, y);
    const { m } = this.modes;
    const inverse = this.inverseGamma();
    const n = rows.length;
    if (n <= m) {
      const gram = new Float64Array(n * n);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j <= i; j++)
          gram[i * n + j] = gram[j * n + i] = dot3(rows[i], rows[j], inverse);
      }
      return this.dual("dual", gram, y, { rows, inverse });
    }
    return this.primal(rows, inverse, y);
  }

  // Load of the data term over all samples: mean over the labels of code * mode.
  loadAll(rows, y) {
    const k = this.outputs;
    const weights = new Float64Array(this.modes.m * k);
    rows.forEach((row, j) => {
      for (let i = 0; i < row.length; i++) {
        for (let o = 0; o < k; o++) weights[i * k + o] += (row[i] * y[j * k + o]) / rows.length;
      }
    });
    return { route: "all", weights };
  }

  // 1/gamma, the constant left out when it is free, else floored so that it stays finite.
  inverseGamma() {
    const { gamma, tiny } = this.modes;
    return gamma.map((g) => (g > tiny ? 1 / g : this.intercept ? 0 : 1 / tiny));
  }

  // Eigenpairs of the labelled Gram over n; with an intercept, of its projection off the constant.
  dual(route, gram, y, more) {
    const n = Math.round(Math.sqrt(gram.length));
    const centred = this.intercept ? centreBoth(gram, n) : gram;
    const eig = eigSymmetric(
      centred.map((g) => g / n),
      n,
    );
    const right = (this.intercept ? centreRows(y, n, this.outputs).centred : y).map((v) => v / n);
    return { route, eig, top: Math.max(eig.values[0], 1e-300), right, y, gram, n, ...more };
  }

  // More labels than modes: the same estimate in mode coordinates, B = E Gamma^(-1/2).
  primal(rows, inverse, y) {
    const { m } = this.modes;
    const n = rows.length;
    const k = this.outputs;
    const root = inverse.map(Math.sqrt);
    const b = new Float64Array(n * m);
    rows.forEach((row, j) => {
      for (let i = 0; i < m; i++) b[j * m + i] = row[i] * root[i];
    });
    const { centred, mean } = this.intercept ? centreRows(b, n, m) : { centred: b, mean: null };
    const product = new Float64Array(m * m);
    const right = new Float64Array(m * k);
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < m; i++) {
        const x = centred[j * m + i] / n;
        for (let l = 0; l <= i; l++) product[i * m + l] += x * centred[j * m + l];
        for (let o = 0; o < k; o++) right[i * k + o] += x * y[j * k + o];
      }
    }
    for (let i = 0; i < m; i++) for (let l = 0; l < i; l++) product[l * m + i] = product[i * m + l];
    const eig = eigSymmetric(product, m);
    return { route: "primal", eig, top: Math.max(eig.values[0], 1e-300), right, y, n, root, mean };
  }

  // Exact representers for the labels of Python's answer, truncated ones for newer labels.
  byColumns(labels, rows, known, y) {
    const n = labels.length;
    const inverse = this.inverseGamma();
    const exact = (i, j) => this.columns.gram[known[i]][known[j]];
    const rough = (i, j) => dot3(rows[i], rows[j], inverse);
    // The mean part of G(x, x) outside the modes, assumed for a new label as well.
    const familiar = labels.map((_, i) => i).filter((i) => known[i] >= 0);
    const missed = familiar.reduce((sum, i) => sum + exact(i, i) - rough(i, i), 0);
    const tail = Math.max(missed / familiar.length, 0);
    const gram = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let g;
        if (known[i] >= 0 && known[j] >= 0) g = exact(i, j);
        else if (known[i] >= 0) g = this.columnAt(known[i], labels[j]);
        else if (known[j] >= 0) g = this.columnAt(known[j], labels[i]);
        else g = rough(i, j) + (i === j ? tail : 0);
        gram[i * n + j] = gram[j * n + i] = g;
      }
    }
    const columns = (kind) => {
      const modeRows = kind === "grid" ? this.modes.gridRows : this.modes.pointRows;
      const table = this.columns[kind];
      return labels.map((_, j) => {
        if (known[j] >= 0 && table) return table[known[j]];
        const column = new Float32Array(modeRows[0].length);
        mix(
          column,
          modeRows,
          rows[j].map((e, i) => e * inverse[i]),
          1,
          column.length,
        );
        return column;
      });
    };
    const lazy = {};
    const column = (kind) => (lazy[kind] ??= columns(kind));
    return this.dual("columns", gram, y, { column });
  }

  columnAt(j, label) {
    const at = this.modes.points.position.get(label.index);
    if (at !== undefined && this.columns.points) return this.columns.points[j][at];
    if (this.columns.grid) return sample(this.columns.grid[j], this.modes.grid, label.x, label.y);
    return 0;
  }

  // Mode weights of the functions sum_j a_j G(., x_j).
  modeWeights(work, a) {
    const { m } = this.modes;
    const k = this.outputs;
    const weights = new Float64Array(m * k);
    if (work.route === "primal") {
      for (let i = 0; i < m * k; i++) weights[i] = a[i] * work.root[(i / k) | 0];
      return weights;
    }
    work.rows.forEach((row, j) => {
      for (let i = 0; i < m; i++) {
        for (let o = 0; o < k; o++) weights[i * k + o] += a[j * k + o] * row[i] * work.inverse[i];
      }
    });
    return weights;
  }

  // The unpenalised constant of the bordered system: mean over the labels of y - g.
  constant(work, a) {
    const { n, y } = work;
    const k = this.outputs;
    const shift = new Float64Array(k);
    for (let j = 0; j < n; j++) for (let o = 0; o < k; o++) shift[o] += y[j * k + o] / n;
    if (work.route === "primal") {
      for (let i = 0; i < work.mean.length; i++) {
        for (let o = 0; o < k; o++) shift[o] -= work.mean[i] * a[i * k + o];
      }
      return shift;
    }
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        for (let o = 0; o < k; o++) shift[o] -= (work.gram[i * n + j] * a[j * k + o]) / n;
      }
    }
    return shift;
  }

  mixModes(out, weights, shift) {
    const { gridRows, pointRows } = this.modes;
    if (out.grid && !gridRows) return false;
    if (out.grid) mix(out.grid, gridRows, weights, this.outputs, gridRows[0].length, shift);
    if (out.points) mix(out.points, pointRows, weights, this.outputs, pointRows[0].length, shift);
    return true;
  }

  mixColumns(out, work, a, shift) {
    for (const kind of ["grid", "points"]) {
      if (!out[kind]) continue;
      const rows = work.column(kind);
      mix(out[kind], rows, a, this.outputs, rows[0].length, shift);
    }
    return true;
  }

  // Every mode at a label's place: exact at a drawn point, else interpolated on the grid.
  at(label) {
    const { pointRows, gridRows, grid, points, m } = this.modes;
    const row = new Float64Array(m);
    const at = points.position.get(label.index);
    if (at !== undefined) for (let i = 0; i < m; i++) row[i] = pointRows[i][at];
    else if (gridRows)
      for (let i = 0; i < m; i++) row[i] = sample(gridRows[i], grid, label.x, label.y);
    else return null;
    return row;
  }
}

// Given numbers as records like labels, their values, and what is added to the estimate.
function numbersOf({ xy, index, values, offset }) {
  const labels = Array.from(index.data, (row, j) => ({
    x: xy.data[2 * j],
    y: xy.data[2 * j + 1],
    index: row,
    code: 0,
    others: [],
  }));
  return { labels, values: Float64Array.from(values.data), offset };
}

function fill(out, value) {
  out.grid?.fill(value);
  out.points?.fill(value);
  return true;
}

function dot3(a, b, w) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i] * w[i];
  return sum;
}

// Columns of a (n, k) array less their means.
function centreRows(y, n, k) {
  const mean = new Float64Array(k);
  for (let j = 0; j < n * k; j++) mean[j % k] += y[j] / n;
  return { centred: y.map((v, j) => v - mean[j % k]), mean };
}

// P G P with P = I - 11^T/n.
function centreBoth(gram, n) {
  const { mean } = centreRows(gram, n, n);
  const all = mean.reduce((a, b) => a + b, 0) / n;
  return gram.map((g, at) => g - mean[(at / n) | 0] - mean[at % n] + all);
}
