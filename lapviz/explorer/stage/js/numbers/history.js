// The undo stack, {past, present, future}: pure functions that return new stacks.

const DEPTH = 200;

export function history(present) {
  return { past: [], present, future: [] };
}

export function record({ past, present: previous }, present) {
  return { past: [...past, previous].slice(-DEPTH), present, future: [] };
}

export const sameJson = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// The stack with an equal present replaced by this one; if its present differs, make(present).
export function withPresent(stack, present, same, make = history) {
  return stack && same(stack.present, present) ? { ...stack, present } : make(present);
}

// A Map of the newest `most` entries.
export class NewestMap extends Map {
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

// Histories outlive their stage, as the zoom does: by its name.
export const histories = new NewestMap(20);

// The stack after one step, "undo" or "redo"; the same stack if there is none.
export function stepped(stack, direction) {
  const { past, present, future } = stack ?? history(null);
  if (direction === "undo" && past.length)
    return { past: past.slice(0, -1), present: past.at(-1), future: [present, ...future] };
  if (direction === "redo" && future.length)
    return { past: [...past, present], present: future[0], future: future.slice(1) };
  return stack;
}
