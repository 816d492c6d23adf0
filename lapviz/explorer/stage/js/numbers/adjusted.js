// What is done to the modes' estimate: class balance, and the difference to Python's answer.

import { sharesOf } from "./codes.js";
import { sameLabel } from "./labels.js";
import { ModesModel } from "./modes.js";

// Class balance: every class gets the mean share over the points that it has of the labels, as
// lapviz/estimates/codes.py does it. The points must be all samples. Python says by how many labels
// of each class the shares of the given ones are evened out.
export class Balanced extends ModesModel {
  // The panel's model record has the rule, `balance` ("scale" or "shift"), the number of labels beside the
  // given ones, `pseudo`, and factors on the grid, `fade`, or null.
  evaluate(settings, out) {
    const { outputs: k, spec } = this;
    const fade = spec.fade?.data;
    const points = out.points ?? (this.own ??= new Float64Array(k * this.modes.points.count));
    if (!super.evaluate(settings, { grid: out.grid, points })) return false;
    if (!settings.labels.length) return true;
    const { factor, shift } = this.change(points, settings.labels);
    for (const values of [out.grid, out.points].filter(Boolean)) {
      const stride = values.length / k;
      for (let o = 0, p = 0; o < k; o++)
        for (const end = p + stride; p < end; p++) values[p] = factor[o] * values[p] + shift[o];
    }
    if (fade && out.grid) for (let i = 0; i < out.grid.length; i++) out.grid[i] *= fade[i % fade.length];
    return true;
  }

  // Factor and shift of each output. The classes' proportions are those of the labels, and as many more of
  // each as Python says; of several candidates each has an equal share. A class's share is 1/K more than its
  // score; of two classes, whose one output is signed, the scores are half of it and its negative.
  change(points, labels) {
    const { outputs: k, nClasses: classes } = this;
    const { balance: rule, pseudo } = this.spec;
    const { count } = this.modes.points;
    const counts = new Float64Array(classes).fill(pseudo);
    for (const label of labels) sharesOf(label, classes).forEach((share, c) => (counts[c] += share));
    const prior = counts.map((number) => number / (labels.length + pseudo * classes));
    const mass = new Float64Array(classes);
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < classes; c++) {
        const score = k > 1 ? points[i + c * count] : (c - 0.5) * points[i];
        const share = score + 1 / classes;
        mass[c] += (rule === "scale" ? Math.max(share, 0) : share) / count;
      }
    }
    const factor = prior.map((p, c) => (rule === "scale" && mass[c] > 0 ? p / mass[c] : 1));
    const added = prior.map((p, c) => (rule === "shift" ? p - mass[c] : (factor[c] - 1) / classes));
    if (k > 1) return { factor, shift: added };
    return { factor: [(factor[0] + factor[1]) / 2], shift: [added[1] - added[0]] };
  }
}

// ---- the difference to Python's answer ------------------------------------------------------------

// The leading modes lack the tail of the spectrum, which Python's answer includes. The difference
// is known at the answered settings; added during a drag, it avoids jumps at both ends.
const NEGLIGIBLE = 1e-6;
const MOST_GROWTH = 1.5;
// Weights of the tail in a sum over all samples: one that is seen, and one at which it is not known well
// enough to be scaled up to that.
const SEEN = 0.02;
const UNKNOWN = 1e-3;

export class Anchored {
  // model: a ModesModel; anchor: {lam, filter (compiled), labels, grid, points} of Python's answer.
  constructor(model, anchor) {
    Object.assign(this, { inner: model, outputs: model.outputs, anchor, rests: {} });
  }

  evaluate(settings, out) {
    if (!settings.alone && this.lacksTail(settings)) return false;
    if (!this.inner.evaluate(settings, out)) return false;
    this.rough = this.inner.rough;
    const share = this.inner.truncated ? this.share(settings) : 0;
    for (const kind of share ? ["grid", "points"] : []) {
      const values = out[kind];
      const rest = values && (this.rests[kind] ??= this.rest(kind, values.length));
      if (rest) for (let p = 0; p < values.length; p++) values[p] += share * rest[p];
    }
    return true;
  }

  countsAt(point, settings) {
    return this.inner.countsAt(point, settings);
  }

  // Would the tail be seen, and can it not be told from the anchor? Early in a heat flow, for example,
  // after an answer from late in it. Then Python has to answer.
  lacksTail({ lam, filter }) {
    if (this.inner.dataTerm !== "all" || !filter?.h) return false;
    return this.tailWeight(filter, lam) > SEEN && this.tailWeight(this.anchor.filter, this.anchor.lam) < UNKNOWN;
  }

  tailWeight(filter, lam) {
    const { gamma, gamma1 } = this.inner.modes;
    return filter?.h?.(lam, 2 * gamma[gamma.length - 1], gamma1) ?? 0;
  }

  // Share of the anchor's difference that still applies: from the filter's weight of the tail at
  // both settings, and from the labels that both have.
  share({ lam, filter, labels }) {
    const { anchor, inner } = this;
    const kept = anchor.labels.filter((label) => labels.some((other) => sameLabel(other, label)));
    // Given numbers are changed by no hand.
    const stay = inner.given ? 1 : kept.length / Math.max(labels.length, 1);
    if (inner.dataTerm === "poisson") return stay; // it has no λ, no filter
    const before = this.tailWeight(anchor.filter, anchor.lam);
    if (!(before > NEGLIGIBLE)) return 0;
    // The tail of the labelled data term levels off at the interpolant, it does not grow like h.
    const most = inner.dataTerm === "all" ? Infinity : MOST_GROWTH;
    return Math.min(this.tailWeight(filter, lam) / before, most) * stay;
  }

  // Python's values less the model's at the anchor.
  rest(kind, length) {
    const exact = this.anchor[kind];
    if (exact?.length !== length) return null;
    const rest = new Float32Array(length);
    if (!this.inner.evaluate(this.anchor, { grid: null, points: null, [kind]: rest })) return null;
    for (let p = 0; p < length; p++) rest[p] = exact[p] - rest[p];
    return rest;
  }
}
