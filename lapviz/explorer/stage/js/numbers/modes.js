// The estimate from leading modes: a drag of lambda, a new filter or a label, without a round trip.

import { codesOf, outputsOf } from "./codes.js";
import { eigSymmetric } from "./eigen.js";
import { applySpectral, centreBoth, centreRows, gramOf, median, mix, mixEach } from "./linalg.js";
import { product, rowsOf, sample } from "./linalg.js";
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
    rows: { grid: raw.grid ? rowsOf(raw.grid.data, m) : null, points: rowsOf(raw.points.data, m) },
    grid,
    points,
  };
}

// Representers of labels, which come turned to the axes of their Gram matrix (payload.py) and are
// turned back when they are first needed.
function columnsOf(turned, gram, turn) {
  const back = {};
  const make = ({ data }) =>
    turn.map((weights) => mixed(rowsOf(data, turn.length), Float64Array.from(weights)));
  return { gram, rows: (kind) => turned[kind] && (back[kind] ??= make(turned[kind])) };
}

function mixed(rows, weights) {
  const out = new Float64Array(rows[0].length);
  mix(out, rows, weights, 1);
  return out;
}

export class ModesModel {
  // modes: prepareModes' record; spec: the panel's model record; labels: those of Python's columns;
  // nClasses, dataTerm: of the scene.
  constructor(modes, spec, labels, nClasses, dataTerm) {
    Object.assign(this, { modes, spec, nClasses, dataTerm, intercept: spec.intercept });
    this.outputs = outputsOf(nClasses);
    this.given = spec.known ? numbersOf(spec.known) : null; // numbers in place of labels
    const own = this.given?.labels ?? labels;
    this.several = anySeveral(own); // then the panel is that of the averaged candidates
    this.known = new Map(own.map((label, j) => [labelKey(label), j]));
    const { columns_grid: grid, columns_points: points, columns_gram: gram } = spec;
    const enough = gram && own.length && (grid || !modes.rows.grid) && (grid || points);
    this.columns = enough ? columnsOf({ grid, points }, gram, spec.columns_turn) : null;
    this.prepared = null;
  }

  // Writes the field into out = {grid, points} (either may be null). False: only Python can.
  evaluate({ labels: shown, lam, filter }, out) {
    const { labels, offset } = this.given ?? { labels: shown, offset: 0 };
    if (!filter?.h || (anySeveral(labels) && !this.several)) return false;
    // Has the last evaluation used the leading modes only, or for some of the labels at least?
    Object.assign(this, { truncated: false, rough: false });
    if (labels.length) {
      const work = this.prepare(labels);
      if (!work || (out.grid && !work.rows("grid"))) return false;
      Object.assign(this, { truncated: work.truncated, rough: work.rough });
      const [weights, shift] = this.weigh(work, lam, filter);
      mixEach(out, work.rows, weights, this.outputs, shift);
    } else mixEach(out, () => [], [], this.outputs);
    for (const values of offset ? [out.grid, out.points] : [])
      if (values) for (let p = 0; p < values.length; p++) values[p] += offset;
    return true;
  }

  // How much the value of each label counts in the estimate at a drawn point, before classes are
  // balanced: the estimate of values that are 1 at one label and 0 at the others. null: unknown here.
  countsAt(point, settings) {
    const { labels, lam, filter } = settings;
    if (this.given || this.dataTerm === "poisson" || !filter?.h || !labels.length) return null;
    if (anySeveral(labels) && !this.several) return null;
    const n = labels.length;
    if (this.units?.outputs !== n) {
      const one = (_, at) => Number(at % (n + 1) === 0);
      const given = { values: Float64Array.from({ length: n * n }, one) };
      this.units = Object.assign(Object.create(this), { outputs: n, given, prepared: null, last: null });
    }
    const { units } = this;
    const work = units.prepare(labels);
    if (!work) return null;
    if (units.last?.work !== work || units.last.lam !== lam || units.last.filter !== filter)
      units.last = { work, lam, filter, made: units.weigh(work, lam, filter) };
    const [weights, shift] = units.last.made;
    const counts = shift?.slice() ?? new Float64Array(n);
    work.rows("points").forEach((row, i) => {
      for (let j = 0; j < n; j++) counts[j] += row[point] * weights[i * n + j];
    });
    return counts;
  }

  // Weights of work's rows, and the constant beside them.
  weigh(work, lam, filter) {
    const k = this.outputs;
    const { gamma, gamma1 } = this.modes;
    const h = (i) => filter.h(lam, gamma[(i / k) | 0], gamma1);
    if (work.load) return [work.load.map((b, i) => b * h(i)), null];
    let a;
    if (this.dataTerm === "poisson") a = this.poisson(work);
    else {
      const { eig, right, top } = work;
      const psi = (s) => (s > 1e-14 * top ? filter.h(lam, 1 / s, 1 / top) / s : 0);
      a = applySpectral(eig, psi, right, k);
      if (work.few) a = work.sources(a);
    }
    return [work.root ? a.map((v, i) => v * work.root[(i / k) | 0]) : a, this.constant(work, a)];
  }

  // Labels as sources: a Σ (y_j − ȳ) G(·, x_j), only the scale a is fitted to the labels.
  poisson({ n, y, values, sources }) {
    const k = this.outputs;
    const { centred } = centreRows(y, n, k);
    const direction = sources(centred.map((v) => v / n));
    const there = product(values, direction, n, k);
    const levelled = this.intercept ? centreRows(there, n, k).centred : there;
    let [dot, norm] = [0, 0];
    levelled.forEach((v, at) => ((dot += v * centred[at]), (norm += v * v)));
    return direction.map((v) => (norm > 0 ? (dot / norm) * v : 0));
  }

  // The unpenalised constant of the bordered system: mean over the labels of y - g.
  constant({ n, y, values }, a) {
    if (!this.intercept) return null;
    const k = this.outputs;
    const there = product(values, a, n, k);
    return centreRows(y.map((v, at) => v - there[at]), n, k).mean;
  }

  // The part that depends on the labels only, cached until they change.
  prepare(labels) {
    if (this.prepared && sameLabels(this.prepared.labels, labels)) return this.prepared.work;
    const rows = labels.map((label) => this.at(label));
    const work = rows.includes(null) ? null : this.decompose(labels, rows);
    this.prepared = { labels, work };
    return work;
  }

  // {rows(kind), truncated, rough} of the functions that are mixed, and for the data term over all samples
  // {load}, else {values: of these functions at the labels, y, n, eig, top, right}.
  decompose(labels, rows) {
    const y = this.given?.values ?? codesOf(labels, this.nClasses);
    const { rows: modeRows } = this.modes;
    const modes = { rows: (kind) => modeRows[kind], truncated: true, rough: true };
    if (this.dataTerm === "all")
      return { ...modes, load: this.transposed(rows, y, this.outputs, rows.length) };
    const known = labels.map((label) => this.known.get(labelKey(label)) ?? -1);
    const some = this.columns && known.some((j) => j >= 0);
    if (some && labels.length <= MOST_COLUMNS) return this.byColumns(labels, rows, known, y);
    return { ...modes, ...this.byModes(rows, y) };
  }

  // Rows (n, m) as a matrix, transposed, times y (n, k), over `n`.
  transposed(rows, y, k, n = 1) {
    const out = new Float64Array(this.modes.m * k);
    rows.forEach((row, j) => {
      for (let i = 0; i < row.length; i++) {
        const x = row[i] / n;
        for (let o = 0; o < k; o++) out[i * k + o] += x * y[j * k + o];
      }
    });
    return out;
  }

  // 1/gamma, the constant left out when it is free, else floored so that it stays finite.
  inverseGamma() {
    const { gamma, tiny } = this.modes;
    return gamma.map((g) => (g > tiny ? 1 / g : this.intercept ? 0 : 1 / tiny));
  }

  // The estimate in coordinates of the modes over root, B = E Gamma^(-1/2): by B^T B or, of fewer labels
  // than modes, by B B^T, which has the same eigenvalues. With an intercept B is projected off the
  // constant.
  byModes(rows, y) {
    const { m } = this.modes;
    const [n, k] = [rows.length, this.outputs];
    const root = this.inverseGamma().map(Math.sqrt);
    const values = new Float64Array(n * m);
    const scaled = rowsOf(values, n);
    rows.forEach((row, j) => scaled[j].set(row.map((e, i) => e * root[i])));
    const centred = rowsOf(this.intercept ? centreRows(values, n, m).centred : values, n);
    const sources = (a) => this.transposed(scaled, a, k);
    const few = n < m;
    const sides = few ? Array.from({ length: m }, (_, i) => centred.map((row) => row[i])) : centred;
    const gram = spectrum(gramOf(sides, few ? n : m, n), few ? n : m);
    const right = few ? this.residual(y, n) : this.transposed(centred, y, k, n);
    return { values, y, n, root, sources, few, right, ...gram };
  }

  // y over n, with an intercept less its mean.
  residual(y, n) {
    return (this.intercept ? centreRows(y, n, this.outputs).centred : y).map((v) => v / n);
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
    const entry = (i, j) => {
      if (known[i] >= 0 && known[j] >= 0) return exact(i, j);
      if (known[i] >= 0) return this.columnAt(known[i], labels[j]);
      if (known[j] >= 0) return this.columnAt(known[j], labels[i]);
      return rough(i, j) + (i === j ? tail : 0);
    };
    const gram = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) gram[i * n + j] = gram[j * n + i] = entry(i, j);
    const made = {};
    const columns = (kind) => {
      const [table, modeRows] = [this.columns.rows(kind), this.modes.rows[kind]];
      if (!modeRows) return null;
      const column = (j) => mixed(modeRows, rows[j].map((e, i) => e * inverse[i]));
      const own = (_, j) => (known[j] >= 0 && table ? table[known[j]] : column(j));
      return (made[kind] ??= labels.map(own));
    };
    const right = this.residual(y, n);
    const own = spectrum((this.intercept ? centreBoth(gram, n) : gram).map((g) => g / n), n);
    const rest = { values: gram, y, n, right, sources: (a) => a, ...own };
    return { rows: columns, truncated: false, rough: known.includes(-1), ...rest };
  }

  columnAt(j, label) {
    const at = this.modes.points.position.get(label.index);
    const [points, grid] = ["points", "grid"].map((kind) => this.columns.rows(kind));
    if (at !== undefined && points) return points[j][at];
    return grid ? sample(grid[j], this.modes.grid, label.x, label.y) : 0;
  }

  // Every mode at a label's place: exact at a drawn point, else interpolated on the grid.
  at(label) {
    const { rows, grid, points, m } = this.modes;
    const at = points.position.get(label.index);
    if (at === undefined && !rows.grid) return null;
    const out = new Float64Array(m);
    for (let i = 0; i < m; i++)
      out[i] = at !== undefined ? rows.points[i][at] : sample(rows.grid[i], grid, label.x, label.y);
    return out;
  }
}

// Given numbers as records like labels, their values, and what is added to the estimate.
function numbersOf({ xy, index, values, offset }) {
  const labels = Array.from(index.data, (row, j) => {
    return { x: xy.data[2 * j], y: xy.data[2 * j + 1], index: row, code: 0, others: [] };
  });
  return { labels, values: Float64Array.from(values.data), offset };
}

function spectrum(matrix, n) {
  const eig = eigSymmetric(matrix, n);
  return { eig, top: Math.max(eig.values[0], 1e-300) };
}

function dot3(a, b, w) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i] * w[i];
  return sum;
}
