// Labels as plain records {x, y, index, code, others}, edits of them, and their history: pure functions.

import contract from "../../../../contract.json";

const DIGITS = contract.labels.digits; // of an off-sample label's place, as in the app's links
const SAME = 1e-5; // relative: more than any rounding to six digits moves a coordinate

// A coordinate rounded as by Python, whose answer then has exactly the same label.
export function rounded(x) {
  return Number(x.toPrecision(DIGITS));
}

// A label as sent in messages, [x, y, index, code, further candidates ...], and back.
export function toRow(label) {
  return [label.x, label.y, label.index, ...candidatesOf(label)];
}

export function fromRow([x, y, index, code, ...others]) {
  return { x, y, index, code, others };
}

// All classes that a labelled point may have.
export function candidatesOf({ code, others }) {
  return [code, ...(others ?? [])];
}

// Does any label have several candidate classes?
export function anyCandidates(labels) {
  return labels.some((label) => label.others?.length);
}

// Is it a label of a row of the data, not one in empty space?
export function isOfRow({ index }) {
  return index >= 0;
}

export function labelKey(label) {
  return isOfRow(label) ? `i${label.index}` : `f${rounded(label.x)},${rounded(label.y)}`;
}

// The name of a row of the data, by default its number from 1.
export function nameOf(row, { notes, position }) {
  return notes?.[position.get(row)]?.split("\n")[0] ?? `row ${row + 1}`;
}

// A labelled point is identified by its row, since Python has more digits of its place than the browser; an
// off-sample label by its place, up to rounding.
export function samePlace(a, b) {
  if (isOfRow(a) || isOfRow(b)) return a.index === b.index;
  const equal = (p, q) => Math.abs(p - q) <= SAME * Math.max(Math.abs(p), Math.abs(q));
  return equal(a.x, b.x) && equal(a.y, b.y);
}

export function sameLabel(a, b) {
  return candidatesOf(a).join() === candidatesOf(b).join() && samePlace(a, b);
}

export function sameLabels(a, b) {
  return a === b || (a.length === b.length && a.every((label, j) => sameLabel(label, b[j])));
}

export function findLabel(labels, target) {
  return labels.findIndex((label) => samePlace(label, target));
}

// A click: label an unlabelled target, change the class of a label, or remove a label of this class. With
// `addCandidate`, a click with Shift, a label gets one more candidate class, or loses this one.
export function toggle(labels, target, code, addCandidate = false) {
  const at = findLabel(labels, target);
  if (at < 0) return { labels: [...labels, newLabel(target, code)], action: "labelled" };
  const candidates = candidatesOf(labels[at]);
  if (candidates[0] === code && (!addCandidate || candidates.length === 1)) return remove(labels, target);
  const had = candidates.includes(code);
  const toggled = had ? candidates.filter((c) => c !== code) : [...candidates, code];
  const changed = withCandidates(labels[at], addCandidate ? toggled : [code]);
  const candidateAction = had ? "took a candidate from" : "added a candidate to";
  return { labels: labels.with(at, changed), action: addCandidate ? candidateAction : "changed" };
}

// The label with these candidates, the first of which stays the one in whose colour it is drawn.
function withCandidates(label, [code, ...others]) {
  return { ...label, code, others: others.sort((a, b) => a - b) };
}

// Give many points a class, or one more candidate; at most `most` labels in all.
export function labelMany(labels, targets, code, { addCandidate, most }) {
  const byRow = new Map(labels.map((label, j) => [label.index, j]));
  const result = [...labels];
  let [count, full] = [0, false];
  for (const target of targets) {
    const at = byRow.get(target.index);
    if (at === undefined) {
      full ||= result.length >= most;
      if (full) continue;
      result.push(newLabel(target, code));
    } else {
      const candidates = candidatesOf(result[at]);
      if (candidates.includes(code) && (addCandidate || candidates.length === 1)) continue;
      result[at] = withCandidates(result[at], addCandidate ? [...candidates, code] : [code]);
    }
    count += 1;
  }
  return { labels: result, count, full };
}

function newLabel({ x, y, index }, code) {
  const place = index >= 0 ? { x, y, index } : { x: rounded(x), y: rounded(y), index: -1 };
  return { ...place, code, others: [] };
}

export function remove(labels, target) {
  return { labels: labels.filter((label) => !samePlace(label, target)), action: "removed" };
}

// Labels of rows, moved to where their points are drawn.
export function labelsAt(labels, { xy, position }) {
  return labels.map((label) => {
    const i = position.get(label.index);
    if (i === undefined) return label;
    const [x, y] = [xy[2 * i], xy[2 * i + 1]];
    const isThere = Math.fround(label.x) === x && Math.fround(label.y) === y;
    return isThere ? label : { ...label, x, y };
  });
}

// A history with its labels moved to the same points in another plane.
export function historyAt({ past, present, future }, points) {
  const move = (labels) => labelsAt(labels, points);
  return { past: past.map(move), present: move(present), future: future.map(move) };
}

// Labels of an older answer with the current rows of their points; labels of lost points are left out.
export function relocated(labels, { xy, index }) {
  const rows = new Map(Array.from(index, (row, i) => [`${xy[2 * i]},${xy[2 * i + 1]}`, row]));
  const key = ({ x, y }) => `${Math.fround(x)},${Math.fround(y)}`;
  return labels.flatMap((label) => {
    if (!isOfRow(label)) return [label];
    const row = rows.get(key(label));
    return row === undefined ? [] : [{ ...label, index: row }];
  });
}
