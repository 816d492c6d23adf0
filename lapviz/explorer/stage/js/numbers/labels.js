// Labels as plain records {x, y, index, code, others}, edits of them, and their history: pure functions.

import contract from "../../../../contract.json";

const DIGITS = contract.labels.digits; // of a free label's place, as in the app's links
const SAME = 1e-5; // relative: more than any rounding to six digits moves a coordinate

// A coordinate as Python rounds it, so that its answer has exactly the label that was set here.
export function rounded(x) {
  return Number(x.toPrecision(DIGITS));
}

// A label as messages carry it, [x, y, index, code, further candidates ...], and back.
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

// Is any label one of several candidate classes?
export function anySeveral(labels) {
  return labels.some((label) => label.others?.length);
}

export function labelKey(label) {
  return label.index >= 0 ? `i${label.index}` : `f${rounded(label.x)},${rounded(label.y)}`;
}

// A labelled point is identified by its row: Python has its place in more digits than the browser.
// A free label is identified by its place, up to rounding.
export function samePlace(a, b) {
  if (a.index >= 0 || b.index >= 0) return a.index === b.index;
  const near = (p, q) => Math.abs(p - q) <= SAME * Math.max(Math.abs(p), Math.abs(q));
  return near(a.x, b.x) && near(a.y, b.y);
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

// A click: label a bare target, re-class one of another class, remove one of the same class. `also`, a click
// with Shift: one more candidate class for a labelled point, or one less.
export function toggle(labels, target, code, also = false) {
  const at = findLabel(labels, target);
  if (at < 0) return { labels: [...labels, placed(target, code)], did: "labelled" };
  const known = candidatesOf(labels[at]);
  if (known[0] === code && (!also || known.length === 1)) return remove(labels, target);
  const had = known.includes(code);
  const several = had ? known.filter((c) => c !== code) : [...known, code];
  const [first, ...others] = also ? several : [code];
  const changed = { ...labels[at], code: first, others: others.sort((a, b) => a - b) };
  const candidate = had ? "took a candidate from" : "added a candidate to";
  return { labels: labels.with(at, changed), did: also ? candidate : "changed" };
}

// Many points at once get a class, or one more candidate; at most `most` labels in all.
export function labelMany(labels, targets, code, { also, most }) {
  const byRow = new Map(labels.map((label, j) => [label.index, j]));
  const result = [...labels];
  let [count, full] = [0, false];
  for (const target of targets) {
    const at = byRow.get(target.index);
    if (at === undefined) {
      full ||= result.length >= most;
      if (full) continue;
      result.push(placed(target, code));
    } else {
      const known = candidatesOf(result[at]);
      if (also ? known.includes(code) : known.length === 1 && known[0] === code) continue;
      const others = also ? [...known.slice(1), code].sort((a, b) => a - b) : [];
      result[at] = { ...result[at], code: also ? known[0] : code, others };
    }
    count += 1;
  }
  return { labels: result, count, full };
}

function placed({ x, y, index }, code) {
  const place = index >= 0 ? { x, y, index } : { x: rounded(x), y: rounded(y), index: -1 };
  return { ...place, code, others: [] };
}

export function remove(labels, target) {
  return { labels: labels.filter((label) => !samePlace(label, target)), did: "removed" };
}

// Labels of rows stand where their points are drawn.
export function labelsAt(labels, { xy, position }) {
  return labels.map((label) => {
    const i = position.get(label.index);
    if (i === undefined) return label;
    const [x, y] = [xy[2 * i], xy[2 * i + 1]];
    const there = Math.fround(label.x) === x && Math.fround(label.y) === y;
    return there ? label : { ...label, x, y };
  });
}

// A history on the same points in another plane.
export function historyAt({ past, present, future }, points) {
  const move = (labels) => labelsAt(labels, points);
  return { past: past.map(move), present: move(present), future: future.map(move) };
}

// Labels of an older answer at the rows that their points have now; those of lost points are left out.
export function relocated(labels, { xy, index }) {
  const rows = new Map();
  index.forEach((row, i) => rows.set(`${xy[2 * i]},${xy[2 * i + 1]}`, row));
  const key = ({ x, y }) => `${Math.fround(x)},${Math.fround(y)}`;
  return labels.flatMap((label) => {
    if (label.index < 0) return [label];
    const row = rows.get(key(label));
    return row === undefined ? [] : [{ ...label, index: row }];
  });
}
