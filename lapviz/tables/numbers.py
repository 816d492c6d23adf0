"""Recognise numbers, dates and booleans among the distinct texts of a column."""

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
TOLERATED = 0.05  # share of cells in a column of numbers that need not be numbers
_SIGN = "[+-]?"
_SPACES = "\u00a0\u202f\u2009"  # no-break and thin ones
_EXPONENT = "(?:[eE][+-]?[0-9]+)?"
POINT = rf"^{_SIGN}(?:[0-9]+\.?[0-9]*|\.[0-9]+){_EXPONENT}$"
COMMA = rf"^{_SIGN}(?:[0-9]+,?[0-9]*|,[0-9]+){_EXPONENT}$"
_FIRST = "[1-9][0-9]{0,2}"  # digits before groups of three: 0,250 is no 250
_BY = "|".join(f"(?:{mark}[0-9]{{3}})+" for mark in "' ")  # 12 345,678: one mark in a number
POINT_GROUPS = rf"^{_SIGN}{_FIRST}(?:(?:,[0-9]{{3}})+|{_BY})(?:\.[0-9]*)?$"
COMMA_GROUPS = rf"^{_SIGN}{_FIRST}(?:(?:\.[0-9]{{3}})+|{_BY})(?:,[0-9]*)?$"
ONE_GROUP = rf"^{_SIGN}{_FIRST}[,.][0-9]{{3}}$"  # 1,234: a group or three decimals
_POINT_GROUP = rf"^{_SIGN}(?:[0-9]{{1,3}}|{_FIRST}\.[0-9]{{3}})$"
_LEADING_ZERO = "^0[0-9]"
ZONE = r"[0-9]:[0-9.:]+(?:Z|[+-][0-9]{2}:?[0-9]{2})$"  # behind a time
_INFINITY = r"^[+-]?(?:inf|infinity)$"
_AROUND = re.compile(r"^[$€£]\s?|\s?[%$€£]$")
_ANY = re.compile("|".join((POINT, COMMA, POINT_GROUPS, COMMA_GROUPS)))
_CLOCK = (
    r"(?:[T ](?P<H>[01]?[0-9]|2[0-4]):(?P<M>[0-5][0-9])"
    r"(?::(?P<S>(?:[0-5][0-9]|60)(?:\.[0-9]+)?))?)?"
    r"(?:Z|(?P<Z>[+-][0-9]{2}:?[0-9]{2}))?$"
)
DATES = {
    "year first": r"^(?P<y>[0-9]{4})[-/.](?P<m>[0-9]{1,2})[-/.](?P<d>[0-9]{1,2})" + _CLOCK,
    "day first": r"^(?P<d>[0-9]{1,2})[-/.](?P<m>[0-9]{1,2})[-/.](?P<y>[0-9]{4})" + _CLOCK,
    "month first": r"^(?P<m>[0-9]{1,2})/(?P<d>[0-9]{1,2})/(?P<y>[0-9]{4})" + _CLOCK,
}


@dataclass(frozen=True, eq=False)
class Numbers:
    """Texts parsed as numbers.

    Attributes
    ----------
    values : array (m,)
        NaN where the text is not a number.
    is_number : array (m,) of bool
        The text is a number; it may be infinite.
    done : tuple of str
        What was done to read them, in words.
    mixed : bool
        Some of the others are numbers in the other notation.
    mark : {",", ".", "?", ""}
        Decimal mark; "" if neither commas nor groups tell, "?" if points may be either.
    signed : bool
        Percent or currency signs were removed.
    """

    values: np.ndarray
    is_number: np.ndarray
    done: tuple[str, ...] = ()
    mixed: bool = False
    mark: str = ""
    signed: bool = False


def looks_like_a_number(text: str) -> bool:
    """Whether the text is a number in one of the notations."""
    text = _AROUND.sub("", text.strip().replace("\u2212", "-"))
    return bool(_ANY.match(text) or re.match(_INFINITY, text.lower()))


def looks_like_a_date(text: str) -> bool:
    """Whether the text is a date in one of the orders."""
    return any(re.match(pattern, text.strip()) for pattern in DATES.values())


def parse_numbers(texts, decimal_comma: bool | None = None, signed_share: float = 0.5) -> Numbers:
    """Parse the numbers among distinct texts, which are trimmed and not missing.

    Parameters
    ----------
    texts : pyarrow.StringArray (m,)
    decimal_comma : bool or None
        Notation of the file's other columns; None if they do not tell.
    signed_share : float
        Percent and currency signs are removed if more than this share of the texts has them.

    Notes
    -----
    One notation holds for the whole column: decimal point or decimal comma, whichever fits more of
    its texts. If both fit (1,234), ``decimal_comma`` decides, else the comma groups thousands.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    grouped = decimal_comma and pc.all(pc.match_substring_regex(texts, _POINT_GROUP)).as_py()
    if not grouped:
        try:
            values = np.asarray(pc.cast(texts, pa.float64()))
            has_zeros = pc.any(pc.match_substring_regex(texts, _LEADING_ZERO)).as_py()
            done = ("leading zeros removed",) if has_zeros else ()
            may_group = decimal_comma is None and pc.any(pc.match_substring(texts, ".")).as_py()
            may_group = may_group and pc.all(pc.match_substring_regex(texts, _POINT_GROUP)).as_py()
            mark = "?" if may_group else ""
            return Numbers(values, np.ones(len(values), bool), done, mark=mark)
        except pa.ArrowInvalid:
            pass
    done, has_signs = [], False
    plain = pc.replace_substring(texts, "\u2212", "-")
    plain = pc.replace_substring_regex(plain, f"[{_SPACES}]", " ")
    for sign, noun in (("%", "percent signs"), ("[$€£]", "currency signs")):
        stripped = pc.replace_substring_regex(plain, rf"^{sign}\s?|\s?{sign}$", "")
        signed = np.asarray(pc.not_equal(stripped, plain))
        if signed.any() and signed.mean() > signed_share:  # a sign in some cells only is not a unit
            bare = ~signed & pc.match_substring_regex(plain, _ANY.pattern)
            plain, has_signs = stripped, True
            done.append(f"{noun} removed" + ", which not all its numbers have" * bool(bare.any()))

    def matches(pattern: str) -> np.ndarray:
        return np.asarray(pc.match_substring_regex(plain, pattern, ignore_case=True))

    point, point_groups = matches(POINT), matches(POINT_GROUPS)
    comma, comma_groups = matches(COMMA), matches(COMMA_GROUPS)
    ambiguous, infinite = matches(ONE_GROUP), matches(_INFINITY)
    as_point, as_comma = point | point_groups, comma | comma_groups
    with_comma = as_comma.sum() > as_point.sum()
    has_comma = np.asarray(pc.match_substring(plain, ","))
    undecided = as_comma.sum() == as_point.sum() and ambiguous.any()
    if undecided:
        with_comma = bool(decimal_comma)
    if with_comma:
        is_number, separator = as_comma, r"[.' ]"
        done.append("decimal commas read" if (has_comma & as_comma & ~point).any() else "")
        grouped = comma_groups & ~comma
    else:
        is_number, separator = as_point, r"[,' ]"
        grouped = point_groups & ~point
    if grouped.any():
        words = "thousands separators removed"
        if undecided and decimal_comma is None:
            words += " (1,234 read as 1234: nothing in the file says otherwise)"
        done.append(words)
    told = (has_comma & is_number) | (with_comma & grouped)
    mark = ("," if with_comma else ".") if told.any() else ""
    digits = pc.if_else(pa.array(is_number), plain, None)
    digits = pc.replace_substring_regex(digits, separator, "")
    if with_comma:
        digits = pc.replace_substring(digits, ",", ".")
    values = np.array(pc.fill_null(pc.cast(digits, pa.float64()), np.nan))
    values[infinite] = np.inf
    mixed = bool(((as_point | as_comma) & ~is_number).any())
    is_number = is_number | infinite
    return Numbers(values, is_number, tuple(filter(None, done)), mixed, mark, has_signs)


def decimal_commas(texts) -> bool | None:
    """Whether a column has decimal commas (True) or points (False); None if it does not tell."""
    import pyarrow.compute as pc

    def n_with(mark: str, other: str) -> int:
        """Number of texts that can only be read with this decimal mark."""
        grouped = rf"{_FIRST}(?:[{other}' {_SPACES}][0-9]{{3}})+"
        number = "|".join(
            (
                rf"(?:[0-9]+|{grouped}){mark}(?:[0-9]{{1,2}}|[0-9]{{4,}})",
                rf"(?:0+|{grouped}){mark}[0-9]{{3}}",
                rf"{_FIRST}(?:[{other}][0-9]{{3}}){{2,}}",
            )
        )
        pattern = rf"^\s*(?:[$€£]\s?)?{_SIGN}(?:{number}){_EXPONENT}(?:\s?[%$€£])?\s*$"
        return int(pc.sum(pc.match_substring_regex(texts, pattern)).as_py() or 0)

    commas, points = n_with(",", "."), n_with(r"\.", ",")
    return None if commas == points else commas > points


def parse_booleans(texts) -> tuple[np.ndarray, tuple[str, str]] | None:
    """0 and 1 for texts that are booleans of one kind, and the words for them; else None."""
    spelt = texts.to_pylist() if len(texts) <= 8 else []
    words = [text.lower() for text in spelt]
    pairs = ({"true", "false"}, {"yes", "no"}, {"t", "f"}, {"y", "n"}, {"on", "off"})
    if set(words) not in pairs:
        return None
    values = [word in TRUE for word in words]
    return np.array(values, float), (spelt[values.index(False)], spelt[values.index(True)])


def parse_dates(texts) -> tuple[np.ndarray, str] | None:
    """Days since 1970-01-01 for texts that are all dates, and the order; else None.

    With points or dashes the day comes first where both orders fit. With slashes neither is taken
    then, since 03/04/2020 is ambiguous.
    """
    parsed = [(days, order) for order in DATES if (days := _days(texts, DATES[order])) is not None]
    if not parsed or any(not np.array_equal(parsed[0][0], days) for days, _ in parsed[1:]):
        return None
    return parsed[0]


def parse_like(
    texts, kind: str, words: tuple[str, ...] = (), notation: str = "", signed: bool = False
) -> np.ndarray:
    """Values (m,) of distinct texts read as those of another column of numbers; NaN for others."""
    if kind == "boolean":
        values = {word.lower(): float(value) for value, word in enumerate(words)}
        return np.array([values.get(text.lower(), np.nan) for text in texts.to_pylist()])
    if kind == "date":
        pattern = DATES.get(notation, "^$")  # a column of dates in Parquet has no texts
        days = (_days(texts[i : i + 1], pattern) for i in range(len(texts)))
        return np.array([np.nan if day is None else day[0] for day in days])
    parsed = parse_numbers(texts, notation == ",", signed_share=0.0 if signed else 0.5)
    return np.where(np.isfinite(parsed.values), parsed.values, np.nan)


def _days(texts, pattern: str) -> np.ndarray | None:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pc.all(pc.match_substring_regex(texts, pattern)).as_py():
        return None
    parts = pc.extract_regex(texts, pattern)

    def part(name: str) -> np.ndarray:
        texts = pc.replace_substring(pc.struct_field(parts, name), ":", "")  # of a time zone
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
    zone = part("Z")
    hours -= np.trunc(zone / 100) + np.fmod(zone, 100) / 60
    return dates.astype(float) + hours / 24
