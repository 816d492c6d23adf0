// Strokes of a brush as records {code, radius, points}, and the text that Python reads and writes.

export const ERASER = -1;
export const MOST_CLASSES = 9;
const STROKE = /^(\d|e)r(\d{1,3})((?:[pm]\d{1,5})+)$/;

export function writeStrokes(strokes) {
  return strokes.map(written).join(".");
}

function written({ code, radius, points }) {
  let [x, y] = [0, 0];
  const steps = points.map(([px, py]) => {
    const text = step(px - x) + step(py - y);
    [x, y] = [px, py];
    return text;
  });
  return `${code === ERASER ? "e" : code}r${radius}${steps.join("")}`;
}

function step(value) {
  return `${value < 0 ? "m" : "p"}${Math.abs(value)}`;
}

export function readStrokes(text) {
  return text.split(".").filter(Boolean).map(readStroke).filter(Boolean);
}

function readStroke(text) {
  const found = STROKE.exec(text);
  if (!found) return null;
  const steps = found[3].match(/[pm]\d+/g).map((s) => (s[0] === "m" ? -1 : 1) * Number(s.slice(1)));
  const points = [];
  let [x, y] = [0, 0];
  for (let i = 0; i + 1 < steps.length; i += 2) {
    x += steps[i];
    y += steps[i + 1];
    points.push([x, y]);
  }
  return { code: found[1] === "e" ? ERASER : Number(found[1]), radius: Number(found[2]), points };
}

// The path with a new corner, if that is far enough from the last one to matter.
export function extended(points, [x, y], radius) {
  const [u, v] = points.at(-1);
  const near = Math.hypot(x - u, y - v) < Math.max(1, radius / 3);
  return near ? points : [...points, [x, y]];
}

// What undo and redo go through, by stage and picture, so that it outlives a look at another page.
const kept = new Map();

export class History {
  constructor(name, text) {
    const old = kept.get(name);
    this.stack = old?.at(-1)?.now === text ? old : [{ now: text, past: [], future: [] }];
    this.name = name;
    kept.set(name, this.stack);
  }

  get state() {
    return this.stack.at(-1);
  }

  set(state) {
    this.stack[0] = state;
  }

  record(text) {
    const { now, past } = this.state;
    if (text !== now) this.set({ now: text, past: [...past, now].slice(-200), future: [] });
  }

  undo() {
    const { now, past, future } = this.state;
    if (past.length) this.set({ now: past.at(-1), past: past.slice(0, -1), future: [now, ...future] });
    return past.length > 0;
  }

  redo() {
    const { now, past, future } = this.state;
    if (future.length) this.set({ now: future[0], past: [...past, now], future: future.slice(1) });
    return future.length > 0;
  }
}
