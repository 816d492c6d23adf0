// Where a field has data near it: the nodes that limit colour scales; and distances from a segment.

// Positions of a grid's nodes near the data; null if these are all or none of them. Computed once.
export function insideOf(grid) {
  if (!grid?.near) return null;
  if (grid.inside === undefined) {
    const inside = [];
    grid.near.forEach((nearness, p) => nearness === 255 && inside.push(p));
    const isPart = inside.length && inside.length < grid.near.length;
    grid.inside = isPart ? Int32Array.from(inside) : null;
  }
  return grid.inside;
}

const FAR = 128; // of 255: more than half of the way from the data to where nothing is known

// Is a place of the plane far from all data, by its nearest node?
export function farAt(grid, x, y) {
  if (!grid?.near) return false;
  const node = ([low, high, n], v) =>
    Math.min(Math.max(Math.round(((v - low) / (high - low)) * (n - 1)), 0), n - 1);
  return grid.near[node(grid.y, y) * grid.x[2] + node(grid.x, x)] < FAR;
}

// A function for the distance of a place (x, y) from the segment between two places.
export function distanceToSegment([ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy || 1;
  return (x, y) => {
    const t = Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / length, 0), 1);
    return Math.hypot(x - ax - t * dx, y - ay - t * dy);
  };
}
