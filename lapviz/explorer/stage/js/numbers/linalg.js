// Linear algebra: spectral functions, Cholesky, linear combinations, bilinear interpolation.

// U diag(weight(s)) U^T Y for eigenpairs, the vectors as rows, and Y (n, k) row-major.
export function applySpectral({ values, vectors }, weight, y, k) {
  const n = values.length;
  const weights = values.map((s) => weight(s));
  const weighted = product(vectors, y, n, k).map((c, at) => c * weights[(at / k) | 0]);
  return product(transposed(vectors, n), weighted, n, k);
}

// X with A X = Y for a positive definite A (n, n) and Y (n, k), by Cholesky.
export function solvePositive(matrix, n, y, k) {
  const l = Float64Array.from(matrix);
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = l[i * n + j];
      for (let c = 0; c < j; c++) sum -= l[i * n + c] * l[j * n + c];
      // With two labels in one place, rounding may leave no positive pivot.
      if (i === j) l[j * n + j] = Math.sqrt(Math.max(sum, 1e-15 * matrix[j * n + j]));
      else l[i * n + j] = sum / l[j * n + j];
    }
  }
  const x = Float64Array.from(y);
  for (let o = 0; o < k; o++) {
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < i; c++) x[i * k + o] -= l[i * n + c] * x[c * k + o];
      x[i * k + o] /= l[i * n + i];
    }
    for (let i = n - 1; i >= 0; i--) {
      for (let c = i + 1; c < n; c++) x[i * k + o] -= l[c * n + i] * x[c * k + o];
      x[i * k + o] /= l[i * n + i];
    }
  }
  return x;
}

// A (n, m) times X (m, k), all row-major, in double precision.
export function product(a, x, n, k) {
  const m = x.length / k;
  const out = new Float64Array(n * k);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < m; j++)
      for (let o = 0; o < k; o++) out[i * k + o] += a[i * m + j] * x[j * k + o];
  return out;
}

// The transpose of a row-major array with n rows.
export function transposed(a, n) {
  const m = a.length / n;
  return a.map((_, at) => a[(at % n) * m + ((at / n) | 0)]);
}

// The columns of an (n, k) array minus their means, and the means.
export function centreRows(y, n, k) {
  const mean = new Float64Array(k);
  for (let j = 0; j < n * k; j++) mean[j % k] += y[j] / n;
  return { centred: y.map((v, j) => v - mean[j % k]), mean };
}

// P G P with P = I - 11^T/n.
export function centreBoth(gram, n) {
  const { mean } = centreRows(gram, n, n);
  const all = mean.reduce((a, b) => a + b, 0) / n;
  return gram.map((g, at) => g - mean[(at / n) | 0] - mean[at % n] + all);
}

let sums = new Float64Array(0);

// out[o, :] = shift[o] + sum_i weights[i, o] * rows[i], out (k, width); in double precision, since large
// terms may cancel.
export function mix(out, rows, weights, k, shift = null) {
  const width = out.length / k;
  if (sums.length !== width) sums = new Float64Array(width);
  for (let o = 0; o < k; o++) {
    sums.fill(shift ? shift[o] : 0);
    for (let i = 0; i < rows.length; i++) {
      const w = weights[i * k + o];
      if (w === 0) continue;
      const row = rows[i];
      for (let p = 0; p < width; p++) sums[p] += w * row[p];
    }
    out.set(sums, o * width);
  }
}

// The same for each of {grid, points} that is not null; rows(kind) returns the rows of each.
export function mixEach(out, rows, weights, k, shift = null) {
  for (const kind of ["grid", "points"])
    if (out[kind]) mix(out[kind], rows(kind), weights, k, shift);
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
