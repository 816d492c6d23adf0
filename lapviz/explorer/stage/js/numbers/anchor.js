// The leading modes lack the tail of the spectrum, which Python's answer includes. The difference
// is known at the answered settings; added during a drag, it avoids jumps at both ends.

import { findLabel, sameClasses } from "./labels.js";

const NEGLIGIBLE = 1e-6;
const MOST_GROWTH = 1.5;

export class Anchored {
  // model: a ModesModel; anchor: {lam, filter (compiled), labels, grid, points} of Python's answer.
  constructor(model, anchor) {
    Object.assign(this, { inner: model, outputs: model.outputs, anchor, rests: {} });
  }

  evaluate(settings, out) {
    if (!this.inner.evaluate(settings, out)) return false;
    if (this.inner.truncated) {
      const share = this.share(settings);
      for (const kind of ["grid", "points"]) {
        if (out[kind] && share) this.add(out[kind], kind, share);
      }
    }
    return true;
  }

  // Share of the anchor's difference that still applies: from the filter's weight of the tail at
  // both settings, and from the labels that both have.
  share({ lam, filter, labels }) {
    const { anchor, inner } = this;
    const { gamma, gamma1 } = inner.modes;
    const tail = 2 * gamma[gamma.length - 1];
    const given = Boolean(inner.given); // numbers, which no hand changes
    if (!given && !labels.length) return 0;
    const kept = anchor.labels.filter((label) => {
      const at = findLabel(labels, label);
      return at >= 0 && sameClasses(labels[at], label);
    });
    const stay = given ? 1 : kept.length / labels.length;
    if (inner.dataTerm === "poisson") return stay; // it has no λ, no filter
    const before = anchor.filter?.h?.(anchor.lam, tail, gamma1) ?? 0;
    if (!(before > NEGLIGIBLE)) return 0;
    // The tail of the labelled data term levels off at the interpolant, it does not grow like h.
    const most = inner.dataTerm === "all" ? Infinity : MOST_GROWTH;
    return Math.min(filter.h(lam, tail, gamma1) / before, most) * stay;
  }

  add(target, kind, share) {
    const rest = (this.rests[kind] ??= this.rest(kind, target.length));
    if (!rest) return;
    for (let p = 0; p < target.length; p++) target[p] += share * rest[p];
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
