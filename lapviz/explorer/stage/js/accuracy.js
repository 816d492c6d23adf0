// The share of points right, counted where the picture is drawn, and as words.

import contract from "../../../contract.json";
import { decodeAt } from "./codes.js";

const RULE = contract.accuracy;

// Share of the drawn points that get their true class, of those whose class is known and that are
// not labelled; null if there is none. values: (k, points.count).
export function countRight(values, k, points, labels) {
  const { truth, count, position } = points;
  const given = new Set(labels.map((label) => position.get(label.index)));
  let [right, all] = [0, 0];
  for (let i = 0; i < count; i++) {
    if (truth[i] < 0 || given.has(i)) continue;
    all += 1;
    if (decodeAt(values, i, count, k).code === truth[i]) right += 1;
  }
  return all ? right / all : null;
}

// The share as every picture writes it, "" for null; `part`: counted over a part of the samples.
export function rightWords(share, part) {
  if (share === null) return "";
  return (part ? "≈ " : "") + RULE.words.replace("{}", (100 * share).toFixed(RULE.digits));
}
