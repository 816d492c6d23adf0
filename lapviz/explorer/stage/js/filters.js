// Low-pass filters h(gamma) as Python wrote them, compiled once, and class codes.

// Names an expression may use besides lam, gamma and gamma1.
const MATHS = [
  "exp",
  "expm1",
  "log",
  "log1p",
  "pow",
  "sqrt",
  "abs",
  "min",
  "max",
  "floor",
  "ceil",
  "round",
];
const ALLOWED = /^[\w\s.+\-*/%()<>=!?:,&|]*$/;
const TIKHONOV = { tikhonov: { label: "Tikhonov", expression: "1 / (1 + lam * gamma)" } };
const cache = new Map();

// {name: {label, expression}} to {name: {label, h}}; h is null where an expression fails, and the
// picture then waits for Python. Without any, Tikhonov alone.
export function compileFilters(filters) {
  const compiled = {};
  for (const [name, { label, expression }] of Object.entries(filters ?? TIKHONOV)) {
    if (!cache.has(expression)) cache.set(expression, compile(expression));
    const h = cache.get(expression);
    compiled[name] = { label: label ?? name, h };
  }
  return compiled;
}

function compile(expression) {
  if (typeof expression !== "string" || !ALLOWED.test(expression)) return null;
  try {
    const raw = new Function(
      "lam",
      "gamma",
      "gamma1",
      ...MATHS,
      `"use strict"; return +(${expression});`,
    );
    const maths = MATHS.map((name) => Math[name]);
    const h = (lam, gamma, gamma1) => raw(lam, gamma, gamma1, ...maths);
    return Number.isFinite(h(1, 1, 1)) ? h : null;
  } catch {
    return null;
  }
}

// Outputs of a scene with so many classes: one signed function for two, else one score each.
export function outputsOf(nClasses) {
  return nClasses > 2 ? nClasses : 1;
}

// Codes of labels, (n_labels, outputs): -1/+1 for two classes, else one-hot minus 1/K.
export function codesOf(labels, nClasses) {
  const k = outputsOf(nClasses);
  const y = new Float64Array(labels.length * k);
  labels.forEach((label, j) => {
    if (k === 1) y[j] = label.code > 0 ? 1 : -1;
    else for (let o = 0; o < k; o++) y[j * k + o] = (label.code === o ? 1 : 0) - 1 / k;
  });
  return y;
}
