// What lasts of the pictures (grid, points, modes; curves; an image), under its content hash.

const MOST_STORED = 8;
const store = new Map();
const waiting = new Set();

// Store a part and notify who waits for it.
export function keep(tag, lasting) {
  store.delete(tag);
  store.set(tag, lasting);
  while (store.size > MOST_STORED) store.delete(store.keys().next().value);
  for (const wake of [...waiting]) wake();
}

export function stored(tag) {
  return store.get(tag) ?? null;
}

export function awaitStore(wake) {
  waiting.add(wake);
  return () => waiting.delete(wake);
}
