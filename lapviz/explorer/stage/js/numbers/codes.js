// Classes as numbers, as in lapviz/estimates/codes.py: codes of labels, and the one rule that decodes
// scores.

import contract from "../../../../contract.json";
import { candidatesOf } from "./labels.js";

// Number of outputs: one signed function for two classes, else one score per class.
export function outputsOf(nClasses) {
  return nClasses > 2 ? nClasses : 1;
}

// Share of each class in a label: 1 for its class; several candidates have equal shares.
export function sharesOf(label, nClasses) {
  const shares = new Float64Array(nClasses);
  const candidates = candidatesOf(label);
  for (const c of candidates) shares[c] = 1 / candidates.length;
  return shares;
}

// Codes of labels, (n_labels, outputs): -1/+1 for two classes, else one-hot minus 1/K; several
// candidates have their mean code.
export function codesOf(labels, nClasses) {
  const k = outputsOf(nClasses);
  const y = new Float64Array(labels.length * k);
  labels.forEach((label, j) => {
    const shares = sharesOf(label, nClasses);
    if (k === 1) y[j] = 2 * shares[1] - 1;
    else for (let o = 0; o < k; o++) y[j * k + o] = shares[o] - 1 / k;
  });
  return y;
}

// The result of the last decodeAt: one record for all calls, since there is a call per pixel.
export const result = { code: 0, next: -1, score: -Infinity, other: -Infinity, margin: 0 };

// Decode k scores, values[at], values[at + stride], ..., into `result`: the largest wins, a tie goes to
// the first class, NaN never wins. A single score is that of class 1 against class 0.
export function decodeAt(values, at, stride, k) {
  let [code, next, best, other] = [0, -1, -Infinity, -Infinity];
  if (k === 1) {
    code = values[at] > 0 ? 1 : 0;
    next = 1 - code;
    best = Math.abs(values[at]);
    other = -best;
  }
  for (let c = 0, p = at; c < k && k > 1; c++, p += stride) {
    const v = values[p];
    if (v > best) {
      next = best > -Infinity ? code : next;
      other = best;
      best = v;
      code = c;
    } else if (v > other) {
      other = v;
      next = c;
    }
  }
  result.code = code;
  result.next = next;
  result.score = best;
  result.other = other;
  result.margin = k > 1 ? best - other : best;
  return result;
}

// ---- accuracy over the drawn points, and its text --------------------------------------------------

const RULE = contract.accuracy;

// Positions of the drawn points that do not get their true class, among those whose class is known and
// that are not labelled, and the total number of these. values: (k, points.count).
export function wrongPoints(values, k, points, labels) {
  const { truth, count, position } = points;
  const labelled = new Set(labels.map((label) => position.get(label.index)));
  const wrong = [];
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (!(truth?.[i] >= 0) || labelled.has(i)) continue;
    total += 1;
    if (decodeAt(values, i, count, k).code !== truth[i]) wrong.push(i);
  }
  return { wrong, total };
}

// The share as written in every picture, in two parts: the words before the number, and the number; "" for
// null. `about`: it is approximate, counted over some samples or estimated from the leading modes.
export function rightParts(share, about) {
  if (share === null) return ["", ""];
  const [before, after] = RULE.words.split("{}");
  return [before, (about ? "≈ " : "") + percentage(share) + after];
}

// A share in per cent, rounded as Python formats it: exact halves to an even digit.
export function percentage(share) {
  const value = 100 * share;
  const scaled = value * 10 ** RULE.digits;
  const down = Math.floor(scaled);
  const isHalf = scaled - down === 0.5 && Number.isInteger(value * 2 ** (RULE.digits + 1));
  return (isHalf && down % 2 === 0 ? down / 10 ** RULE.digits : value).toFixed(RULE.digits);
}
