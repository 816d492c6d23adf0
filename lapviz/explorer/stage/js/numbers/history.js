// The undo stack, {past, present, future}: pure functions on what is not changed itself.

const DEPTH = 200;

export function history(present) {
  return { past: [], present, future: [] };
}

export function record({ past, present: before }, present) {
  return { past: [...past, before].slice(-DEPTH), present, future: [] };
}

// The stack if its present is the same as this one, which it then has as it is written now; else
// what `make` makes of it.
export function renewed(stack, present, same, make = history) {
  return stack && same(stack.present, present) ? { ...stack, present } : make(present);
}

// What outlives a stage, by name; the newest `most` of them.
export class Kept extends Map {
  constructor(most) {
    super();
    this.most = most;
  }

  set(name, value) {
    this.delete(name);
    super.set(name, value);
    while (this.size > this.most) this.delete(this.keys().next().value);
    return this;
  }
}

// Histories outlive the stage that made them, as the zoom does: by stage key and view_key.
const kept = new Kept(20);

export function keep(name, stack) {
  kept.set(name, stack);
  return stack;
}

// The kept history if its present is the same as this one, else a new one.
export function recall(name, present, same) {
  return renewed(kept.get(name), present, same);
}

// One step back or on, `way` being "undo" or "redo"; the same stack where there is none.
export function travelled(stack, way) {
  const { past, present, future } = stack ?? history(null);
  if (way === "undo" && past.length)
    return { past: past.slice(0, -1), present: past.at(-1), future: [present, ...future] };
  if (way === "redo" && future.length)
    return { past: [...past, present], present: future[0], future: future.slice(1) };
  return stack;
}
