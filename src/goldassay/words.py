"""How numbers, names and hostile texts are shown to people, the same everywhere.

Numbers: a rate is a percentage, digits follow the interval: as many as tell its ends from each
other, from the value, from 0 and from 1, and at most three. A sentence writes `figure(result)`, or
`percent` and `decimal` where there is no interval; nothing else formats a number for people.
Names of judges, systems, criteria and options stand between backticks (`named`), which pages turn
into a code face and a terminal into colour or quotes.

Names, labels and model texts come from files that nobody checked. Before any of them reaches a
page its invisible characters are made visible (a right-to-left override must not reorder a table,
a NUL must not end it) and its length is bounded; escaping for HTML or Markdown comes after.
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from goldassay.glossary import is_points, is_rate, is_whole
from goldassay.glossary import words as result_words

__all__ = [
    "NAMED",
    "bare",
    "beside",
    "between",
    "clipped",
    "column_texts",
    "counted",
    "decimal",
    "described",
    "duration",
    "figure",
    "figure_text",
    "interval_text",
    "is_outside",
    "listed",
    "money",
    "named",
    "number",
    "one_of",
    "p_said",
    "p_value",
    "percent",
    "points",
    "result_text",
    "rounded_up",
    "spelled",
    "text_width",
    "value_text",
    "visible",
]

#: A number and the two ends of its interval; an end may be missing or unbounded.
Ends = tuple[float | None, float | None]

LIMIT = 2_000
#: Decimals beyond which a number is the noise of its arithmetic.
DUST = 9
#: A name in prose: what `named` writes, perhaps over the end of a line.
NAMED = re.compile(r"`([^`]+)`")
#: Joiners and variation selectors are part of ordinary words and emoji, and so are the direction
#: marks of Hebrew and Arabic; overrides, embeddings and zero-width spaces are not.
_KEPT = frozenset("\n\t\u200c\u200d\u200e\u200f\ufe0e\ufe0f")
_SUSPECT = re.compile(r"[^\n\t\x20-\x7e\xa0-\xac\xae-\u02ff]")
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def spelled(text: str) -> str:
    r"""The text with its invisible and direction-changing characters written out, lines kept.

    >>> spelled("a\u202eb\x00\nc")
    'a⟨U+202E⟩b⟨U+0000⟩\nc'
    """
    return _SUSPECT.sub(_named, text.replace("\r\n", "\n"))


def _named(match: re.Match[str]) -> str:
    character = match.group()
    if character in _KEPT or unicodedata.category(character) not in _HIDDEN:
        return character
    return f"⟨U+{ord(character):04X}⟩"


def visible(text: object, limit: int = LIMIT) -> str:
    """`spelled` on one line, its length bounded.

    >>> visible("a\\u202eb\\nc"), visible("abcdef", 3)
    ('a⟨U+202E⟩b c', 'abc… (6 characters)')
    """
    whole = str(text)
    if len(whole) <= limit and whole.isascii() and whole.isprintable():  # nearly every one is
        return whole
    shown = spelled(whole[:limit]).replace("\n", " ").replace("\t", " ")
    return f"{shown}… ({len(whole):,} characters)" if len(whole) > limit else shown


def clipped(text: object, width: float, size: float) -> str:
    """The text shortened with an ellipsis to fit `width` pixels at font size `size`."""
    shown = visible(text, 400)
    if text_width(shown, size) <= width:
        return shown
    room = width - text_width("…", size)
    kept = 0
    for kept, character in enumerate(shown):  # noqa: B007 - the place where room ran out
        room -= text_width(character, size)
        if room < 0:
            break
    return shown[:kept].rstrip() + "…"


def text_width(text: str, size: float) -> float:
    """Pixels that a text takes in a sans-serif face, near enough to lay out labels."""
    return size * _width(text)


@lru_cache(maxsize=4096)  # the same label stands in many charts
def _width(text: str) -> float:
    wide = sum(1 for character in text if unicodedata.east_asian_width(character) in "WF")
    narrow = sum(text.count(character) for character in "iljtfI.,:;'|!()[] ")
    capital = sum(1 for character in text if character.isupper() or character in "mwMW%@…—")
    return 0.62 * len(text) + 0.46 * wide - 0.24 * narrow + 0.12 * capital


def number(value: float | int | None, digits: int = 3) -> str:
    """A number for people: as many digits as tell something, thousands parted, never NaN.

    >>> number(0.61234), number(1234567), number(0), number(0.00004), number(None)
    ('0.612', '1,234,567', '0', 'under 0.001', '')
    """
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "undefined"
    size = abs(value)
    if size >= 1e15:
        return f"{value:.{digits}g}"
    if size >= 1000:
        return f"{value:,.0f}"
    if size >= 100:
        return f"{value:.1f}"
    return _decimals(value, digits)


def value_text(value: Any, digits: int = 3) -> str:
    """A table's cell as text: numbers as `number`, truth as yes and no, absence as nothing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value, digits)
    if isinstance(value, list | tuple):
        return ", ".join(value_text(item, digits) for item in value[:100])
    if isinstance(value, dict):
        pairs = list(value.items())[:100]
        return ", ".join(f"{visible(key)}: {value_text(item, digits)}" for key, item in pairs)
    return visible(value)


def column_texts(values: Sequence[Any], name: str = "", verb: str = "") -> list[str]:
    """The cells of a table's column as text, the numbers in it with the same number of decimals.

    Whole counts stay whole; of other numbers two decimals, three where two would write 0 or 1 for
    what is not, fewer where they are large or exact. Shares are percentages and their differences
    points, which the glossary knows by the column's name.

    >>> column_texts([75.5, 121]), column_texts([0.831, 0.9971, None]), column_texts([1200, 5])
    (['75.5', '121.0'], ['0.831', '0.997', ''], ['1,200', '5'])
    >>> column_texts([0.00039, 0.25]), column_texts([0.5, 0.831], "accuracy")
    (['under 0.001', '0.250'], ['50 %', '83 %'])
    >>> column_texts([-0.05, None], "accuracy_difference")
    ['-5 points', '']
    """
    if name == "metric":  # by name in the document, in words for people
        return [
            result_words(v, verb).partition(" (")[0] if isinstance(v, str) else value_text(v)
            for v in values
        ]
    found = [v for v in values if isinstance(v, float) and math.isfinite(v)]
    if is_points(name, verb) and all(-1 <= v <= 1 for v in found):
        return [points(v) if isinstance(v, float) else value_text(v) for v in values]
    if is_rate(name, verb) and all(0 <= v <= 1 for v in found):
        return [percent(v) if isinstance(v, float) else value_text(v) for v in values]
    digits = _column_digits(found)
    return [_decimals(v, digits) if _is_number(v, found) else value_text(v) for v in values]


def _is_number(value: Any, fractions: Sequence[float]) -> bool:
    """Whether a cell takes the column's decimals: counts do among counts that are not whole."""
    counts = max(fractions, default=0.0) > 1
    whole = isinstance(value, int) and not isinstance(value, bool) and counts
    return whole or (isinstance(value, float) and math.isfinite(value))


def _column_digits(values: Sequence[float]) -> int:
    largest = max(map(abs, values), default=0.0)
    if largest >= 1000:
        return 0
    usual = 1 if largest >= 100 else 2
    for digits in range(usual + 1):
        if all(abs(v - round(v, digits)) < 1e-9 for v in values):
            return digits
    blurred = any(abs(round(v, usual)) in (0, 1) and abs(v) not in (0, 1) for v in values)
    return usual + blurred


def _decimals(value: float, digits: int) -> str:
    smallest = 10.0**-digits
    if 0 < value < smallest / 2:
        return f"under {smallest:.{digits}f}"
    return f"{value:,.{digits}f}"


def named(name: object, limit: int = 200) -> str:
    """A name set apart from prose. A backtick inside it becomes an apostrophe.

    >>> named("gpt-4o"), named("a`b")
    ('`gpt-4o`', "`a'b`")
    """
    return f"`{visible(name, limit).replace('`', chr(39)).strip() or ' '}`"


#: Of a longer description there is a digest.
LONGEST_SAID = 80


def described(text: str) -> str:
    """A short description as it is, of a long one its digest.

    >>> described("temperature 0"), described("Is it right?\\n" * 9)
    ('temperature 0', 'sha256:666197ca06c543c1')
    """
    if len(text) <= LONGEST_SAID and "\n" not in text:
        return text
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def bare(text: object) -> str:
    """Prose without the marks of its names, for where there is one face only.

    >>> bare("`gpt` is strict")
    'gpt is strict'
    """
    return NAMED.sub(r"\1", str(text))


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a row.

    >>> listed(["a", "b", "c"]), listed(["a", "b"], "or"), listed(["a"])
    ('a, b and c', 'a or b', 'a')
    """
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def counted(count: int, thing: str, plural: str = "") -> str:
    """A count and what is counted, one or many.

    >>> counted(1, "rating"), counted(15099, "rating"), counted(2, "study", "studies")
    ('1 rating', '15,099 ratings', '2 studies')
    """
    return f"{count:,} {thing if count == 1 else plural or thing + 's'}"


def one_of(thing: str) -> str:
    """One of a kind, with its article.

    >>> one_of("item"), one_of("decision")
    ('an item', 'a decision')
    """
    return f"{'an' if thing[:1] in 'aeiou' else 'a'} {thing}"


def rounded_up(count: int) -> int:
    """A forecast in the two digits that it deserves, not fewer than it asks for.

    >>> rounded_up(83), rounded_up(640), rounded_up(4051)
    (83, 640, 4100)
    """
    unit = int(10 ** max(len(str(count)) - 2, 0))
    return -(-count // unit) * unit


def percent(value: float, ends: Ends = (None, None)) -> str:
    """A share as a percentage, with the digits that its interval's ends call for.

    >>> percent(0.9), percent(0.004), percent(0.9996), percent(0.31, (0.302, 0.3101))
    ('90 %', '0.4 %', 'over 99.9 %', '31.0 %')
    """
    return f"{_fixed(100 * value, _digits(value, ends, 100), 100)} %"


def decimal(value: float, ends: Ends = (None, None)) -> str:
    """A coefficient: two decimals, three where its interval's ends call for it.

    >>> decimal(0.741), decimal(0.741, (0.738, 0.7432)), decimal(-0.0001), decimal(1234.5)
    ('0.74', '0.741', '-0.000', '1,234')
    """
    return _fixed(value, _digits(value, ends, 1), 1)


def interval_text(low: float | None, high: float | None, *, rate: bool = False) -> str:
    """The two ends, without brackets: `68, 75` of a rate, `0.66, 0.80` of a coefficient.

    >>> interval_text(0.66, 0.8), interval_text(0.681, 0.75, rate=True), interval_text(None, 3.0)
    ('0.66, 0.80', '68, 75', '-∞, 3.00')
    """
    return _ends_text(None, (low, high), 100 if rate else 1)


def between(low: float | None, high: float | None, *, rate: bool = False) -> str:
    """The two ends in words: `68 to 75 %` of a rate, `0.66 to 0.80` of a coefficient.

    >>> between(0.681, 0.75, rate=True), between(0.66, 0.8)
    ('68 to 75 %', '0.66 to 0.80')
    """
    ends = interval_text(low, high, rate=rate).replace(", ", " to ")
    return f"{ends} %" if rate else ends


def beside(value: float, low: float, high: float) -> tuple[str, str]:
    """A share, and in words the interval of a rate that it is held against.

    One more decimal where rounding would put a share that lies outside within the ends, and the
    decimal keeps it out.

    >>> beside(0.2, 0.176, 0.47), beside(0.175, 0.1765, 0.47), beside(0.31, 0.3099, 0.47)
    (('20 %', '18 to 47 %'), ('17.5 %', '17.6 to 47.0 %'), ('31 %', '31 to 47 %'))
    """

    if is_outside(value, low, high) and _written_within(value, low, high, 0):
        said = [f"{_clean(100 * one):.1f}" for one in (value, low, high)]
        return f"{said[0]} %", f"{said[1]} to {said[2]} %"
    return percent(value), between(low, high, rate=True)


def is_outside(value: float, low: float, high: float) -> bool:
    """Whether a share lies outside an interval as both may be written: a tenth of a point tells.

    >>> is_outside(0.175, 0.1765, 0.47), is_outside(0.0, 1e-9, 0.47)
    (True, False)
    """
    return not low <= value <= high and not _written_within(value, low, high, 1)


def _written_within(value: float, low: float, high: float, digits: int) -> bool:
    own, *ends = (round(_clean(100 * one), digits) for one in (value, low, high))
    return ends[0] <= own <= ends[1]


def figure(result: Any, *, rate: bool | None = None) -> str:
    """A result with its interval: `72 % [68, 75]` of a rate, `0.74 [0.66, 0.80]` otherwise.

    `result` has `name`, `value` and `interval` (an `Estimate`); whether it is a rate is known from
    the glossary by its name (a difference of rates is `5 points [1, 10]`), or said here.
    """
    interval = result.interval
    ends = (interval.low, interval.high) if interval else None
    if rate is None:
        return result_text(result.name, result.value, ends)
    return figure_text(result.value, ends, rate=rate)


def result_text(name: str, value: float, ends: Ends | None = None, verb: str = "") -> str:
    """A result by its name: a rate in percent, a difference of rates in points, a place whole.

    >>> result_text("accuracy", 0.72), result_text("accuracy_difference", 0.05, (0.01, 0.1))
    ('72 %', '5 points [1, 10]')
    >>> result_text("system_rank", 2.0, (1.0, 6.0))
    '2 [1, 6]'
    """
    known = [x for x in (value, *(ends or ())) if x is not None]
    if is_whole(name, verb) and all(float(x).is_integer() for x in known):
        said = [number(int(x)) for x in known]
        return f"{said[0]} [{', '.join(said[1:])}]" if len(said) == 3 else said[0]
    if is_points(name, verb):
        return points(value, ends)
    return figure_text(value, ends, rate=is_rate(name, verb))


def figure_text(value: float, ends: Ends | None = None, *, rate: bool = False) -> str:
    """A number with the ends of its interval, as `figure` writes a result.

    >>> figure_text(0.72, (0.68, 0.753), rate=True), figure_text(0.5), figure_text(2, (1, None))
    ('72 % [68, 75]', '0.50', '2.00 [1.00, ∞]')
    """
    said = percent(value, ends or (None, None)) if rate else decimal(value, ends or (None, None))
    return f"{said} [{_ends_text(value, ends, 100 if rate else 1)}]" if ends else said


def points(value: float, ends: Ends | None = None) -> str:
    """A difference of two rates in percentage points, with the ends of its interval.

    >>> points(0.05, (0.01, 0.1)), points(-0.01)
    ('5 points [1, 10]', '-1 point')
    """
    said = figure_text(value, ends, rate=True)
    number, _, rest = said.partition(" %")
    return f"{number} point{'' if number in ('1', '-1') else 's'}{rest}"


def money(amount: float) -> str:
    """Dollars, with cents; less than a cent is said so, not written as nothing.

    >>> money(1234.5), money(0.004), money(0.0)
    ('$1,234.50', 'under $0.01', '$0.00')
    """
    return "under $0.01" if 0 < amount < 0.005 else f"${amount:,.2f}"


def duration(seconds: float) -> str:
    """How long something takes, in the unit that people would use.

    >>> duration(0.42), duration(75), duration(400), duration(9000)
    ('0.4 s', '75 s', '7 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.{0 if seconds >= 10 else 1}f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def p_value(value: float) -> str:
    """A p-value with two significant digits.

    >>> p_value(0.0312), p_value(0.06), p_value(0.00001), p_value(0.6), p_value(1.0)
    ('0.031', '0.060', 'under 0.0001', '0.60', '1.0')
    """
    if value < 1e-4:
        return "under 0.0001"
    return f"{value:#.2g}" if value < 0.0995 else f"{value:.2f}" if value < 0.995 else "1.0"


def p_said(value: float) -> str:
    """A p-value within a sentence.

    >>> p_said(0.0312), p_said(0.00001)
    ('p = 0.031', 'p under 0.0001')
    """
    said = p_value(value)
    return f"p {said}" if said.startswith("under") else f"p = {said}"


def _ends_text(value: float | None, ends: Ends, scale: int) -> str:
    low, high = (None if end is not None and math.isinf(end) else end for end in ends)
    digits = _digits(value, (low, high), scale)
    shown = (
        word if end is None else _plain(_outward(_clean(scale * end), digits, away), digits, scale)
        for end, word, away in ((low, "-∞", math.floor), (high, "∞", math.ceil))
    )
    return ", ".join(shown)


def _outward(end: float, digits: int, away: Callable[[float], int]) -> float:
    """An end so near to a round number that its digits do not tell them apart, away from inside."""
    power = 10.0**digits
    close = abs(end - round(end)) < 0.5 / power and end != round(end)
    return away(end * power) / power if close and round(end) in (0, 100) else end


def _digits(value: float | None, ends: Ends, scale: int) -> int:
    """Decimals, after scaling, that tell value, ends, 0 and 1 apart, within what is readable."""
    least, most = (0, 1) if scale == 100 else (2, 3)
    own = math.inf if value is None else _clean(scale * value)
    known = [_clean(scale * x) for x in (value, *ends) if x is not None and math.isfinite(x)]
    landmarks = {0.0, float(scale)} if max(known, default=0) <= scale else {0.0}

    def apart(digits: int) -> int:
        return len({round(x, digits) + 0.0 for x in {*known, *landmarks}})

    others = {round(x, least) for x in {*known, *landmarks} - {own}}
    if math.isfinite(own) and round(own, least) in others:
        return most
    return least if apart(least) == apart(most) else most


def _fixed(value: float, digits: int, scale: int) -> str:
    """The number with so many decimals; never 0 or 1 (0 or 100 %) for what is not quite that."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "-∞"
    value, smallest = _clean(value), 10.0**-digits
    if scale == 100 and 0 < value < 100:
        if value < smallest / 2:
            return f"under {smallest:.{digits}f}"
        if value > 100 - smallest / 2:
            return f"over {100 - smallest:.{digits}f}"
    return _plain(value, digits, scale)


def _clean(value: float) -> float:
    """The number without what rounding adds to a sum: 0 is not "under 0.1"."""
    return round(value, DUST) + 0.0 if math.isfinite(value) else value


def _plain(value: float, digits: int, scale: int) -> str:
    return f"{value:,.{0 if scale == 1 and abs(value) >= 100 else digits}f}"
