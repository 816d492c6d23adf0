// Which points are right and wrong, counted where the picture is drawn, and the share as words.

import contract from "../../../../contract.json";
import { decodeAt } from "./codes.js";

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

// Share of those points that get their true class; null if there is none.
export function countRight(values, k, points, labels) {
  const { wrong, known } = wrongPoints(values, k, points, labels);
  return known ? (known - wrong.length) / known : null;
}

// The share as every picture writes it, the words before the number and the number; "" for null.
// `part`: counted over a part of the samples.
export function rightParts(share, part) {
  if (share === null) return ["", ""];
  const [before, after] = RULE.words.split("{}");
  return [(part ? "≈ " : "") + before, (100 * share).toFixed(RULE.digits) + after];
}
