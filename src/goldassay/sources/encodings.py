"""How a text is written that is no UTF-8, told by its bytes.

Spreadsheets of many countries save tables in the code page of their country. Every one of these
codecs reads nearly any bytes as some letters, so that it is asked which of them makes words:
letters of its own script, with capitals at the beginning of words only.
"""

from __future__ import annotations

import codecs
import itertools
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

__all__ = ["encoding_of"]

#: Signs beyond letters that texts have in any code page.
_SIGNS = frozenset("’‘“”–—…€£°±§«»¿¡•´×÷½¼ª№" + "\xa0")
#: How many bytes are looked at, and how many tell UTF-16 without its mark.
_LOOKED_AT, _MARKLESS = 2**20, 200
#: The longest run of bytes beyond ASCII that words in Latin letters have, but for a few.
_LONGEST_RUN = 3
#: The share of a text's different signs beyond ASCII that are of its own script.
_NEARLY_ALL = 0.95
#: Fewer signs tell nothing of the script.
_FEWEST = 8


def encoding_of(path: Path) -> tuple[str, str] | None:
    """The codec of a text, and its name for people; None for UTF-8, and for what is no text."""
    with path.open("rb") as stream:
        head = stream.read(_LOOKED_AT)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ("utf-16", "UTF-16") if not path.stat().st_size % 2 else None
    if b"\0" in head:
        return _without_mark(head)
    if head.isascii():
        return None
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return _code_page(head)
    return None


def _without_mark(head: bytes) -> tuple[str, str] | None:
    """UTF-16 that does not begin with its mark: every other byte of its ASCII signs is NUL."""
    first = head[:_MARKLESS]
    even, odd = first[::2], first[1::2]
    for codec, zeros, signs in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if 0 not in signs and zeros.count(0) >= 0.9 * len(zeros):
            return codec, "UTF-16"
    return None


def _code_page(head: bytes) -> tuple[str, str] | None:
    """The code page that makes words of the bytes, the commonest first; of those of one alphabet
    each, the one with the fewest mistakes."""
    runs = re.findall(rb"[\x80-\xff]+", head)
    if latin := _latin(b" ".join(runs)):
        return latin
    if all(len(run) <= _LONGEST_RUN for run in runs):
        for codec, name, _ in _LATIN:
            text = _decoded(b" ".join(runs), codec)
            if text is not None and all(s.isalpha() or s in _SIGNS for s in text if s != " "):
                return codec, name
        return None
    for codec, name, is_written in _IDEOGRAPHS:
        text = _decoded(head, codec)
        if text is not None and is_written(_beyond_ascii(text)):
            return codec, name
    found = []
    for codec, name, script in _ALPHABETS:
        text = _decoded(head, codec)
        if text is not None and _share(_beyond_ascii(text), script) >= _NEARLY_ALL:
            found.append((_mistakes(text), codec, name))
    return min(found, key=lambda one: one[0])[1:] if found else None


def _latin(runs: bytes) -> tuple[str, str] | None:
    """The code page in which nearly all letters beyond ASCII are those of one language; of several
    such languages, the one of which most of the commonest letters are there; None where none is."""
    best: tuple[float, str, str] | None = None
    for codec, name, alphabets in _LATIN:
        text = _decoded(runs, codec)
        letters = [s for s in text or "" if s != " " and s not in _SIGNS]
        if not letters:
            continue
        for alphabet in alphabets:
            own = sum(letter.lower()[0] in alphabet or letter in "İ" for letter in letters)
            common = len({letter.lower()[0] for letter in letters} & {*alphabet[:_COMMON]})
            if own >= _NEARLY_ALL * len(letters) and common and (not best or common > best[0]):
                best = (common, codec, name)
    return best[1:] if best else None


def _decoded(head: bytes, codec: str) -> str | None:
    """The text, without a sign that the end of what is looked at cuts; None where it is none."""
    try:
        return codecs.getincrementaldecoder(codec)().decode(head)
    except UnicodeDecodeError:
        return None


def _beyond_ascii(text: str) -> str:
    """The different signs of a text beyond ASCII, without punctuation and what any code page has:
    a sentence that every row repeats says no more than once which language it is."""
    return "".join(s for s in {*text} if ord(s) > 127 and s not in _SIGNS and not _points(s))


def _points(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "PSZ" or "\uff00" <= sign <= "\uff5e"


def _share(signs: str, script: str) -> float:
    own = sum(unicodedata.name(sign, "").startswith(script) for sign in signs)
    return own / len(signs) if len(signs) >= _FEWEST else 0.0


#: Letters that end words in Hebrew; its points, which tables leave out, are Cyrillic capitals.
_FINALS, _POINTS = frozenset("ךםןףץ"), re.compile("[\u05b0-\u05c7]")


#: What no Russian word has: a sign at its beginning or behind a vowel, five consonants in a row.
_UNSPOKEN = re.compile(r"(?i)\b[ьъы]|[аеёиоуыэюя][ьъ]|[бвгджзклмнпрстфхцчшщ]{5}")


def _mistakes(text: str) -> int:
    """What no word has, and a wrong code page in every other one: a capital after a small letter, a
    letter after one that ends words, what nobody can speak."""
    pairs = itertools.pairwise(text)
    within = sum((a.islower() and b.isupper()) or (a in _FINALS and b.isalpha()) for a, b in pairs)
    return within + len(_POINTS.findall(text)) + len(_UNSPOKEN.findall(text))


def _is_japanese(signs: str) -> bool:
    """Syllabic signs among others; single bytes are half as wide, and rare in a table."""
    kana = _share(signs, "HIRAGANA") + _share(signs, "KATAKANA")
    known = kana + _share(signs, "CJK")
    return kana > 0.1 and known >= _NEARLY_ALL


def _is_korean(signs: str) -> bool:
    return _share(signs, "HANGUL") >= _NEARLY_ALL


def _is_simplified(signs: str) -> bool:
    """The common signs of the standard of mainland China, which its first half holds."""
    return _common(signs, "gb2312", 0xB0, 0xD7)


def _is_traditional(signs: str) -> bool:
    return _common(signs, "big5", 0xA4, 0xC6)


def _common(signs: str, codec: str, first: int, last: int) -> bool:
    """Whether nearly all signs are among the common ones, which lie between two leading bytes."""
    codes = [sign.encode(codec, errors="ignore") for sign in signs]
    common = sum(bool(code) and first <= code[0] <= last for code in codes)
    return len(signs) >= _FEWEST and common >= 0.9 * len(signs)


#: How many of a language's letters are its commonest.
_COMMON = 3
#: Code pages of Latin letters, with those beyond ASCII of their languages, the commonest first.
_LATIN = (
    (
        "cp1252",
        "Windows-1252, as Western European spreadsheets write",
        (
            *("äüöß", "éèàâæçêëîïôœùûÿ", "óíáéñúü", "ãçáéêóíâõôúà", "àèéìíîòóùú", "éëïóüöèê"),
            *("äöå", "åøæé", "íáðþéóúýæö"),
        ),
    ),
    ("cp1254", "Windows-1254, as Turkish spreadsheets write", ("ışüçğöâîûi",)),
    (
        "cp1250",
        "Windows-1250, as Central European spreadsheets write",
        ("łęąćńóśźż", "íáéčďěňóřšťúůýž", "áíéäčďĺľňóôŕšťúýž", "áéőíóöúüű", "čšžćđ", "ăţşâîșț"),
    ),
    (
        "cp1257",
        "Windows-1257, as Baltic spreadsheets write",
        ("ėšžąčęįųū", "āīēčģķļņšūž", "äõüöšž"),
    ),
)
#: Hebrew first: read as Cyrillic its letters are small ones, which make no mistake.
_ALPHABETS = (
    ("cp1255", "Windows-1255, as Hebrew spreadsheets write", "HEBREW"),
    ("cp1251", "Windows-1251, as Cyrillic spreadsheets write", "CYRILLIC"),
    ("koi8-r", "KOI8-R, as older Russian systems write", "CYRILLIC"),
    ("cp1253", "Windows-1253, as Greek spreadsheets write", "GREEK"),
    ("cp1256", "Windows-1256, as Arabic spreadsheets write", "ARABIC"),
)
#: Korean before Chinese: its syllables are common Chinese signs in the other's code.
_IDEOGRAPHS: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("cp932", "Shift-JIS, as Japanese spreadsheets write", _is_japanese),
    ("cp949", "EUC-KR, as Korean spreadsheets write", _is_korean),
    ("gb18030", "GBK, as Chinese spreadsheets write", _is_simplified),
    ("cp950", "Big5, as Taiwanese spreadsheets write", _is_traditional),
)
