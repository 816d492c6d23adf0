// Class balance: every class gets the mean share over the points that it has of the labels, as
// lapviz/estimates/codes.py does it. The points must be all samples. Python says by how many labels
// of each class the shares of the given ones are evened out.

import { sharesOf } from "./codes.js";

export class Balanced {
  // model: a ModesModel; spec: the panel's model record, with the rule ("scale" or "shift"), the
  // number of labels beside the given ones, and factors on the grid, or null; count: of the points.
  constructor(model, { balance, pseudo, fade }, count) {
    Object.assign(this, { inner: model, outputs: model.outputs, rule: balance, pseudo, count });
    this.fade = fade?.data ?? null;
  }

  get modes() {
    return this.inner.modes;
  }

  get dataTerm() {
    return this.inner.dataTerm;
  }

  get truncated() {
    return this.inner.truncated;
  }

  evaluate(settings, out) {
    const { outputs: k, count, inner } = this;
    const points = out.points ?? (this.own ??= new Float64Array(k * count));
    if (!inner.evaluate(settings, { grid: out.grid, points })) return false;
    if (!settings.labels.length) return true;
    const change = this.change(points, this.priorOf(settings.labels));
    for (const values of [out.grid, out.points]) if (values) apply(values, k, change);
    const { fade } = this;
    if (fade && out.grid) for (let i = 0; i < out.grid.length; i++) out.grid[i] *= fade[i % fade.length];
    return true;
  }

  // The classes' proportions: those of the labels, and as many more of each as Python says; of
  // several candidates each has an equal share.
  priorOf(labels) {
    const { nClasses } = this.inner;
    const counts = new Float64Array(nClasses).fill(this.pseudo);
    for (const label of labels) sharesOf(label, nClasses).forEach((share, c) => (counts[c] += share));
    return counts.map((count) => count / (labels.length + this.pseudo * nClasses));
  }

  // Factor and shift of each class's share.
  change(points, prior) {
    const { outputs: k, count, rule } = this;
    const classes = prior.length;
    const mass = new Float64Array(classes);
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < classes; c++) {
        const share = shareAt(points, i, count, k, c, classes);
        mass[c] += (rule === "scale" ? Math.max(share, 0) : share) / count;
      }
    }
    if (rule === "shift") return { factor: prior.map(() => 1), shift: prior.map((p, c) => p - mass[c]) };
    return { factor: prior.map((p, c) => (mass[c] > 0 ? p / mass[c] : 1)), shift: prior.map(() => 0) };
  }
}

function shareAt(values, at, stride, k, c, classes) {
  if (k === 1) return 0.5 * (1 + (c ? values[at] : -values[at]));
  return values[at + c * stride] + 1 / classes;
}

function apply(values, k, { factor, shift }) {
  const stride = values.length / k;
  const classes = factor.length;
  for (let i = 0; i < stride; i++) {
    if (k === 1) {
      const [no, yes] = [0, 1].map((c) => shareAt(values, i, 1, 1, c, 2) * factor[c] + shift[c]);
      values[i] = yes - no;
      continue;
    }
    for (let c = 0; c < k; c++) {
      const share = shareAt(values, i, stride, k, c, classes);
      values[i + c * stride] = share * factor[c] + shift[c] - 1 / classes;
    }
  }
}
