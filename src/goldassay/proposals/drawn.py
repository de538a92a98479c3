"""How the labelled items may have been drawn, where people rated some of what judges rated.

At random, unless people rated so unlike shares of a judge's verdicts, of what judges agree on, of
systems or of scores that no random draw would: then by verdict, at random within systems, or by
score. How often each is seen, and a random draw taken for one: `benchmarks/drawn_found.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.proposals.draft import Draft, Weight
from goldassay.ratings.arrangement import arranged
from goldassay.ratings.drawing import (
    Shares,
    drawn_by,
    judged_units,
    parts_said,
    shares_by,
    shares_said,
    units_in_cluster,
)
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import UNIT, Ratings
from goldassay.ratings.task import Task
from goldassay.sources.frames import FILE, Source, open_source
from goldassay.words import listed, named

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

__all__ = [
    "MORE",
    "doubtful",
    "fifths",
    "files_of_labels",
    "how_labels_were_drawn",
    "split_is_of_labelled",
]

#: Of random draws so many are as uneven as one that is asked about, and how it is said.
_DOUBTFUL, _SELDOM = 1e-3, "as hardly one random draw in a thousand"
#: A share of a file's items so large is all of them, but for lapses.
_MOSTLY = 0.95
#: Labels of each system with which rates within systems can be told.
_ENOUGH = 15
#: Parts of the scores that are looked at, by how much more they must tell than verdicts do, and
#: rows beyond which they are not fetched.
_FIFTHS, MORE, _MOST_SCORES = 5, 12.0, 500_000


def how_labels_were_drawn(
    ratings: Ratings, draft: Draft, in_file: tuple[str, ...] = ()
) -> dict[str, Any]:
    """The keys of a task that say so; none where it is declared, or nothing or all is labelled.

    `in_file` are files of labelled items alone, beside others (`files_of_labels`).
    """
    if not ratings.judges or not ratings.humans or "calibration" in draft.task:
        return {}
    if apart := _labelled_apart(ratings):
        return _separate(draft, *apart, "as `split` says")
    judged, labelled = _judged_and_labelled(ratings)
    if in_file and 0 < labelled < judged:
        where = f"in {listed([named(one) for one in in_file])}"
        return _separate(draft, labelled, judged - labelled, where)
    if not 0 < labelled < judged:
        return {}
    together = units_in_cluster(ratings)
    each = ", counted for each criterion," if "criterion" in ratings.unit else ""
    random = (
        f"the {labelled:,} labelled items{each} were drawn at random from the {judged:,} judged"
    )
    random += " ones"
    ways = [_by_verdict(ratings), _by_system(ratings, draft, random), *_by_score(ratings, together)]
    known = [one for one in ways if one is not None]
    told = [one for one in known if one.shares.is_unlike_random(together)]
    if not told:
        otherwise = 'calibration = "by_verdict", "by_label" or "separate"'
        said = f"{random}; if not, rates and their intervals are off ({otherwise})"
        draft.assume(Weight.DRAWN, said)
        rare = doubtful(len(ratings.judges))
        if asked := [one for one in known if one.shares.is_unlike_random(together, rare)]:
            found = _likeliest(asked)
            then = f"{found.asked}, {_SELDOM}; then"
            if found.corrects:
                draft.ask(then, found.keys)
            else:
                draft.ask(f"{then} numbers are of items chosen so")
        return {"calibration": "random"}
    found = _likeliest(told)
    draft.assume(Weight.DRAWN, found.said)
    return found.keys


def _separate(draft: Draft, labelled: int, test: int, where: str) -> dict[str, Any]:
    """A set of labelled items beside those whose rate is wanted."""
    draft.assume(
        Weight.DRAWN,
        f"the {labelled:,} labelled items are a set of their own, {where}, on which the judge errs "
        f"as on the {test:,} whose rate is wanted; if they were drawn from the same items, a "
        'shorter interval holds (calibration = "random" or "by_verdict")',
    )
    return {"calibration": "separate"}


def _labelled_apart(ratings: Ratings) -> tuple[int, int] | None:
    """Labelled items of a calibration split, and judged ones of the test; None without both."""
    counts = _by_split(ratings)
    labelled, test = counts.get("calibration", (0, 0))[1], counts.get("test", (0, 0))[0]
    return (labelled, test) if labelled and test else None


def split_is_of_labelled(ratings: Ratings, opened: Source) -> bool:
    """Whether people rated the test as well, and the words of the split are not the very ones that
    say a calibration set: then it is a split of some other kind, as `dev` and `test` are."""
    judged, labelled = _by_split(ratings).get("test", (0, 0))
    if not judged or labelled < _MOSTLY * judged:
        return False
    here = str(ratings.task.columns.get("split", "split"))
    here = opened.renamed.get(here, here)
    if here not in opened.columns:
        return False
    said = fetch(opened.frame.select(split=nw.col(here)).unique(), place=opened.name)["split"]
    return not {str(one) for one in said if one} <= {"calibration", "test"}


def _by_split(ratings: Ratings) -> dict[str, tuple[int, int]]:
    """Judged units of each split, and those of them that people rated."""
    if "split" not in ratings.columns:
        return {}
    judge = nw.when(nw.col("kind") == nw.lit("judge")).then(nw.lit(1)).otherwise(nw.lit(0))
    units = ratings.frame.with_columns(by_judge=judge, by_people=1 - judge)
    units = units.group_by("split", *ratings.unit).agg(
        nw.col("by_judge").max(), nw.col("by_people").max()
    )
    both = (nw.col("by_judge") * nw.col("by_people")).sum()
    found = fetch(
        units.group_by("split").agg(judged=nw.col("by_judge").sum(), labelled=both),
        place=ratings.name,
    )
    counts = zip(found["split"], found["judged"], found["labelled"], strict=True)
    return {str(split): (int(judged), int(labelled)) for split, judged, labelled in counts}


def files_of_labels(opened: Source, task: Task) -> tuple[str, ...]:
    """Of several files those in which people rated what a judge did, where they rated nothing in
    the others: a set of its own, unless a file is of one judge or of one system.

    A file of labels beside one of verdicts holds no verdicts, and says nothing.
    """
    if len(opened.parts) < 2:
        return ()
    frame, columns = arranged(open_source(opened, task.column_names, task.file), task)
    if "split" in columns:
        return ()
    own = [name for name in ("rater", "system") if name in columns]
    judge = nw.when(nw.col("kind") == nw.lit("judge")).then(nw.lit(1)).otherwise(nw.lit(0))
    rated = frame.filter(~nw.col("value").is_null() & (nw.col("value") != nw.lit("")))
    rated = rated.with_columns(by_judge=judge, by_people=1 - judge)
    unit = [name for name in UNIT if name in columns]
    units = rated.group_by(FILE, *unit).agg(nw.col("by_judge").max(), nw.col("by_people").max())
    sums = units.group_by(FILE).agg(
        judged=nw.col("by_judge").sum(),
        labelled=nw.col("by_people").sum(),
        both=(nw.col("by_judge") * nw.col("by_people")).sum(),
    )
    found = fetch(sums, place=opened.name)
    files = zip(found[FILE], found["judged"], found["labelled"], found["both"], strict=True)
    labelled, others = list[str](), list[str]()
    for file, judged, people, both in files:
        if both >= _MOSTLY * judged and judged and both >= _MOSTLY * people:
            labelled.append(str(file))
        elif judged and not people:
            others.append(str(file))
        else:
            return ()
    if not labelled or not others:
        return ()
    for name in own:
        who = rated.filter(nw.col("by_judge") == 1).select(FILE, name).unique()
        pairs = fetch(who, place=opened.name)
        sides = [
            {str(one) for file, one in zip(pairs[FILE], pairs[name], strict=True) if file in side}
            for side in (labelled, others)
        ]
        if not sides[0] & sides[1]:
            return ()
    return tuple(sorted(labelled))


def _likeliest(ways: Sequence[_Way]) -> _Way:
    return max(ways, key=lambda one: one.shares.information - one.shares.degrees)


def doubtful(judges: int) -> float:
    """How rarely a random draw must be as uneven for a question: shared out over what is looked
    at, which is a verdict and a score of each judge, whether they agree, and the system."""
    return _DOUBTFUL / (2 * judges + 2)


@dataclass(frozen=True)
class _Way:
    """A way in which labels may have been drawn: what it would be told by, and what follows."""

    shares: Shares
    said: str
    #: The same as a question, where random draws are seldom but sometimes as uneven.
    asked: str
    keys: dict[str, Any]

    @property
    def corrects(self) -> bool:
        """Whether the keys say more than that labels were drawn at random."""
        return self.keys != {"calibration": "random"}


def _by_verdict(ratings: Ratings) -> _Way | None:
    drawn = drawn_by(ratings)
    if drawn is None:
        return None
    keys: dict[str, Any] = {"calibration": "by_verdict"}
    if len(drawn.judges) > 1:
        keys["drawn_by"] = list(drawn.judges)
    people = shares_said(drawn, ratings.task)
    said = (
        f"the labelled items were chosen by {drawn.who}: people rated {people}, which no random "
        'draw gives; if they were drawn otherwise, rates are off (calibration = "random", '
        '"by_label" or "separate")'
    )
    asked = f"Were the labelled items chosen by {drawn.who}? People rated {people}"
    return _Way(drawn, said, asked, keys)


def _by_system(ratings: Ratings, draft: Draft, random: str) -> _Way | None:
    """Systems in place of verdicts; of pairs there are none, nor of one system."""
    if "system" not in ratings.columns or "opponent" in ratings.columns:
        return None
    shares = shares_by(ratings, ("system",))
    if len(shares.judged) < 2:
        return None
    people = parts_said(shares)
    few = min(shares.labelled.values()) < _ENOUGH
    asked = f"Were labels drawn within each system? People rated {people}"
    if "strata" in draft.task or few:
        two = few and len(ratings.task.options) == 2
        together = "the rate of all is that of the systems, each by its own labels"
        follows = together if two else "the rate of all is off, go by those of systems"
        at_best = f"which they were within systems at best (people rated {people})"
        said = f"{random}, {at_best}: {follows}"
        return _Way(shares, said, asked, {"calibration": "random"})
    said = (
        f"{random} within each system (people rated {people}): a rate of all is that of the "
        'systems together (strata = ["system"])'
    )
    return _Way(shares, said, asked, {"calibration": "random", "strata": ["system"]})


def _by_score(ratings: Ratings, together: float) -> Iterator[_Way]:
    """Fifths of each judge's scores: nothing here corrects for a draw by them."""
    scores = "score" in ratings.columns or ratings.task.scale == "continuous"
    if not scores or ratings.census.rows > _MOST_SCORES:
        return
    verdict = drawn_by(ratings)
    known = 0.0 if verdict is None else verdict.information - verdict.degrees
    scored = ratings.frame.filter(~nw.col("number").is_null())
    people = ratings.frame.with_columns(
        by_people=nw.when(nw.col("kind") == nw.lit("judge")).then(nw.lit(0)).otherwise(nw.lit(1))
    )
    rated = people.group_by(*ratings.unit).agg(nw.col("by_people").max())
    for judge in ratings.judges:
        mine = scored.filter(
            (nw.col("kind") == nw.lit("judge")) & (nw.col("rater") == nw.lit(judge))
        )
        units = mine.group_by(*ratings.unit).agg(nw.col("number").mean())
        found = fetch(
            units.join(rated, on=list(ratings.unit), how="inner").select("number", "by_people"),
            place=ratings.name,
        )
        shares = fifths(
            np.asarray(found["number"], np.float64), np.asarray(found["by_people"], np.int64)
        )
        # A draw by verdict is one by score too, where verdicts follow scores.
        if len(shares.judged) < 2 or shares.information - shares.degrees < known + MORE:
            continue
        (_, low), *_, (_, high) = shares.judged
        ends = [f"{shares.labelled['', at]:,} of {shares.judged['', at]:,}" for at in (low, high)]
        most = max(shares.judged, key=lambda key: shares.labelled[key] / shares.judged[key])
        told = f"{shares.labelled[most]:,} of {shares.judged[most]:,} where most"
        parts = f"its lowest fifth people rated {ends[0]}, of its highest {ends[1]}, {told}"
        said = (
            f"the labelled items were chosen by the score of {named(judge)}: of {parts}, which no "
            "random draw gives; numbers are of items chosen so, and nothing corrects for it"
        )
        asked = f"Were the labelled items chosen by the score of {named(judge)}? Of {parts}"
        keys = {"calibration": "random"}
        if verdict is not None and verdict.is_unlike_random(together):
            keys = {"calibration": "by_verdict"}
        yield _Way(shares, said, asked, keys)


def fifths(score: Floats, labelled: Ints) -> Shares:
    """Which share people rated of each fifth of the scores."""
    known = np.isfinite(score)
    score, labelled = score[known], labelled[known]
    inner = np.linspace(0, 1, _FIFTHS + 1)[1:-1]
    edges = np.unique(np.quantile(score, inner)) if len(score) else score
    part = np.searchsorted(edges, score, side="left")
    sums = [np.bincount(part, one, len(edges) + 1) for one in (np.ones(len(part)), labelled)]
    counts = zip(*(one.astype(int).tolist() for one in sums), strict=True)
    return Shares.of({("", at): one for at, one in enumerate(counts) if one[0]})


def _judged_and_labelled(ratings: Ratings) -> tuple[int, int]:
    """Units that a judge rated, and those of them that people did, of criteria they rated."""
    sums = judged_units(ratings).select(judged=nw.len(), both=nw.col("by_people").sum())
    counts = fetch(sums, place=ratings.name)
    return int(counts["judged"][0]), int(counts["both"][0] or 0)
