"""The labels that raters use, by what they say and however they are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from goldassay.frozen import dataclass
from goldassay.ratings.vocabulary import folded, number
from goldassay.words import listed, named

__all__ = ["Folds", "Used", "folds_of", "in_words"]


@dataclass(frozen=True)
class Used:
    """The labels that one rater (or one kind of raters) uses, with rows; `many` if not all."""

    rater: str
    kind: str
    labels: Mapping[str, int]
    many: bool = False


@dataclass(frozen=True)
class Folds:
    """Labels by what they say: fold -> the spelling that stands for it, and rows of each."""

    spelling: Mapping[str, str]
    rows: Counter[str]

    def spelled(self, folds: Iterable[str]) -> list[str]:
        return [self.spelling.get(one, one) for one in folds]


def folds_of(used: Sequence[Used]) -> Folds:
    """Every label by its fold, people's spelling first, then the commonest."""
    rows: Counter[str] = Counter()
    spellings: dict[str, Counter[str]] = {}
    for one in sorted(used, key=lambda one: one.kind == "judge"):
        for label, n in one.labels.items():
            fold = folded(label)
            if fold:
                rows[fold] += n
                spellings.setdefault(fold, Counter())[label.strip()] += n
    spelling = {
        fold: fold if fold in found and number(fold) is not None else found.most_common(1)[0][0]
        for fold, found in spellings.items()
    }
    return Folds(dict(sorted(spelling.items())), rows)


def in_words(labels: Iterable[str], last: str = "and") -> str:
    return listed([named(label) for label in labels], last)
