// Where a field has data near it: the nodes that limit colour scales; and distances from a way.

// The places of a grid's nodes near the data, or null where that is all or none of them; made once.
export function insideOf(grid) {
  if (!grid?.near) return null;
  if (grid.inside === undefined) {
    const at = [];
    grid.near.data.forEach((size, p) => size === 255 && at.push(p));
    const some = at.length && at.length < grid.near.data.length;
    grid.inside = some ? Int32Array.from(at) : null;
  }
  return grid.inside;
}

const FAR = 128; // of 255: more than half of the way from the data to where nothing is known

// Whether a place of the plane is far from all data: its nearest node says so.
export function farAt(grid, x, y) {
  if (!grid?.near) return false;
  const node = ([low, high, n], v) =>
    Math.min(Math.max(Math.round(((v - low) / (high - low)) * (n - 1)), 0), n - 1);
  return grid.near.data[node(grid.y, y) * grid.x[2] + node(grid.x, x)] < FAR;
}

// A grid's values at those nodes, outputs (k) below each other; all of them for `inside` null.
export function within(field, k, inside) {
  if (!inside) return field;
  const n = field.length / k;
  const m = inside.length;
  const out = new field.constructor(k * m);
  for (let o = 0; o < k; o++)
    for (let i = 0; i < m; i++) out[o * m + i] = field[o * n + inside[i]];
  return out;
}

// The distance of places (x, y) from the way between two places.
export function nearWay([ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy || 1;
  return (x, y) => {
    const t = Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / length, 0), 1);
    return Math.hypot(x - ax - t * dx, y - ay - t * dy);
  };
}
