"""Formulas in Python's syntax that both NumPy and the browser evaluate.

A kernel or filter has its formula as text, ``"exp(-r2 / (2 * sigma**2))"``. :func:`parse` turns
it into nested tuples, ``("exp", ("/", ("neg", "r2"), ...))``, which are sent to the browser as
JSON; :func:`evaluate` computes their value with NumPy, ``formulas.js`` in the browser.

The language has numbers, the formula's variables, ``+ - * / **``, single comparisons (1 or 0),
``a if condition else b``, and the functions in :data:`FUNCTIONS`.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable

import numpy as np

Formula = float | str | tuple
Array = np.ndarray

# Number of arguments of each function; NumPy has a function of the same name.
FUNCTIONS = {
    **dict.fromkeys(("exp", "expm1", "log", "log1p", "sqrt", "abs", "floor"), 1),
    **dict.fromkeys(("minimum", "maximum"), 2),
}
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=="}
_NUMPY = {name: getattr(np, name) for name in FUNCTIONS} | {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "**": np.power,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "neg": np.negative,
    "if": lambda test, yes, no: np.where(test != 0, yes, no),
}


def parse(text: str, names: Iterable[str]) -> Formula:
    """Parse a formula into nested tuples: a number, a name, or (operation, argument, ...).

    Parameters
    ----------
    text : str
        An expression in Python's syntax.
    names : iterable of str
        Variables that the formula may use.

    Raises
    ------
    ValueError
        If the text is not an expression, or uses anything outside the language.
    """
    names = tuple(names)
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"The formula {text!r} is not a Python expression: {error.msg}.") from None

    def refuse(node: ast.AST, reason: str):
        part = ast.get_source_segment(text.strip(), node) or type(node).__name__
        return ValueError(f"The formula {text!r} cannot hold {part!r}: {reason}.")

    def lower(node: ast.AST) -> Formula:
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                if not math.isfinite(number):
                    raise refuse(node, "numbers must be finite")
                return float(number)
            case ast.Name(id=name):
                if name not in names:
                    raise refuse(node, f"the names here are {', '.join(names)}")
                return name
            case ast.BinOp(op=op) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)], lower(node.left), lower(node.right)
            case ast.UnaryOp(op=ast.USub()):
                return "neg", lower(node.operand)
            case ast.Compare(ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
                return _COMPARISONS[type(op)], lower(node.left), lower(right)
            case ast.IfExp():
                return "if", lower(node.test), lower(node.body), lower(node.orelse)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
                if len(args) != FUNCTIONS[name]:
                    raise refuse(node, f"{name} takes {FUNCTIONS[name]} argument(s)")
                return name, *map(lower, args)
        functions = ", ".join(FUNCTIONS)
        raise refuse(
            node,
            "the language has numbers, names, + - * / **, one comparison at a time, "
            f"“a if b else c” and the functions {functions}",
        )

    return lower(tree)


def evaluate(formula: Formula, **values: Array | float) -> Array:
    """Evaluate a formula with NumPy, for arrays that broadcast together.

    Both branches of a condition are computed; the one that is not taken may be NaN.
    """
    with np.errstate(all="ignore"):
        return np.asarray(_evaluate(formula, values), dtype=float)


def check_same(what: str, formula: Formula | None, expected: Array, **values: Array | float):
    """Refuse a formula, if there is one, that does not give the expected values."""
    if formula is None:
        return
    given = np.broadcast_to(evaluate(formula, **values), expected.shape)
    wrong = ~np.isclose(given, expected, rtol=1e-5, atol=1e-8)
    if wrong.any():
        raise ValueError(
            f"{what} must give what Python computes: it gives {given[wrong][0]:.6g} where that is "
            f"{expected[wrong][0]:.6g}."
        )


def _evaluate(formula: Formula, values: dict):
    if isinstance(formula, str):
        return values[formula]
    if isinstance(formula, tuple):
        operation, *arguments = formula
        return _NUMPY[operation](*(np.asarray(_evaluate(a, values), float) for a in arguments))
    return formula
