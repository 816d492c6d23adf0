// Eigenpairs of a symmetric matrix: Householder reflections to tridiagonal form, then implicit QL.
// (Golub & Van Loan, Matrix Computations, sections 8.3.1 and 8.3.3.)

const EPSILON = 2 ** -52;
const MOST_SWEEPS = 80;

// Eigenpairs of a symmetric matrix (row-major, n * n), largest first. Row k of `vectors` is the
// eigenvector of values[k].
export function eigSymmetric(matrix, n) {
  const { diagonal, off, vectors } = tridiagonal(Float64Array.from(matrix), n);
  diagonalise(diagonal, off, vectors, n);
  const order = Array.from({ length: n }, (_, i) => i).sort((i, j) => diagonal[j] - diagonal[i]);
  const sorted = new Float64Array(n * n);
  order.forEach((i, k) => sorted.set(vectors.subarray(i * n, i * n + n), k * n));
  return { values: Float64Array.from(order, (i) => diagonal[i]), vectors: sorted };
}

// A = Q T Q^T. Returns T's diagonals and the rows of Q^T; overwrites `a`.
function tridiagonal(a, n) {
  const reflectors = [];
  const off = new Float64Array(n);
  for (let k = 0; k < n - 2; k++) {
    const v = new Float64Array(n);
    for (let i = k + 1; i < n; i++) v[i] = a[i * n + k];
    off[k] = v[k + 1];
    if (dot(v, v, k + 2, n) <= 1e-300) continue; // the column is tridiagonal already
    const length = Math.sqrt(dot(v, v, k + 1, n));
    off[k] = v[k + 1] > 0 ? -length : length;
    v[k + 1] -= off[k];
    const beta = 2 / dot(v, v, k + 1, n);
    reflect(a, v, beta, k + 1, n);
    reflectors.push({ v, beta, from: k + 1 });
  }
  if (n > 1) off[n - 2] = a[(n - 1) * n + n - 2];
  const diagonal = Float64Array.from({ length: n }, (_, i) => a[i * n + i]);
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  // Rows of Q^T: every row times the reflectors, the last one first.
  for (const { v, beta, from } of reflectors.reverse()) {
    for (let r = from; r < n; r++) {
      const row = vectors.subarray(r * n, r * n + n);
      const factor = beta * dot(row, v, from, n);
      for (let i = from; i < n; i++) row[i] -= factor * v[i];
    }
  }
  return { diagonal, off, vectors };
}

// A <- H A H on the trailing block, H = I - beta v v^T: A - v w^T - w v^T.
function reflect(a, v, beta, from, n) {
  const w = new Float64Array(n);
  for (let i = from; i < n; i++) w[i] = beta * dot(a.subarray(i * n, i * n + n), v, from, n);
  const half = (beta / 2) * dot(w, v, from, n);
  for (let i = from; i < n; i++) w[i] -= half * v[i];
  for (let i = from; i < n; i++) {
    for (let j = from; j < n; j++) a[i * n + j] -= v[i] * w[j] + w[i] * v[j];
  }
}

// Implicit QL on the tridiagonal (d, e); its rotations are applied to the rows of v.
function diagonalise(d, e, v, n) {
  let size = 0;
  for (let i = 0; i < n; i++) size = Math.max(size, Math.abs(d[i]) + Math.abs(e[i]));
  const split = (m) =>
    Math.abs(e[m]) <= EPSILON * (Math.abs(d[m]) + Math.abs(d[m + 1]) + EPSILON * size);
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
      let m = l;
      while (m < n - 1 && !split(m)) m++;
      if (m === l) break;
      qlStep(d, e, v, n, l, m);
    }
  }
}

// One QL step on rows l..m with Wilkinson's shift.
function qlStep(d, e, v, n, l, m) {
  const ratio = (d[l + 1] - d[l]) / (2 * e[l]);
  const root = Math.hypot(ratio, 1);
  let g = d[m] - d[l] + e[l] / (ratio + (ratio >= 0 ? root : -root));
  let s = 1;
  let c = 1;
  let shift = 0;
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i];
    const b = c * e[i];
    const r = Math.hypot(f, g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] -= shift;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    const next = d[i + 1] - shift;
    const t = (d[i] - next) * s + 2 * c * b;
    shift = s * t;
    d[i + 1] = next + shift;
    g = c * t - b;
    rotate(v, i * n, (i + 1) * n, n, c, s);
  }
  d[l] -= shift;
  e[l] = g;
  e[m] = 0;
}

function rotate(v, p, q, n, c, s) {
  for (let k = 0; k < n; k++) {
    const x = v[p + k];
    const y = v[q + k];
    v[p + k] = c * x - s * y;
    v[q + k] = s * x + c * y;
  }
}

function dot(a, b, from, to) {
  let sum = 0;
  for (let i = from; i < to; i++) sum += a[i] * b[i];
  return sum;
}
