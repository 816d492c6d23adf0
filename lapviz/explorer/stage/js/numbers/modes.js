// The estimate from leading modes: a drag of lambda, a new filter or a label, without a round trip.

import contract from "../../../../contract.json";
import { codesOf, outputsOf } from "./codes.js";
import { eigSymmetric } from "./eigen.js";
import { applySpectral, centreBoth, centreRows, mix, mixEach } from "./linalg.js";
import { product, rowsOf, sample, transposed } from "./linalg.js";
import { anyCandidates, sameLabels, labelKey } from "./labels.js";

// Labels whose Gram matrix is decomposed in about a tenth of a second; the same for observed numbers, once, in
// about a second.
const { most_labels: MOST_LABELS, most_values: MOST_VALUES } = contract.modes;

// Decoded modes, prepared once: rows with the values of every mode on the grid and at the points.
export function prepareModes(raw, grid, points) {
  const m = raw.gamma.length;
  const gamma = Float64Array.from(raw.gamma);
  const tiny = 1e-9 * Math.max(gamma[m >> 1], 1e-300); // of their median
  return {
    m,
    gamma,
    tiny,
    gamma1: raw.gamma1, // the first energy that is not a numerical zero
    complete: raw.complete, // the modes span the trial space
    rows: { grid: raw.grid ? rowsOf(raw.grid, m) : null, points: rowsOf(raw.points, m) },
    grid,
    points,
  };
}

// Representers of labels, which are sent rotated to the axes of their Gram matrix (payload.py) and are
// rotated back on first use.
function columnsOf(rotated, gram, rotation) {
  const rows = {};
  const rotateBack = (data) =>
    rotation.map((weights) => mixed(rowsOf(data, rotation.length), Float64Array.from(weights)));
  return { gram, rows: (kind) => rotated[kind] && (rows[kind] ??= rotateBack(rotated[kind])) };
}

function mixed(rows, weights) {
  const out = new Float64Array(rows[0].length);
  mix(out, rows, weights, 1);
  return out;
}

export class ModesModel {
  // modes: from prepareModes(); spec: the panel's model record, with columns for the scene's labels.
  constructor(modes, spec, { labels, classes, data_term: dataTerm }) {
    const nClasses = classes.length;
    Object.assign(this, { modes, spec, nClasses, dataTerm, intercept: spec.intercept });
    this.outputs = outputsOf(nClasses);
    this.observed = spec.known ? observedNumbers(spec.known) : null; // numbers instead of labels
    const columnLabels = this.observed?.labels ?? labels;
    this.averaged = anyCandidates(columnLabels); // the panel shows averaged candidates
    this.columnIndex = new Map(columnLabels.map((label, j) => [labelKey(label), j]));
    const { columns_grid: grid, columns_points: points, columns_gram: gram } = spec;
    const complete = gram && columnLabels.length && (grid || !modes.rows.grid) && (grid || points);
    this.columns = complete ? columnsOf({ grid, points }, gram, spec.columns_turn) : null;
    this.prepared = null;
  }

  // Write the field into out = {grid, points} (either may be null); returns false if only Python can.
  estimate({ labels: ofClasses, lam, filter }, out) {
    const { labels, offset } = this.observed ?? { labels: ofClasses, offset: 0 };
    if (!filter?.h || (anyCandidates(labels) && !this.averaged)) return false;
    // `truncated`: the result uses the leading modes only; `rough`: at least for some of the labels.
    Object.assign(this, { truncated: false, rough: false });
    if (labels.length) {
      const system = this.prepare(labels);
      if (!system || (out.grid && !system.rows("grid"))) return false;
      Object.assign(this, { truncated: system.truncated, rough: system.rough });
      const [weights, shift] = this.solve(system, lam, filter);
      mixEach(out, system.rows, weights, this.outputs, shift);
    } else mixEach(out, () => [], [], this.outputs);
    for (const values of offset ? [out.grid, out.points] : [])
      if (values) for (let p = 0; p < values.length; p++) values[p] += offset;
    return true;
  }

  // Weight of each label's value in the estimate at a drawn point, before classes are balanced: the estimate
  // from values that are 1 at this label and 0 at the others. null: unknown here.
  labelWeights(point, settings) {
    const { labels, lam, filter } = settings;
    if (this.observed || this.dataTerm === "poisson" || !filter?.h || !labels.length) return null;
    if (anyCandidates(labels) && !this.averaged) return null;
    const n = labels.length;
    if (this.dataTerm !== "all" && Math.min(n, this.modes.m) > MOST_LABELS) return null; // it would take too long
    if (this.units?.outputs !== n) {
      const identity = (_, at) => Number(at % (n + 1) === 0);
      const observed = { values: Float64Array.from({ length: n * n }, identity) };
      this.units = Object.assign(Object.create(this), { outputs: n, observed, prepared: null, last: null });
    }
    const { units } = this;
    const system = units.prepare(labels);
    if (!system) return null;
    if (units.last?.system !== system || units.last.lam !== lam || units.last.filter !== filter)
      units.last = { system, lam, filter, solution: units.solve(system, lam, filter) };
    const [weights, shift] = units.last.solution;
    const sums = product(system.rows("points").map((row) => row[point]), weights, 1, n);
    return shift ? sums.map((sum, j) => sum + shift[j]) : sums;
  }

  // Weights of the system's rows, and the constant to be added.
  solve(system, lam, filter) {
    const k = this.outputs;
    const { gamma, gamma1 } = this.modes;
    const h = (i) => filter.h(lam, gamma[(i / k) | 0], gamma1);
    if (system.load) return [system.load.map((b, i) => b * h(i)), null];
    let a;
    if (this.dataTerm === "poisson") a = this.poisson(system);
    else {
      const { eig, right, top } = system;
      const psi = (s) => (s > 1e-14 * top ? filter.h(lam, 1 / s, 1 / top) / s : 0);
      a = applySpectral(eig, psi, right, k);
      // Beside a constant the values' weights have sum 0; what rounding leaves of it would meet functions of
      // nearly no energy, which are large.
      if (system.dual) a = system.sources(this.intercept ? centreRows(a, system.n, k).centred : a);
    }
    const weights = system.root ? a.map((v, i) => v * system.root[(i / k) | 0]) : a;
    return [weights, this.constant(system, a)];
  }

  // Labels as sources: a Σ (y_j − ȳ) G(·, x_j), of which only the scale a is fitted to the labels.
  poisson({ n, y, values, sources }) {
    const k = this.outputs;
    const { centred } = centreRows(y, n, k);
    const direction = sources(centred.map((v) => v / n));
    const fitted = product(values, direction, n, k);
    const levelled = this.intercept ? centreRows(fitted, n, k).centred : fitted;
    let [dot, norm] = [0, 0];
    levelled.forEach((v, at) => ((dot += v * centred[at]), (norm += v * v)));
    return direction.map((v) => (norm > 0 ? (dot / norm) * v : 0));
  }

  // The unpenalised constant of the bordered system: mean over the labels of y - g.
  constant({ n, y, values }, a) {
    if (!this.intercept) return null;
    const k = this.outputs;
    const fitted = product(values, a, n, k);
    return centreRows(y.map((v, at) => v - fitted[at]), n, k).mean;
  }

  // The system, which depends on the labels only, cached until they change.
  prepare(labels) {
    if (this.prepared && sameLabels(this.prepared.labels, labels)) return this.prepared.system;
    const rows = labels.map((label) => this.modesAt(label));
    const system = rows.includes(null) ? null : this.decompose(labels, Float64Array.from(rows.flat()));
    this.prepared = { labels, system };
    return system;
  }

  // {rows(kind), truncated, rough} for the functions to be combined, and {load} for the data term over all
  // samples, else {values: of these functions at the labels, y, n, eig, top, right}. E: modes at labels (n, m).
  // null: only Python can.
  decompose(labels, E) {
    const n = labels.length;
    const y = this.observed?.values ?? codesOf(labels, this.nClasses);
    const { m, complete, rows: modeRows } = this.modes;
    const modes = { rows: (kind) => modeRows[kind], truncated: !complete, rough: !complete };
    if (this.dataTerm === "all")
      return { ...modes, load: meanProduct(E, y, n, m, this.outputs) };
    if (complete) {
      const most = this.observed ? MOST_VALUES : MOST_LABELS;
      return Math.min(n, m) <= most ? { ...modes, ...this.byModes(E, n, y) } : null;
    }
    const columns = labels.map((label) => this.columnIndex.get(labelKey(label)) ?? -1);
    const hasColumns = this.columns && columns.some((j) => j >= 0);
    if (hasColumns && n <= MOST_LABELS) return this.byColumns(labels, E, columns, y);
    return { ...modes, ...this.byModes(E, n, y) };
  }

  // 1/gamma; for the constant 0 if it is unpenalised, else bounded.
  inverseGamma() {
    const { gamma, tiny } = this.modes;
    return gamma.map((g) => (g > tiny ? 1 / g : this.intercept ? 0 : 1 / tiny));
  }

  // The estimate in coordinates of the scaled modes, B = E Gamma^(-1/2): by B^T B or, with fewer labels than
  // modes, by B B^T, which has the same eigenvalues. With an intercept B is made orthogonal to the constant.
  byModes(E, n, y) {
    const [m, k] = [this.modes.m, this.outputs];
    const root = this.inverseGamma().map(Math.sqrt);
    const values = E.map((e, at) => e * root[at % m]);
    const centred = this.intercept ? centreRows(values, n, m).centred : values;
    const sources = (a) => product(transposed(values, n), a, m, k);
    const common = { values, y, n, root, sources, dual: n < m };
    if (n < m) {
      const gram = product(centred, transposed(centred, n), n, n).map((g) => g / n);
      return { ...common, right: this.residual(y, n), ...spectrum(gram, n) };
    }
    const right = meanProduct(centred, y, n, m, k);
    return { ...common, right, ...spectrum(meanProduct(centred, centred, n, m, m), m) };
  }

  // y / n; with an intercept y is centred first.
  residual(y, n) {
    return (this.intercept ? centreRows(y, n, this.outputs).centred : y).map((v) => v / n);
  }

  // Exact representers for the labels of Python's answer, truncated ones for newer labels. columns: the
  // position of each label's representer, or -1.
  byColumns(labels, E, columns, y) {
    const [n, m] = [labels.length, this.modes.m];
    const inverse = this.inverseGamma();
    const exact = (i, j) => this.columns.gram[columns[i]][columns[j]];
    const weighted = E.map((e, at) => e * inverse[at % m]);
    const truncated = product(weighted, transposed(E, n), n, n);
    const rough = (i, j) => truncated[i * n + j];
    // The mean part of G(x, x) outside the modes, assumed for new labels as well.
    const withColumn = labels.map((_, i) => i).filter((i) => columns[i] >= 0);
    const missed = withColumn.reduce((sum, i) => sum + exact(i, i) - rough(i, i), 0);
    const tail = Math.max(missed / withColumn.length, 0);
    const entry = (i, j) => {
      if (columns[i] >= 0 && columns[j] >= 0) return exact(i, j);
      if (columns[i] >= 0) return this.columnAt(columns[i], labels[j]);
      if (columns[j] >= 0) return this.columnAt(columns[j], labels[i]);
      return rough(i, j) + (i === j ? tail : 0);
    };
    const gram = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) gram[i * n + j] = gram[j * n + i] = entry(i, j);
    const cache = {};
    const representers = (kind) => {
      const [exactRows, modeRows] = [this.columns.rows(kind), this.modes.rows[kind]];
      if (!modeRows) return null;
      const truncatedRow = (j) => mixed(modeRows, weighted.subarray(j * m, (j + 1) * m));
      const row = (_, j) => (columns[j] >= 0 && exactRows ? exactRows[columns[j]] : truncatedRow(j));
      return (cache[kind] ??= labels.map(row));
    };
    const right = this.residual(y, n);
    const eigenpairs = spectrum((this.intercept ? centreBoth(gram, n) : gram).map((g) => g / n), n);
    const system = { values: gram, y, n, right, sources: (a) => a, dual: true, ...eigenpairs };
    return { rows: representers, truncated: false, rough: columns.includes(-1), ...system };
  }

  columnAt(j, label) {
    const at = this.modes.points.position.get(label.index);
    const [points, grid] = ["points", "grid"].map((kind) => this.columns.rows(kind));
    if (at !== undefined && points) return points[j][at];
    return grid ? sample(grid[j], this.modes.grid, label.x, label.y) : 0;
  }

  // Value of every mode at a label: exact at a drawn point, else interpolated on the grid.
  modesAt(label) {
    const { rows, grid, points } = this.modes;
    const at = points.position.get(label.index);
    if (at === undefined && !rows.grid) return null;
    if (at !== undefined) return rows.points.map((row) => row[at]);
    return rows.grid.map((row) => sample(row, grid, label.x, label.y));
  }
}

// Observed numbers: their places as labels, their values, and the offset of the estimate.
function observedNumbers({ xy, index, values, offset }) {
  const labels = Array.from(index, (row, j) => {
    return { x: xy[2 * j], y: xy[2 * j + 1], index: row, code: 0, others: [] };
  });
  return { labels, values: Float64Array.from(values), offset };
}

function spectrum(matrix, n) {
  const eig = eigSymmetric(matrix, n);
  return { eig, top: Math.max(eig.values[0], 1e-300) };
}

// The transpose of a (n, m) times x (n, k), divided by n.
function meanProduct(a, x, n, m, k) {
  return product(transposed(a, n), x, m, k).map((v) => v / n);
}
