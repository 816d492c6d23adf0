// Labels as plain records {x, y, index, code}, edits of them, and the undo stack: pure functions.

const DEPTH = 200;

export function labelKey(label) {
  return label.index >= 0 ? `i${label.index}` : `f${label.x},${label.y}`;
}

// A labelled point is told by its row: Python knows its place to more digits than the browser.
export function sameLabels(a, b) {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  return a.every((p, j) => p.code === b[j].code && labelKey(p) === labelKey(b[j]));
}

export function findLabel(labels, target) {
  const key = labelKey(target);
  return labels.findIndex((label) => labelKey(label) === key);
}

// A click: label a bare target, re-class one of another class, remove one of the same class.
export function toggle(labels, target, code) {
  const at = findLabel(labels, target);
  const label = { x: target.x, y: target.y, index: target.index, code };
  if (at < 0) return { labels: [...labels, label], did: "labelled" };
  if (labels[at].code === code) return remove(labels, target);
  return { labels: labels.map((p, j) => (j === at ? label : p)), did: "changed" };
}

export function remove(labels, target) {
  const at = findLabel(labels, target);
  if (at < 0) return { labels, did: "nothing" };
  return { labels: labels.filter((_, j) => j !== at), did: "removed" };
}

// The undo stack: past and future are lists of label lists.
export function history(labels) {
  return { past: [], present: labels, future: [] };
}

export function record(stack, labels) {
  if (sameLabels(stack.present, labels)) return stack;
  return { past: [...stack.past, stack.present].slice(-DEPTH), present: labels, future: [] };
}

export function undo(stack) {
  if (!stack.past.length) return stack;
  return {
    past: stack.past.slice(0, -1),
    present: stack.past.at(-1),
    future: [stack.present, ...stack.future],
  };
}

export function redo(stack) {
  if (!stack.future.length) return stack;
  const [present, ...future] = stack.future;
  return { past: [...stack.past, stack.present], present, future };
}
