// Corrections of the estimate from the modes: class balance, and the difference to Python's answer.

import { sharesOf } from "./codes.js";
import { sameLabel } from "./labels.js";
import { ModesModel } from "./modes.js";

const NEGLIGIBLE = 1e-6;
const MOST_GROWTH = 1.5;
// Weights of the tail in a sum over all samples: above the first it is visible; below the second it is not
// known well enough to be scaled up to the first.
const VISIBLE = 0.02;
const UNKNOWN = 1e-3;

export class AdjustedModel extends ModesModel {
  // anchor: {lam, filter (compiled), labels, grid, points} of Python's answer, or null.
  constructor(modes, spec, scene, anchor) {
    super(modes, spec, scene);
    Object.assign(this, { anchor, differences: {} });
  }

  // The leading modes lack the tail of the spectrum, which Python's answer includes. The difference is
  // known at the answered settings; adding it during a drag avoids jumps at the start and the end.
  evaluate(settings, out) {
    if (this.anchor && this.lacksTail(settings)) return false;
    if (!this.estimate(settings, out)) return false;
    const { rough } = this;
    if (rough && settings.alone) return false; // nothing would correct it
    const share = this.anchor && this.truncated ? this.differenceShare(settings) : 0;
    for (const kind of share ? ["grid", "points"] : []) {
      const values = out[kind];
      const difference = values && (this.differences[kind] ??= this.difference(kind, values.length));
      if (difference) for (let p = 0; p < values.length; p++) values[p] += share * difference[p];
    }
    this.rough = rough; // not that at the anchor
    return true;
  }

  // ---- class balance ------------------------------------------------------------------------------

  // The mean share of every class over the points becomes its share of the labels, as in
  // lapviz/estimates/codes.py. The points must be all samples. The panel's model record has the rule,
  // `balance` ("scale" or "shift", "" for none), the number of labels that are added to those of each
  // class to even out their shares, `pseudo`, and factors on the grid, `fade`, or null.
  estimate(settings, out) {
    const { outputs: k, spec } = this;
    if (!spec.balance) return super.estimate(settings, out);
    const { fade } = spec;
    const points = out.points ?? (this.buffer ??= new Float64Array(k * this.modes.points.count));
    if (!super.estimate(settings, { grid: out.grid, points })) return false;
    if (!settings.labels.length) return true;
    const { factor, shift } = this.correction(points, settings.labels);
    for (const values of [out.grid, out.points].filter(Boolean)) {
      const stride = values.length / k;
      for (let o = 0, p = 0; o < k; o++)
        for (const end = p + stride; p < end; p++) values[p] = factor[o] * values[p] + shift[o];
    }
    if (fade && out.grid) for (let i = 0; i < out.grid.length; i++) out.grid[i] *= fade[i % fade.length];
    return true;
  }

  // Factor and shift of each output. The class proportions are those of the labels and of the added ones;
  // several candidates of a label have equal shares. A class's share is its score plus 1/K; the scores of two
  // classes, which have one signed output, are half of it and its negative.
  correction(points, labels) {
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
    const shift = prior.map((p, c) => (rule === "shift" ? p - mass[c] : (factor[c] - 1) / classes));
    if (k > 1) return { factor, shift };
    return { factor: [(factor[0] + factor[1]) / 2], shift: [shift[1] - shift[0]] };
  }

  // ---- the difference to Python's answer ----------------------------------------------------------

  // Is the tail visible but unknown from the anchor? For example early in a heat flow, after an answer from
  // late in it. Then Python has to answer.
  lacksTail({ lam, filter }) {
    if (this.dataTerm !== "all" || !filter?.h || this.modes.complete) return false;
    const isVisible = this.tailWeight(filter, lam) > VISIBLE;
    return isVisible && this.tailWeight(this.anchor.filter, this.anchor.lam) < UNKNOWN;
  }

  tailWeight(filter, lam) {
    const { gamma, gamma1 } = this.modes;
    return filter?.h?.(lam, 2 * gamma[gamma.length - 1], gamma1) ?? 0;
  }

  // Share of the anchor's difference that still applies: from the filter's weight of the tail at both
  // settings, and from the labels that they have in common.
  differenceShare({ lam, filter, labels }) {
    const { anchor, dataTerm } = this;
    const common = anchor.labels.filter((label) => labels.some((other) => sameLabel(other, label)));
    // Observed numbers cannot be edited.
    const labelShare = this.observed ? 1 : common.length / Math.max(labels.length, 1);
    if (dataTerm === "poisson") return labelShare; // has neither λ nor filter
    const before = this.tailWeight(anchor.filter, anchor.lam);
    if (!(before > NEGLIGIBLE)) return 0;
    // With the labelled data term the tail levels off at the interpolant and does not grow like h.
    const most = dataTerm === "all" ? Infinity : MOST_GROWTH;
    return Math.min(this.tailWeight(filter, lam) / before, most) * labelShare;
  }

  // Python's values minus the model's at the anchor.
  difference(kind, length) {
    const exact = this.anchor[kind];
    if (exact?.length !== length) return null;
    const difference = new Float32Array(length);
    if (!this.estimate(this.anchor, { grid: null, points: null, [kind]: difference })) return null;
    return difference.map((estimate, p) => exact[p] - estimate);
  }
}
