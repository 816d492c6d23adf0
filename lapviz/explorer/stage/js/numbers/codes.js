// Classes as numbers, as lapviz/estimates/codes.py has them: codes of labels, and the one rule that
// decodes scores.

import contract from "../../../../contract.json";
import { candidatesOf } from "./labels.js";

// Outputs of a scene with so many classes: one signed function for two, else one score each.
export function outputsOf(nClasses) {
  return nClasses > 2 ? nClasses : 1;
}

// Share of each class in a label: 1 for its own; of several candidates each has an equal share.
export function sharesOf(label, nClasses) {
  const shares = new Float64Array(nClasses);
  const candidates = candidatesOf(label);
  for (const c of candidates) shares[c] = 1 / candidates.length;
  return shares;
}

// Codes of labels, (n_labels, outputs): -1/+1 for two classes, else one-hot minus 1/K; the mean code
// of several candidates.
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

// The result of the last decodeAt: one record for all calls, since there is one per pixel.
export const win = { code: 0, next: -1, score: -Infinity, other: -Infinity, margin: 0 };

// Decodes the scores values[at], values[at + stride], ..., k of them, into `win`: the largest wins,
// a tie goes to the first class, NaN never wins. A single score is that of class 1
// against class 0.
export function decodeAt(values, at, stride, k) {
  if (k === 1) {
    const v = values[at];
    win.code = v > 0 ? 1 : 0;
    win.next = 1 - win.code;
    win.score = Math.abs(v);
    win.other = -win.score;
    win.margin = win.score;
    return win;
  }
  let [code, next, best, other] = [0, -1, -Infinity, -Infinity];
  for (let c = 0, p = at; c < k; c++, p += stride) {
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
  win.code = code;
  win.next = next;
  win.score = best;
  win.other = other;
  win.margin = best - other;
  return win;
}

// ---- which points are right, counted where the picture is drawn; the share as words ---------------

const RULE = contract.accuracy;

// The drawn points that do not get their true class, of those whose class is known and that are
// not labelled: their positions, and how many these are. values: (k, points.count).
export function wrongPoints(values, k, points, labels) {
  const { truth, count, position } = points;
  const given = new Set(labels.map((label) => position.get(label.index)));
  const wrong = [];
  let known = 0;
  for (let i = 0; i < count; i++) {
    if (!(truth?.[i] >= 0) || given.has(i)) continue;
    known += 1;
    if (decodeAt(values, i, count, k).code !== truth[i]) wrong.push(i);
  }
  return { wrong, known };
}

// The share as every picture writes it, the words before the number and the number; "" for null.
// `about`: counted over a part of the samples, or by an estimate from leading modes.
export function rightParts(share, about) {
  if (share === null) return ["", ""];
  const [before, after] = RULE.words.split("{}");
  return [before, (about ? "≈ " : "") + (100 * share).toFixed(RULE.digits) + after];
}
