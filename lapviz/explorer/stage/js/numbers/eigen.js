// Eigenpairs of a symmetric matrix by Jacobi's rotations (Golub & Van Loan, Matrix Computations, 8.5).

const EPSILON = 2 ** -52;
const MOST_SWEEPS = 60;

// Eigenpairs of a symmetric matrix (row-major, n * n), largest first. Row k of `vectors` is the
// eigenvector of values[k].
export function eigSymmetric(matrix, n) {
  const a = Float64Array.from(matrix);
  const rotations = a.map((_, at) => Number(at % (n + 1) === 0)); // the product of all
  const small = EPSILON * a.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);
  let rotated = true;
  for (let sweep = 0; rotated && sweep < MOST_SWEEPS; sweep++) {
    rotated = false;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (Math.abs(a[p * n + q]) <= small) continue;
        const [c, s] = rotationFor(a[p * n + p], a[p * n + q], a[q * n + q]);
        rotate(a, p * n, q * n, 1, n, c, s);
        rotate(a, p, q, n, n, c, s);
        rotate(rotations, p * n, q * n, 1, n, c, s);
        a[p * n + q] = a[q * n + p] = 0;
        rotated = true;
      }
    }
  }
  const order = Array.from({ length: n }, (_, i) => i).sort((i, j) => a[j * (n + 1)] - a[i * (n + 1)]);
  const vectors = new Float64Array(n * n);
  order.forEach((i, k) => vectors.set(rotations.subarray(i * n, i * n + n), k * n));
  return { values: Float64Array.from(order, (i) => a[i * (n + 1)]), vectors };
}

// Cosine and sine of the smaller rotation that diagonalises the matrix [[app, apq], [apq, aqq]].
function rotationFor(app, apq, aqq) {
  const ratio = (aqq - app) / (2 * apq);
  const tangent = (ratio >= 0 ? 1 : -1) / (Math.abs(ratio) + Math.hypot(ratio, 1));
  const cosine = 1 / Math.hypot(tangent, 1);
  return [cosine, tangent * cosine];
}

// Rotate two rows or columns that start at p and q, with n entries each.
function rotate(a, p, q, stride, n, c, s) {
  for (let k = 0; k < n * stride; k += stride) {
    const x = a[p + k];
    const y = a[q + k];
    a[p + k] = c * x - s * y;
    a[q + k] = s * x + c * y;
  }
}
