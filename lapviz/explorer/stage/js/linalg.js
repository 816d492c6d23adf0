// Small dense linear algebra in float64, and mixing of pictures in float32.

// Eigenpairs of a symmetric matrix (row-major, n*n) by cyclic Jacobi rotations, largest first.
// Row k of `vectors` is the eigenvector of values[k].
export function eigSymmetric(matrix, n) {
  const a = Float64Array.from(matrix);
  const v = new Float64Array(n * n);
  for (let i = 0; i < n; i++) v[i * n + i] = 1;
  let total = 0;
  for (const x of a) total += x * x;
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) off += a[i * n + j] ** 2;
    if (off <= 1e-30 * total) break;
    for (let p = 0; p < n - 1; p++) for (let q = p + 1; q < n; q++) rotate(a, v, n, p, q);
  }
  const order = Array.from({ length: n }, (_, i) => i).sort((i, j) => a[j * n + j] - a[i * n + i]);
  const values = Float64Array.from(order, (i) => a[i * n + i]);
  const vectors = new Float64Array(n * n);
  order.forEach((i, k) => vectors.set(v.subarray(i * n, i * n + n), k * n));
  return { values, vectors };
}

// One rotation that annihilates a[p, q].
function rotate(a, v, n, p, q) {
  const apq = a[p * n + q];
  if (Math.abs(apq) < 1e-300) return;
  const theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const c = 1 / Math.hypot(t, 1);
  const s = t * c;
  for (let k = 0, kp = p, kq = q; k < n; k++, kp += n, kq += n) {
    const x = a[kp];
    const y = a[kq];
    a[kp] = c * x - s * y;
    a[kq] = s * x + c * y;
  }
  turn(a, p * n, q * n, n, c, s);
  turn(v, p * n, q * n, n, c, s);
  a[p * n + q] = a[q * n + p] = 0;
}

function turn(m, p, q, n, c, s) {
  for (let k = 0; k < n; k++) {
    const x = m[p + k];
    const y = m[q + k];
    m[p + k] = c * x - s * y;
    m[q + k] = s * x + c * y;
  }
}

// U diag(weight(s)) U^T Y for an eigen-decomposition and Y (n, k) row-major; Float64Array (n, k).
export function applySpectral({ values, vectors }, weight, y, k) {
  const n = values.length;
  const out = new Float64Array(n * k);
  for (let e = 0; e < n; e++) {
    const w = weight(values[e]);
    if (w === 0) continue;
    for (let o = 0; o < k; o++) {
      let dot = 0;
      for (let j = 0; j < n; j++) dot += vectors[e * n + j] * y[j * k + o];
      dot *= w;
      for (let j = 0; j < n; j++) out[j * k + o] += dot * vectors[e * n + j];
    }
  }
  return out;
}

let wide = new Float64Array(0);

// out[o, :] = shift[o] + sum_i weights[i, o] * rows[i], out (k, width) in float32. Rows in float64
// are summed in float64: large terms may cancel.
export function mix(out, rows, weights, k, width, shift = null) {
  const double = rows[0] instanceof Float64Array;
  if (double && wide.length !== width) wide = new Float64Array(width);
  for (let o = 0; o < k; o++) {
    const target = double ? wide : out.subarray(o * width, (o + 1) * width);
    target.fill(shift ? shift[o] : 0);
    for (let i = 0; i < rows.length; i++) {
      const w = weights[i * k + o];
      if (w === 0) continue;
      const row = rows[i];
      for (let p = 0; p < width; p++) target[p] += w * row[p];
    }
    if (double) out.set(wide, o * width);
  }
}

// Rows of a row-major array (m, width) as views.
export function rowsOf(data, m) {
  const width = data.length / m;
  return Array.from({ length: m }, (_, i) => data.subarray(i * width, (i + 1) * width));
}

// Value at (x, y) of a field on the grid {x: [lo, hi, n], y: ...}, bilinear; clamped to the edge.
export function sample(field, grid, x, y) {
  const [x0, x1, nx] = grid.x;
  const [y0, y1, ny] = grid.y;
  const u = Math.min(Math.max(((x - x0) / (x1 - x0)) * (nx - 1), 0), nx - 1);
  const v = Math.min(Math.max(((y - y0) / (y1 - y0)) * (ny - 1), 0), ny - 1);
  const i = Math.min(Math.floor(u), nx - 2);
  const j = Math.min(Math.floor(v), ny - 2);
  const at = j * nx + i;
  const low = field[at] + (field[at + 1] - field[at]) * (u - i);
  const high = field[at + nx] + (field[at + nx + 1] - field[at + nx]) * (u - i);
  return low + (high - low) * (v - j);
}

export function median(values) {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
