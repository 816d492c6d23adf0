// Formulas that Python states once (lapviz/formulas.py) as nested lists: a number, a name, or
// [operation, argument, ...]. Compiled to steps over arrays; nothing is ever evaluated as code.

// out[i] from a[i * s] and b[i * t], where a stride of 0 repeats a single number. The operations of kernels
// have loops of their own: a shared loop calls its operation as an unknown function, at three times the cost.
const BINARY = {
  "+": (out, n, a, s, b, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] + b[i * t];
  },
  "-": (out, n, a, s, b, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] - b[i * t];
  },
  "*": (out, n, a, s, b, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] * b[i * t];
  },
  "/": (out, n, a, s, b, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] / b[i * t];
  },
  "**": (out, n, a, s, b, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] ** b[i * t];
  },
  "<": shared((x, y) => (x < y ? 1 : 0)),
  "<=": shared((x, y) => (x <= y ? 1 : 0)),
  ">": shared((x, y) => (x > y ? 1 : 0)),
  ">=": shared((x, y) => (x >= y ? 1 : 0)),
  "==": shared((x, y) => (x === y ? 1 : 0)),
  minimum: shared(Math.min),
  maximum: shared(Math.max),
};
const UNARY = {
  neg: (out, n, a, s) => {
    for (let i = 0; i < n; i++) out[i] = -a[i * s];
  },
  exp: (out, n, a, s) => {
    for (let i = 0; i < n; i++) out[i] = Math.exp(a[i * s]);
  },
  sqrt: (out, n, a, s) => {
    for (let i = 0; i < n; i++) out[i] = Math.sqrt(a[i * s]);
  },
  expm1: shared(Math.expm1),
  log: shared(Math.log),
  log1p: shared(Math.log1p),
  abs: shared(Math.abs),
  floor: shared(Math.floor),
};
const TERNARY = {
  if: (out, n, test, s, yes, t, no, u) => {
    for (let i = 0; i < n; i++) out[i] = test[i * s] !== 0 ? yes[i * t] : no[i * u];
  },
};
const LOOPS = [{}, UNARY, BINARY, TERNARY]; // by the number of arguments

function shared(operation) {
  return (out, n, a, s, b = a, t = s) => {
    for (let i = 0; i < n; i++) out[i] = operation(a[i * s], b[i * t]);
  };
}

// Compile a formula; null if it contains an unknown operation, or a name that is not in `names`. The
// result takes {name: number or Float64Array} and returns a number, or a new array if any of the values
// that it uses is one. Equal parts are computed once.
export function compileFormula(tree, names) {
  const steps = [];
  const positions = new Map();
  const add = (node) => {
    const key = JSON.stringify(node);
    if (!positions.has(key)) {
      const step = makeStep(node, names, add);
      if (!step) throw new Error(`unknown: ${key}`);
      positions.set(key, steps.push(step) - 1);
    }
    return positions.get(key);
  };
  try {
    add(tree);
  } catch {
    return null;
  }
  return (values) => {
    const results = [];
    for (const step of steps) results.push(evaluate(step, results, values));
    const last = results.at(-1);
    return last.length === 1 ? last[0] : last.slice();
  };
}

// A step: a number, a name, or a loop with the indices of the steps that are its arguments.
function makeStep(node, names, add) {
  if (typeof node === "number") return Number.isFinite(node) ? { constant: Float64Array.of(node) } : null;
  if (typeof node === "string") return names.includes(node) ? { name: node } : null;
  if (!Array.isArray(node)) return null;
  const [operation, ...operands] = node;
  const loops = LOOPS[operands.length] ?? {};
  if (typeof operation !== "string" || !Object.hasOwn(loops, operation)) return null;
  return { loop: loops[operation], args: operands.map(add) };
}

function evaluate(step, results, values) {
  if (step.constant) return step.constant;
  if (step.name) {
    const value = values[step.name];
    return typeof value === "number" ? Float64Array.of(value) : value;
  }
  const args = step.args.map((position) => results[position]);
  const n = Math.max(...args.map((a) => a.length));
  // The step reuses its array of that length.
  if (step.buffer?.length !== n) step.buffer = new Float64Array(n);
  step.loop(step.buffer, n, ...args.flatMap((a) => [a, a.length === 1 ? 0 : 1]));
  return step.buffer;
}

// ---- the scene's low-pass filters h(gamma), compiled once for each formula ------------------------

const NAMES = ["lam", "gamma", "gamma1"];
const cache = new Map();

// {name: {label, formula}} to {name: {label, h}}; h is null if the formula cannot be compiled, and the
// picture then waits for Python.
export function compileFilters(filters) {
  const compiled = {};
  for (const [name, { label, formula }] of Object.entries(filters ?? {})) {
    const key = JSON.stringify(formula);
    if (!cache.has(key)) {
      const run = compileFormula(formula, NAMES);
      cache.set(key, run && ((lam, gamma, gamma1) => run({ lam, gamma, gamma1 })));
    }
    compiled[name] = { label: label ?? name, h: cache.get(key) };
  }
  return compiled;
}
