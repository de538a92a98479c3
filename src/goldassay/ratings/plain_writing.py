"""Signs that spreadsheets and editors leave around a label, and that say nothing.

A sheet keeps digits as text with an apostrophe before them (`'3`) or as a formula (`="3"`); editors
and web pages leave marks that cannot be seen (U+FEFF, U+200B); typesetters write another minus.
"""

from __future__ import annotations

import re

__all__ = ["plain_writing"]

#: Marks without width that stand at the ends of a cell.
_UNSEEN = "\ufeff\u200b\u200c\u200d\u2060\u200e\u200f\u00ad"
_ODD = re.compile(rf"[{_UNSEEN}\u2212]|^\s*(?:'|=\s*\")")
_FORMULA = re.compile(r'^\s*=\s*"(.*)"\s*$', re.DOTALL)
_AS_TEXT = re.compile(r"^\s*'(?=[^'\s])([^']*)$", re.DOTALL)
_MINUS = re.compile(r"^(\s*)\u2212(?=[\d.])")


def plain_writing(label: str) -> str:
    """A label without such signs; as it is where there are none.

    >>> plain_writing("'3"), plain_writing('="3"')
    ('3', '3')
    >>> plain_writing("don't know"), plain_writing("'quoted'")
    ("don't know", "'quoted'")
    """
    if not _ODD.search(label):
        return label
    text = label.strip(_UNSEEN)
    for form in (_FORMULA, _AS_TEXT):
        if match := form.match(text):
            text = match[1]
    return _MINUS.sub(r"\1-", text)
