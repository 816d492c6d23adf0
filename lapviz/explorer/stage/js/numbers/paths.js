// Shortest paths in the graph of nearest neighbours, where an edge costs the square of its length. Many
// short steps through the data are then cheaper than one across a gap.

const NEIGHBOURS = 8;

export class ShortestPaths {
  // xy: coordinates of the points, two numbers each.
  constructor({ xy, count }) {
    Object.assign(this, { xy, count, edges: null, towards: new Map() });
  }

  // The points on the path between two, both included; null if there is none.
  between(from, to) {
    this.edges ??= neighbourGraph(this.xy, this.count);
    if (!this.towards.has(to)) this.towards.set(to, shortest(this.edges, to, this.count));
    const next = this.towards.get(to);
    const path = [from];
    while (path.at(-1) !== to) {
      const step = next[path.at(-1)];
      if (step < 0) return null;
      path.push(step);
    }
    return path;
  }

  // The point nearest to a place.
  nearest(x, y) {
    const { xy, count } = this;
    const squareOf = (_, i) => (xy[2 * i] - x) ** 2 + (xy[2 * i + 1] - y) ** 2;
    const squares = Array.from({ length: count }, squareOf);
    return squares.indexOf(Math.min(...squares));
  }
}

// For every point a Map of its neighbours and the costs of the edges; symmetric. Neighbours are other places:
// all copies of a point hang on the first.
function neighbourGraph(xy, count) {
  const edges = Array.from({ length: count }, () => new Map());
  const link = (i, j, cost) => {
    edges[i].set(j, cost);
    edges[j].set(i, cost);
  };
  const first = new Map();
  for (let i = 0; i < count; i++) {
    const place = `${xy[2 * i]},${xy[2 * i + 1]}`;
    if (first.has(place)) link(i, first.get(place), 0);
    else first.set(place, i);
  }
  const order = [...first.values()].sort((i, j) => xy[2 * i] - xy[2 * j]);
  order.forEach((i, at) => {
    const near = []; // [square of the distance, point], the nearest first
    const largest = () => (near.length === NEIGHBOURS ? near.at(-1)[0] : Infinity);
    const tooFar = (j) => (xy[2 * j] - xy[2 * i]) ** 2 > largest();
    for (const step of [-1, 1]) {
      for (let k = at + step; k >= 0 && k < order.length && !tooFar(order[k]); k += step) {
        const j = order[k];
        const cost = (xy[2 * j] - xy[2 * i]) ** 2 + (xy[2 * j + 1] - xy[2 * i + 1]) ** 2;
        if (cost >= largest()) continue;
        near.push([cost, j]);
        near.sort(([a], [b]) => a - b).splice(NEIGHBOURS);
      }
    }
    for (const [cost, j] of near) link(i, j, cost);
  });
  return edges;
}

// Dijkstra: for every point the next one on its shortest path to `to`, or -1. A linear scan for the nearest
// open point is fast enough for the points that are drawn.
function shortest(edges, to, count) {
  const next = new Int32Array(count).fill(-1);
  const costs = new Float64Array(count).fill(Infinity);
  const open = new Set([to]);
  costs[to] = 0;
  while (open.size) {
    let [least, i] = [Infinity, -1];
    for (const j of open) if (costs[j] < least) [least, i] = [costs[j], j];
    open.delete(i);
    for (const [j, step] of edges[i]) {
      if (least + step >= costs[j]) continue;
      costs[j] = least + step;
      next[j] = i;
      open.add(j);
    }
  }
  return next;
}
