"""What tells how sure a verdict is: a score, the share of agreeing answers, or of agreeing judges.

- `score`       the judge's score of a yes-or-no item, of which a higher one is more positive: a
                verdict is as sure as the score lies on its side;
- `confidence`  the score says how sure the verdict is, whatever it is;
- `repeats`     the judge was asked several times: the share of its answers that give the verdict;
- `judges`      the verdict of the majority of all judges, and the share of them that give it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import field, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units, judge_scores, verdict_shares
from goldassay.errors import RatingsError, UsageError, listed, shown
from goldassay.formulas.probabilities import roc_area
from goldassay.frozen import dataclass
from goldassay.questions.drawing import strata_of
from goldassay.questions.estimate.counting import Patterns, options_in_order, patterns_of
from goldassay.ratings.table import Ratings
from goldassay.words import counted, percent

__all__ = ["MAJORITY", "SIGNALS", "Signal", "SignalName", "signals_of"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

SignalName = Literal["score", "confidence", "repeats", "judges"]
SIGNALS: tuple[SignalName, ...] = get_args(SignalName)
#: What decides where the signal is the agreement of judges.
MAJORITY = "majority"
#: A score of the positive option tells the judge's verdicts apart at least so well.
TELLS_VERDICTS = 0.75
#: Decimals of a sureness; 1 - 0.07 is 0.93, not a little less.
DECIMALS = 12


@dataclass(frozen=True)
class Signal:
    """A judge's decisions, one entry for each unit that it judged, and how sure each one is.

    `verdict` is an index of `options`; `error` is 0 where it is people's, 1 where not, between
    them where people are divided, and NaN where no label is used; `pool` are the units to be
    decided. `symmetric` tells whether sureness may be compared between verdicts.
    """

    judge: str
    name: SignalName
    options: tuple[str, ...]
    #: The units in `units` of the table.
    row: Ints
    verdict: Ints
    sure: Floats
    error: Floats
    pool: Bools
    #: Strata that labels were drawn within, where the task declares some.
    stratum: Ints
    cluster: Ints | None
    symmetric: bool
    #: Judges, or answers of the judge, that sureness is a share of; 0 for a score.
    voters: int = 0
    #: Units to be decided on which the judge has no verdict, or no score: those without a label
    #: by their place in the table, and how many have one.
    unjudged_rows: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    unjudged_labelled: int = 0
    #: The clusters of all of these; none where every unit is its own.
    unjudged_cluster: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    #: Units to be decided that no person rated.
    unrated: int = 0

    @property
    def labelled(self) -> Bools:
        return ~np.isnan(self.error)

    @property
    def unjudged_unlabelled(self) -> int:
        return len(self.unjudged_rows)

    @property
    def unjudged(self) -> int:
        return len(self.unjudged_rows) + self.unjudged_labelled

    @property
    def both(self) -> bool:
        """Whether two judges, or answers, vote: where they differ there is no verdict at all."""
        return self.voters == 2


@dataclass(frozen=True)
class _Said:
    """What was said of every unit: option and sureness, and which units have all."""

    name: SignalName
    used: Bools
    verdict: Ints
    sure: Floats
    symmetric: bool = True
    voters: int = 0


def signals_of(
    ratings: Ratings, units: Units, wanted: str | None, judges: Sequence[str]
) -> tuple[Signal, ...]:
    """The signal of each judge, or the one of the majority; an error where there is none. Labels
    that were drawn by the verdicts of others were drawn within strata."""
    return tuple(_within_draw(one, units) for one in _signals(ratings, units, wanted, judges))


def _within_draw(signal: Signal, units: Units) -> Signal:
    strata = strata_of(units, signal.judge)
    if strata is None:
        return signal
    own, width = strata[signal.row] + 1, int(strata.max(initial=0)) + 2
    return replace(signal, stratum=signal.stratum * width + own)


def _signals(
    ratings: Ratings, units: Units, wanted: str | None, judges: Sequence[str]
) -> tuple[Signal, ...]:
    name = _checked(wanted)
    names = _judges(units, judges)
    scores = judge_scores(ratings, units)
    if name is None:
        name = _found(ratings, units, scores, names)
    if name == "judges":
        return (_majority(ratings, units, names),)
    if name == "repeats":
        return _repeated(ratings, units, names)
    scored = [one for one in names if one in scores]
    if not scored:
        raise RatingsError(
            ratings.name,
            "must have a score of the judge's, in the column score",
            found="no score of the judge" if "score" in ratings.columns else "no column score",
            next_step='Map it in the task: [columns] score = "...", or use --signal repeats or '
            "--signal judges",
        )
    found = []
    for one in scored:
        patterns = patterns_of(units, one, by=units.task.strata)
        found.append(_signal(patterns, one, _scored(ratings, patterns, one, name, scores[one])))
    return tuple(found)


def _checked(wanted: str | None) -> SignalName | None:
    for name in SIGNALS:
        if name == wanted:
            return name
    if wanted is None:
        return None
    known = f"{', '.join(SIGNALS[:-1])} or {SIGNALS[-1]}"
    raise UsageError("--signal", f"is {known}", found=shown(wanted))


def _judges(units: Units, wanted: Sequence[str]) -> tuple[str, ...]:
    known = units.judge_names
    for one in wanted:
        if one not in known:
            rule = f"must be a judge of the ratings: {listed(known)}"
            raise UsageError("--judge", rule, found=shown(one))
    return tuple(one for one in known if not wanted or one in wanted)


def _found(
    ratings: Ratings, units: Units, scored: Collection[str], judges: Sequence[str]
) -> SignalName:
    """The signal that the table has: scores, else repeats, else several judges."""
    if set(judges) & set(scored):
        return "score" if units.task.scale == "binary" else "confidence"
    if any(len(units.columns_of(one)) > 1 for one in judges):
        return "repeats"
    if len(judges) > 1:
        return "judges"
    raise RatingsError(
        ratings.name,
        "must tell how sure the judge is: by a column score, by several answers to an item (the "
        "column sample), or by two more judges",
        found="one verdict for each item",
        next_step='Map a column of scores in the task: [columns] score = "..."',
    )


def _scored(
    ratings: Ratings, patterns: Patterns, judge: str, name: SignalName, score: Floats
) -> _Said:
    """A judge's verdicts with its scores; of a score, each side is as sure as the score says."""
    size = len(patterns.options)
    if name == "score" and size != 2:
        raise UsageError(
            "--signal score",
            "is for tasks of two options, of which a higher score means the positive one",
            found=f"{size} options",
            next_step="Use --signal confidence where the score says how sure the verdict is",
        )
    verdict, share = _verdict(patterns.shares, size)
    used = patterns.used & np.isfinite(score) & (share > 0)
    mine, positive = score[used], verdict[used] == 1
    probability = bool(len(mine) and mine.min() >= 0 and mine.max() <= 1)
    sure = score
    if name == "score":
        _check_direction(ratings, judge, mine, positive)
        sure = np.where(verdict == 1, score, 1 - score if probability else -score)
    return _Said(name, used, verdict, sure, probability or name == "confidence")


def _check_direction(ratings: Ratings, judge: str, score: Floats, positive: Bools) -> None:
    """Refuse scores that do not go with the verdicts: they mean something else."""
    if not positive.any() or positive.all() or len(np.unique(score)) < 2:
        return
    area, _ = roc_area(score, positive)
    if area < TELLS_VERDICTS:
        raise RatingsError(
            f"{ratings.name}, column score",
            f"must be higher where {shown(judge)} says the positive option",
            found=f"a higher score in {percent(area)} of pairs of a positive and another verdict",
            next_step="Use --signal confidence where the score says how sure the verdict is",
        )


def _repeated(ratings: Ratings, units: Units, judges: Sequence[str]) -> tuple[Signal, ...]:
    """Judges that were asked several times, with the share of answers that give the verdict.

    Of two answers only what both give is a verdict.
    """
    found = []
    for one in judges:
        answers = len(units.columns_of(one))
        if answers < 2:
            continue
        patterns = patterns_of(units, one, by=units.task.strata)
        verdict, share = _verdict(_answers(units, one), len(patterns.options))
        used = patterns.used & (share > (0.75 if answers == 2 else 0))
        said = _Said("repeats", used, verdict, share, voters=answers)
        found.append(_signal(patterns, one, said))
    if found:
        return tuple(found)
    raise RatingsError(
        ratings.name,
        "must have several answers of a judge to an item, told apart by the column sample",
        found="one answer to each item",
        next_step="Ask the judge several times, or use --signal score or --signal judges",
    )


def _answers(units: Units, judge: str) -> Floats:
    """The share of all its answers that a judge gave to each option, in the order of estimate."""
    task, size = units.task, len(units.options)
    shares = verdict_shares(units, judge)
    if task.abstentions == "recode" and task.recode_to is not None:
        shares[:, units.options.index(task.recode_to)] += shares[:, size]
    return shares[:, list(options_in_order(units))]


def _majority(ratings: Ratings, units: Units, judges: Sequence[str]) -> Signal:
    """The option that most judges give; where two are as common there is no verdict.

    Of two judges only what both give is a verdict.
    """
    if len(judges) < 2:
        raise RatingsError(
            ratings.name,
            "must have several judges of the same items to tell where judges agree",
            found=counted(len(judges), "judge"),
            next_step="Add two judges (of two, a split has no majority), or use --signal score or "
            "--signal repeats",
        )
    each = [patterns_of(units, one, by=units.task.strata) for one in judges]
    size = len(each[0].options)
    votes = np.zeros((len(units.n), size))
    for patterns in each:
        verdict, share = _verdict(patterns.shares, size)
        rows = np.flatnonzero(share > 0)
        votes[rows, verdict[rows]] += 1 / len(each)
    verdict, share = _verdict(votes, size)
    used = each[0].references.any(axis=1) & (share > (0.75 if len(each) == 2 else 0))
    said = _Said("judges", used, verdict, share, voters=len(each))
    return _signal(each[0], MAJORITY, said)


def _verdict(shares: Floats, size: int) -> tuple[Ints, Floats]:
    """The commonest option of each unit and its share; 0 where none, or two, are commonest.

    An answer that is no option (abstained, invalid) agrees with none.
    """
    options = shares[:, :size]
    best = options.max(axis=1, initial=0.0)
    alone = (np.abs(options - best[:, None]) < 1e-9).sum(1) == 1
    return options.argmax(axis=1), np.where(alone, best, 0.0)


def _signal(patterns: Patterns, judge: str, said: _Said) -> Signal:
    """What was said of the units that have a verdict and a sureness, beside people's labels."""
    rows = np.flatnonzero(said.used)
    verdict, references = said.verdict[rows], patterns.references[rows]
    labelled = references[:, -1] == 0
    right = references[np.arange(len(rows)), verdict]
    # With a split the items to be decided are the others; without one, all of them.
    waiting = np.asarray(patterns.references.any(axis=1))
    if patterns.apart and patterns.references[:, -1].any():
        waiting &= patterns.references[:, -1] == 1
    pool = waiting[rows]
    without = waiting.copy()
    without[rows] = False
    has_label = patterns.references[:, -1] == 0
    return Signal(
        judge,
        said.name,
        patterns.options,
        rows,
        verdict,
        np.round(said.sure[rows], DECIMALS),
        np.where(labelled, 1 - right, np.nan),
        pool,
        patterns.group[rows],
        None if patterns.cluster is None else patterns.cluster[rows],
        said.symmetric,
        said.voters,
        np.flatnonzero(without & ~has_label),
        int((without & has_label).sum()),
        np.zeros(0, np.int64) if patterns.cluster is None else patterns.cluster[without],
        int((waiting & ~patterns.rated).sum()),
    )
