"""Texts that are numbers, dates or truth values, recognised on the different texts of a column."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

# fmt: off
MISSING = frozenset((
    "-", "--", "?", ".", "…", "–", "—", "NA", "N/A", "n/a", "na", "<NA>", "#N/A", "#NA", "NaN",
    "nan", "-nan", "-NaN", "NaT", "NULL", "null", "Null", "None", "nil", "NIL", "(null)", "\\N",
    "#VALUE!", "#DIV/0!", "#REF!", "#NAME?", "#NUM!", "#NULL!",
    "",
))
# fmt: on
TRUE = frozenset(("true", "yes", "t", "y", "on"))
TOLERATED = 0.05  # share of cells that are no numbers in a column of numbers
_SIGN = "[+-]?"
_EXPONENT = "(?:[eE][+-]?[0-9]+)?"
POINT = rf"^{_SIGN}(?:[0-9]+\.?[0-9]*|\.[0-9]+){_EXPONENT}$"
COMMA = rf"^{_SIGN}(?:[0-9]+,?[0-9]*|,[0-9]+){_EXPONENT}$"
POINT_GROUPS = rf"^{_SIGN}[0-9]{{1,3}}(?:[,' ][0-9]{{3}})+(?:\.[0-9]*)?$"
COMMA_GROUPS = rf"^{_SIGN}[0-9]{{1,3}}(?:[.' ][0-9]{{3}})+(?:,[0-9]*)?$"
ONE_GROUP = rf"^{_SIGN}[0-9]{{1,3}}[,.][0-9]{{3}}$"  # 1,234: a group or three decimals
_POINT_GROUP = rf"^{_SIGN}[0-9]{{1,3}}\.[0-9]{{3}}$"
_WORDS = r"^[+-]?(?:inf|infinity)$"
_AROUND = re.compile(r"^[$€£]\s?|\s?[%$€£]$")
_ANY = re.compile("|".join((POINT, COMMA, POINT_GROUPS, COMMA_GROUPS)))
_CLOCK = (
    r"(?:[T ](?P<H>[0-9]{1,2}):(?P<M>[0-9]{2})(?::(?P<S>[0-9]{2}(?:\.[0-9]+)?))?)?"
    r"(?:Z|(?P<Z>[+-][0-9]{2}:?[0-9]{2}))?$"
)
DATES = {
    "year first": r"^(?P<y>[0-9]{4})[-/.](?P<m>[0-9]{1,2})[-/.](?P<d>[0-9]{1,2})" + _CLOCK,
    "day first": r"^(?P<d>[0-9]{1,2})[-/.](?P<m>[0-9]{1,2})[-/.](?P<y>[0-9]{4})" + _CLOCK,
    "month first": r"^(?P<m>[0-9]{1,2})/(?P<d>[0-9]{1,2})/(?P<y>[0-9]{4})" + _CLOCK,
}


@dataclass(frozen=True, eq=False)
class Numbers:
    """What texts are as numbers.

    Attributes
    ----------
    values : array (m,)
        NaN where a text is none.
    known : array (m,) of bool
        The text is a number; it may be infinite.
    done : tuple of str
        What had to be done, in words.
    mixed : bool
        The others are numbers too, but in another notation.
    """

    values: np.ndarray
    known: np.ndarray
    done: tuple[str, ...] = ()
    mixed: bool = False


def looks_like_a_number(text: str) -> bool:
    """Is the text a number in any of the notations?"""
    text = _AROUND.sub("", text.strip().replace("\u2212", "-"))
    return bool(_ANY.match(text) or re.match(_WORDS, text.lower()))


def looks_like_a_date(text: str) -> bool:
    """Is the text a date in any of the orders?"""
    return any(re.match(pattern, text.strip()) for pattern in DATES.values())


def numbers_of(texts, decimal_comma: bool | None = None) -> Numbers:
    """Numbers among different texts, which are trimmed and not missing.

    Parameters
    ----------
    texts : pyarrow.StringArray (m,)
    decimal_comma : bool or None
        What other columns of the file say; None if they say nothing.

    Notes
    -----
    One notation holds for the whole column: decimal point or decimal comma, whichever all its
    numbers allow. If both do (1,234), ``decimal_comma`` decides, else the comma groups thousands.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    groups = decimal_comma and pc.all(pc.match_substring_regex(texts, _POINT_GROUP)).as_py()
    if not groups:
        try:
            values = np.asarray(pc.cast(texts, pa.float64()))
            return Numbers(values, np.ones(len(values), bool))
        except pa.ArrowInvalid:
            pass
    done = []
    plain = pc.replace_substring(texts, "\u2212", "-")
    plain = pc.replace_substring_regex(plain, "[\u00a0\u202f\u2009]", " ")
    for mark, what in (("%", "percent signs"), ("[$€£]", "currency signs")):
        bare = pc.replace_substring_regex(plain, rf"^{mark}\s?|\s?{mark}$", "")
        taken = np.asarray(pc.not_equal(bare, plain))
        if taken.any() and taken.mean() > 0.5:  # a sign in some cells only is no unit
            plain = bare
            done.append(f"{what} taken away")

    def matches(pattern: str) -> np.ndarray:
        return np.asarray(pc.match_substring_regex(plain, pattern, ignore_case=True))

    point, groups = matches(POINT), matches(POINT_GROUPS)
    comma, comma_groups = matches(COMMA), matches(COMMA_GROUPS)
    either, words = matches(ONE_GROUP), matches(_WORDS)
    as_point, as_comma = point | groups, comma | comma_groups
    known = as_point | as_comma
    with_comma = as_comma.sum() > as_point.sum()
    if as_comma.sum() == as_point.sum() and either.any():
        with_comma = bool(decimal_comma)
    if with_comma:
        known, mark, group = as_comma, ",", r"[.' ]"
        done.append("decimal commas read" if (comma & ~point).any() else "")
        grouped = comma_groups & ~comma
    else:
        known, mark, group = as_point, "", r"[,' ]"
        grouped = groups & ~point
    if grouped.any():
        done.append("separators of thousands taken away")
    texts_out = pc.if_else(pa.array(known), plain, None)
    texts_out = pc.replace_substring_regex(texts_out, group, "")
    if mark:
        texts_out = pc.replace_substring(texts_out, mark, ".")
    values = np.array(pc.fill_null(pc.cast(texts_out, pa.float64()), np.nan))
    values[words] = np.inf
    mixed = bool(((as_point | as_comma) & ~known).any())
    return Numbers(values, known | words, tuple(part for part in done if part), mixed)


def decimal_commas(texts) -> bool | None:
    """Does a column say that the file has decimal commas (True) or points (False)?"""
    import pyarrow.compute as pc

    def share(pattern: str) -> int:
        return int(pc.sum(pc.match_substring_regex(texts, pattern)).as_py() or 0)

    comma = share(rf"^{_SIGN}[0-9]+,(?:[0-9]{{1,2}}|[0-9]{{4,}})$")
    point = share(rf"^{_SIGN}[0-9]+\.(?:[0-9]{{1,2}}|[0-9]{{4,}}){_EXPONENT}$")
    return None if comma == point else comma > point


def truths_of(texts) -> tuple[np.ndarray, tuple[str, str]] | None:
    """0 and 1 for texts that are all truth values of one kind, and the words; None otherwise."""
    spelt = texts.to_pylist() if len(texts) <= 8 else []
    words = [text.lower() for text in spelt]
    pairs = ({"true", "false"}, {"yes", "no"}, {"t", "f"}, {"y", "n"}, {"on", "off"})
    if set(words) not in pairs:
        return None
    values = [word in TRUE for word in words]
    return np.array(values, float), (spelt[values.index(False)], spelt[values.index(True)])


def dates_of(texts) -> tuple[np.ndarray, str] | None:
    """Days since 1970-01-01 for texts that are all dates, and the order; None otherwise.

    Days before months where both orders fit with points or dashes; with slashes neither is taken,
    since 03/04/2020 is two dates.
    """
    fitting = {order: days for order in DATES if (days := _days(texts, DATES[order])) is not None}
    first, *others = fitting.values() or (None,)
    if first is None or any(not np.array_equal(first, days) for days in others):
        return None
    return next(((days, order) for order, days in fitting.items()), None)


def _days(texts, pattern: str) -> np.ndarray | None:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pc.all(pc.match_substring_regex(texts, pattern)).as_py():
        return None
    parts = pc.extract_regex(texts, pattern)

    def part(name: str) -> np.ndarray:
        texts = pc.struct_field(parts, name)
        texts = pc.if_else(pc.equal(texts, ""), "0", texts)
        return np.asarray(pc.cast(texts, pa.float64()))

    year, month, day = (part(name).astype(int) for name in "ymd")
    if not ((month >= 1) & (month <= 12) & (day >= 1) & (year >= 1)).all():
        return None
    months = ((year - 1970) * 12 + month - 1).astype("datetime64[M]")
    dates = months.astype("datetime64[D]") + (day - 1)
    if not (dates.astype("datetime64[M]") == months).all():  # the 31st of a shorter month
        return None
    hours = part("H") + part("M") / 60 + part("S") / 3600
    zone = pc.replace_substring(pc.struct_field(parts, "Z"), ":", "")
    zone = np.asarray(pc.cast(pc.if_else(pc.equal(zone, ""), "0", zone), pa.float64()))
    hours -= np.trunc(zone / 100) + np.fmod(zone, 100) / 60
    return dates.astype(float) + hours / 24
