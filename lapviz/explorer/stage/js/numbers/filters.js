// The scene's low-pass filters h(gamma), compiled once for each formula.

import { compileFormula } from "./formulas.js";

const NAMES = ["lam", "gamma", "gamma1"];
const cache = new Map();

// {name: {label, formula}} to {name: {label, h}}; h is null where a formula is not understood, and
// the picture then waits for Python.
export function compileFilters(filters) {
  const compiled = {};
  for (const [name, { label, formula }] of Object.entries(filters ?? {})) {
    const key = JSON.stringify(formula);
    if (!cache.has(key)) cache.set(key, compile(formula));
    compiled[name] = { label: label ?? name, h: cache.get(key) };
  }
  return compiled;
}

function compile(formula) {
  const evaluate = compileFormula(formula, NAMES);
  return evaluate && ((lam, gamma, gamma1) => evaluate({ lam, gamma, gamma1 }));
}
