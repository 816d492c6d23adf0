// Formulas that Python states once (lapviz/formulas.py) as nested lists: a number, a name, or
// [operation, argument, ...]. Compiled to functions of numbers; nothing is ever evaluated as code.

const OPERATIONS = {
  "+": (x, y) => x + y,
  "-": (x, y) => x - y,
  "*": (x, y) => x * y,
  "/": (x, y) => x / y,
  "**": (x, y) => x ** y,
  "<": (x, y) => (x < y ? 1 : 0),
  "<=": (x, y) => (x <= y ? 1 : 0),
  ">": (x, y) => (x > y ? 1 : 0),
  ">=": (x, y) => (x >= y ? 1 : 0),
  "==": (x, y) => (x === y ? 1 : 0),
  minimum: Math.min,
  maximum: Math.max,
  neg: (x) => -x,
  exp: Math.exp,
  sqrt: Math.sqrt,
  expm1: Math.expm1,
  log: Math.log,
  log1p: Math.log1p,
  abs: Math.abs,
  floor: Math.floor,
  if: (test, yes, no) => (test !== 0 ? yes : no),
};

// A function of the values of `names`, in their order; null if the formula contains an unknown operation, or
// a name that is neither in `names` nor in `constants`. Parts that depend on constants only are computed once.
export function compileFormula(tree, names, constants = {}) {
  try {
    return asFunction(compiled(tree, names, constants));
  } catch {
    return null;
  }
}

function asFunction(part) {
  return typeof part === "number" ? () => part : part;
}

// A number, or a function of the values.
function compiled(node, names, constants) {
  if (Number.isFinite(node)) return node;
  if (typeof node === "string" && Object.hasOwn(constants, node)) return constants[node];
  const at = names.indexOf(node);
  if (at >= 0) return (values) => values[at];
  const [operation, ...operands] = Array.isArray(node) ? node : [];
  const run = Object.hasOwn(OPERATIONS, operation) && OPERATIONS[operation];
  if (!run || run.length !== operands.length) throw new Error(`unknown: ${JSON.stringify(node)}`);
  const parts = operands.map((operand) => compiled(operand, names, constants));
  if (parts.every((part) => typeof part === "number")) return run(...parts);
  const [a, b, c] = parts.map(asFunction);
  if (c) return (values) => run(a(values), b(values), c(values));
  return b ? (values) => run(a(values), b(values)) : (values) => run(a(values));
}

// ---- the scene's low-pass filters h(gamma) --------------------------------------------------------

const NAMES = ["lam", "gamma", "gamma1"];

// {name: {label, formula}} to {name: {label, h}}; h is null if the formula cannot be compiled, and the
// picture then waits for Python.
export function compileFilters(filters) {
  const compile = ([name, { label, formula }]) => {
    const run = compileFormula(formula, NAMES);
    return [name, { label, h: run && ((...values) => run(values)) }];
  };
  return Object.fromEntries(Object.entries(filters).map(compile));
}
