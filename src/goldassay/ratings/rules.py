"""The keys of a task together: which of them need, exclude or must match one another."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Protocol

from goldassay.errors import TaskError, listed, nearest, shown
from goldassay.ratings.cut import Cut
from goldassay.ratings.scale import SCALES, ScaleName
from goldassay.ratings.vocabulary import TIES, folded

__all__ = ["PLACE", "RULES", "Keys"]

MAX_OPTIONS = 100
#: How messages call a task that comes from no file.
PLACE = "task"


class Keys(Protocol):
    """What the rules look at, each key read already."""

    @property
    def scale(self) -> ScaleName: ...
    @property
    def options(self) -> tuple[str, ...]: ...
    @property
    def option_texts(self) -> Mapping[str, str]: ...
    @property
    def positive(self) -> str | None: ...
    @property
    def positives(self) -> tuple[str, ...]: ...
    @property
    def cut(self) -> str | None: ...
    @property
    def tie(self) -> str | None: ...
    @property
    def abstain(self) -> tuple[str, ...]: ...
    @property
    def invalid(self) -> tuple[str, ...]: ...
    @property
    def labels(self) -> Mapping[str, str]: ...
    @property
    def abstentions(self) -> str: ...
    @property
    def recode_to(self) -> str | None: ...
    @property
    def weights(self) -> str | tuple[tuple[float, ...], ...]: ...
    @property
    def reference(self) -> str: ...
    @property
    def rater_weights(self) -> Mapping[str, float]: ...
    @property
    def reference_ties(self) -> str: ...
    @property
    def resample_raters(self) -> bool: ...
    @property
    def response_sets(self) -> tuple[tuple[str, ...], ...]: ...
    @property
    def may_hide(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def item_rule(self) -> str | None: ...
    @property
    def criterion_weights(self) -> Mapping[str, float]: ...
    @property
    def prevalence(self) -> Mapping[str, float]: ...
    @property
    def cells(self) -> Mapping[str, Mapping[str, str]]: ...
    @property
    def counted(self) -> tuple[str, ...]: ...


def _check_options(task: Keys) -> None:
    options, scale, where = task.options, SCALES[task.scale], f"{PLACE}, options"
    if len(set(options)) != len(options):
        twice = next(option for option in options if options.count(option) > 1)
        raise TaskError(where, "names each option once", found=f"{twice!r} twice")
    if len(options) > MAX_OPTIONS:
        raise TaskError(
            where,
            f"at most {MAX_OPTIONS} options",
            found=str(len(options)),
            next_step='A real-valued rating is scale = "continuous"',
        )
    if scale.options == 0 and options:
        raise TaskError(where, f"a {scale.name} scale has none", found=shown(options))
    if scale.options != 0 and not options:
        raise TaskError(
            PLACE,
            f"a {scale.name} scale declares its options",
            next_step='Add, for example, options = ["yes", "no"]',
        )
    _check_tie(task, where)
    if scale.options == 2 and not scale.may_tie and len(options) != scale.options:
        raise TaskError(where, f"a {scale.name} scale has two", found=shown(options))
    _check_positives(task)
    if scale.needs_positive and task.positive is None:
        raise TaskError(
            PLACE,
            f"a {scale.name} scale declares which option is positive",
            next_step=f"Add positive = {options[0]!r}, or whichever option you count",
        )
    for value in task.option_texts:
        if value not in options:
            raise TaskError(f"{PLACE}, option_texts", "are of options", found=shown(value))
    for key in ("positive", "tie", "recode_to"):
        value = getattr(task, key)
        if value is not None and value not in options:
            cut = key == "positive" and re.match(r"\s*[<>]=?", value)
            raise TaskError(
                f"{PLACE}, {key}",
                f"must be one of the options {', '.join(options)}"
                if options
                else "must be one of the options, and a continuous scale has none",
                found=shown(value),
                next_step=f'Write cut = "{value.strip()}"' if cut else _meant(value, options),
            )


def _check_tie(task: Keys, where: str) -> None:
    """A pairwise scale has two options, and a third where one is named as the tie."""
    options, number = list(task.options), SCALES[task.scale].options
    if not SCALES[task.scale].may_tie or len(options) - (task.tie is not None) == number:
        return
    step = None
    if task.tie is None and len(options) > 2:
        known = [one for one in options if folded(one) in TIES and len(one) > 2]
        step = f"Which of them means a tie? Write tie = with that one: {listed(options)}"
        if len(known) == 1 and len(options) == 3:
            step = f"Name the option that is the tie: tie = {known[0]!r}"
    elif task.tie is not None and task.tie not in options:
        step = f"The tie stands among the options too: options = {[*options, task.tie]}"
    raise TaskError(
        where,
        "a pairwise scale has two options (first wins, second wins) and may have a third, the tie",
        found=shown(task.options),
        next_step=step,
    )


def _check_positives(task: Keys) -> None:
    """Several positive options, or a cut: on which scales, and of what."""
    if task.positives and (task.positive is not None or task.cut is not None):
        raise TaskError(f"{PLACE}, positive", "must be declared once, as options or as a cut")
    if task.positives and task.scale not in ("nominal", "ordinal"):
        raise TaskError(
            f"{PLACE}, positive",
            f"must be one option on a {task.scale} scale",
            found=shown(list(task.positives)),
        )
    for option in task.positives:
        if option not in task.options:
            raise TaskError(
                f"{PLACE}, positive",
                f"must be of the options {', '.join(task.options)}",
                found=shown(option),
                next_step=_meant(option, task.options),
            )
    if len(task.positives) and len(task.positives) == len(task.options):
        raise TaskError(f"{PLACE}, positive", "must leave an option that is not counted")
    if task.cut is None:
        return
    if task.scale not in ("ordinal", "continuous"):
        raise TaskError(f"{PLACE}, cut", "must be of an ordinal or a continuous scale")
    if task.positive is not None:
        raise TaskError(f"{PLACE}, cut", "must stand alone: positive says what is counted already")
    if task.scale == "ordinal":
        cut = Cut.of(task.cut)
        try:
            sides = {cut is not None and cut.holds(float(option)) for option in task.options}
        except ValueError:
            raise TaskError(
                f"{PLACE}, cut",
                "must be of options that are numbers",
                found=", ".join(task.options[:6]),
                next_step="List the options that are counted: positive = [...]",
            ) from None
        if len(sides) == 1:
            raise TaskError(
                f"{PLACE}, cut",
                "must divide the options",
                found=f"{task.cut} of {', '.join(task.options)}",
            )


def _check_cells(task: Keys) -> None:
    """Scores that a cut makes verdicts are of a binary task; two options can change places."""
    for column, cell in task.cells.items():
        if "cut" in cell and task.scale != "binary":
            raise TaskError(
                f"{PLACE}, cells.{column}.cut",
                'must stand beside verdicts: scale = "binary"',
                found=f"scale = {task.scale!r}",
                next_step="A cut of all ratings is a key of the task: cut = ...",
            )
        if {"empty", "empty_as"} <= cell.keys() or (
            {"empty", "empty_as"} & cell.keys() and {"cut", "means"} & cell.keys()
        ):
            raise TaskError(
                f"{PLACE}, cells.{column}",
                "must say one thing of an empty cell: empty or empty_as, without cut or means",
                found=", ".join(cell),
            )
        if "mirrored" in cell and task.scale not in ("pairwise", "binary"):
            raise TaskError(
                f"{PLACE}, cells.{column}.mirrored",
                'must be of two options that change places: scale = "pairwise" or "binary"',
                found=f"scale = {task.scale!r}",
            )


def _check_labels(task: Keys) -> None:
    declared = (*task.options, *task.abstain, *task.invalid)
    if task.scale == "continuous":
        return
    for alias, label in task.labels.items():
        if label not in declared:
            raise TaskError(
                f"{PLACE}, labels.{alias}",
                f"must be one of the declared labels {', '.join(declared[:20])}",
                found=shown(label),
                next_step=_meant(label, declared),
            )
        if alias in declared:
            raise TaskError(
                f"{PLACE}, labels", "must not rename a declared label", found=repr(alias)
            )


def _check_words(task: Keys) -> None:
    for key in ("abstain", "invalid"):
        for word in getattr(task, key):
            if word in task.options:
                raise TaskError(
                    f"{PLACE}, {key}", "a word cannot be an option too", found=repr(word)
                )
    if both := set(task.abstain) & set(task.invalid):
        raise TaskError(
            f"{PLACE}, abstain and invalid", "share no word", found=", ".join(sorted(both))
        )
    if task.abstentions == "recode" and task.recode_to is None:
        raise TaskError(
            PLACE,
            'abstentions = "recode" declares the option that abstentions become',
            next_step=f"Add recode_to = {task.options[-1]!r}" if task.options else None,
        )


def _check_weights(task: Keys) -> None:
    size = len(task.options)
    if isinstance(task.weights, str) or len(task.weights) in (size, size + bool(task.abstain)):
        return
    raise TaskError(
        f"{PLACE}, weights",
        f"a matrix has a row and a column per option ({size}); one more, the last, may be "
        "abstention's",
        found=f"{len(task.weights)} rows",
    )


def _check_reference(task: Keys) -> None:
    graded = {"median": ("ordinal",), "mean": ("ordinal", "continuous")}.get(task.reference)
    if graded is not None and task.scale not in graded:
        raise TaskError(
            f"{PLACE}, reference",
            f"the {task.reference} of several ratings needs scale = {' or '.join(graded)}",
            found=f"scale = {task.scale!r}",
            next_step='Use reference = "majority", "each" or "soft"',
        )


def _check_rater_weights(task: Keys) -> None:
    """Weights are of votes in a majority of options."""
    where = f"{PLACE}, rater_weights"
    if not task.rater_weights:
        return
    if task.reference != "majority" or task.scale == "continuous":
        found = "a continuous scale" if task.scale == "continuous" else task.reference
        raise TaskError(
            where,
            'are of votes: reference = "majority", on a scale with options',
            found=found,
            next_step="Leave a person out with --exclude rater=NAME, or give the label that your "
            'weights make a column of its own: [raters] reference = ["..."]',
        )
    if task.reference_ties == "half":
        raise TaskError(
            where,
            "has no level votes by half: weights make one label of an item, or none",
            next_step='Drop reference_ties = "half", or the weights',
        )
    if task.resample_raters:
        raise TaskError(
            where,
            "hold for the named people, and resample_raters draws others",
            next_step="Drop one of the two",
        )
    if not any(task.rater_weights.values()):
        raise TaskError(where, "must leave somebody a vote", found="0 for all")


def _check_sets(task: Keys) -> None:
    for one in task.response_sets:
        if not one:
            raise TaskError(f"{PLACE}, response_sets", "holds no empty set")
        for option in one:
            if option not in task.options:
                raise TaskError(
                    f"{PLACE}, response_sets",
                    "hold declared options only",
                    found=repr(option),
                    next_step=_meant(option, task.options),
                )
    for option, hidden in task.may_hide.items():
        for name in (option, *hidden):
            if name not in task.options:
                raise TaskError(
                    f"{PLACE}, may_hide", "holds declared options only", found=repr(name)
                )


def _check_counted(task: Keys) -> None:
    for option in task.counted:
        if option not in task.options:
            raise TaskError(
                f"{PLACE}, counted",
                f"must be among the options {', '.join(task.options)}",
                found=shown(option),
                next_step=_meant(option, task.options),
            )
    if task.counted and set(task.counted) == set(task.options):
        raise TaskError(f"{PLACE}, counted", "leaves some option out", found=shown(task.counted))


def _check_item_rule(task: Keys) -> None:
    where, weighted = f"{PLACE}, item_rule", task.item_rule not in (None, "all")
    two = task.scale == "binary" or bool(task.positives) or task.cut is not None
    if task.item_rule is not None and not two:
        raise TaskError(
            where,
            "is of criteria that are met or not",
            found=f"scale = {task.scale!r}",
            next_step="Say what is met: cut = ..., or positive = [...]",
        )
    if task.criterion_weights and not weighted:
        raise TaskError(
            f"{PLACE}, criterion_weights",
            "weigh in the share that item_rule names",
            next_step='Add, for example, item_rule = ">= 0.7"',
        )


def _check_prevalence(task: Keys) -> None:
    where = f"{PLACE}, prevalence"
    if not task.prevalence:
        return
    if task.scale in ("pairwise", "continuous"):
        raise TaskError(where, f"is of options, which a {task.scale} scale does not count")
    for option in task.prevalence:
        if option not in task.options:
            raise TaskError(
                where,
                f"must be of the options {', '.join(task.options)}",
                found=shown(option),
                next_step=_meant(option, task.options),
            )
    total = sum(task.prevalence.values())
    if abs(total - 1) > 1e-6:
        raise TaskError(where, "are shares that sum to 1", found=f"a sum of {total:g}")


def _meant(word: str, known: tuple[str, ...]) -> str | None:
    near = nearest(word, known)
    return f"Did you mean {near!r}?" if near else None


#: Every rule, in the order in which a broken one is told.
RULES: tuple[Callable[[Keys], None], ...] = (
    _check_options,
    _check_words,
    _check_weights,
    _check_reference,
    _check_rater_weights,
    _check_sets,
    _check_counted,
    _check_prevalence,
    _check_item_rule,
    _check_labels,
    _check_cells,
)
