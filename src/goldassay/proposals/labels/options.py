"""From the labels that raters use to a scale, its options and what each label means."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.labels.label_orders import bare_numbers, orders_of
from goldassay.proposals.labels.odd_labels import (
    GRADES,
    ask_of_codes,
    ask_of_direction,
    ask_of_sets,
    ask_of_several,
    ask_of_words,
    declare_grades,
    outside,
    said_otherwise,
    without_signs,
)
from goldassay.proposals.labels.pair_sides import draft_pairs, says_pairs
from goldassay.proposals.labels.ranges import apart, named_range, ranges
from goldassay.proposals.labels.several_scales import (
    declare_numbers,
    declare_words,
    numbers_of_words,
    words_of_numbers,
)
from goldassay.proposals.labels.used import Folds, Used, folds_of, in_words
from goldassay.ratings.vocabulary import (
    PAIRS,
    RANKS,
    TIES,
    folded,
    number,
    polarity,
    positive_of,
    words,
)
from goldassay.sources.numbers import is_written_number
from goldassay.words import listed, named

__all__ = ["draft_scale"]

#: The longest run of whole numbers that is a scale of options and not a measurement.
LONGEST_RUN = 11


def draft_scale(used: Sequence[Used], draft: Draft, *, sides: bool) -> None:
    """Scale, options, positive option, ties, abstentions, invalid words and aliases.

    `sides` says that the table names two systems, or holds two texts, per row.
    """
    folds = folds_of(used)
    options = [one for one in folds.spelling if not _is_part_of_sets(one, folds)]
    if sets := [one for one in folds.spelling if one not in options and "|" in one]:
        first = named(folds.spelling[max(sets, key=lambda one: folds.rows[one])])
        draft.assume(
            Weight.MEANING,
            f"{first} says that either may hold (a set of options); if it means that both do, they "
            "are several labels: give each a column of its own",
        )
    if not options:
        draft.lack("Which column holds the ratings?", "give the table with a column of ratings")
        return
    abstain, invalid = (
        [one for one in found if one not in draft.options_too] for found in outside(options)
    )
    if classes := _of_people(used, invalid, options):
        invalid = [one for one in invalid if one not in classes]
        spelled = folds.spelled(classes)
        draft.ask(
            f"Is {in_words(spelled, last='or')} no rating? People use it as the others: it is read "
            "as an option. If it is none",
            {"invalid": spelled},
        )
    if "-1" not in invalid and _only_judges_say(used, "-1", {"0", "1"}):
        invalid = [*invalid, "-1"]  # yes and no of people, and a verdict that was not read
    options = [one for one in options if one not in (*abstain, *invalid)]
    options = _without_signs(options, folds, draft)
    # A number that is too large is refused when the table is read, with its place.
    options = [o for o in options if number(o) is not None or not is_written_number(o)]
    numbers = {one: number(one) for one in options}
    numeric = bool(options) and all(value is not None for value in numbers.values())
    if numeric:
        options.sort(key=lambda one: numbers[one] or 0.0)
    _declare_outside(abstain, invalid, folds, draft)
    ask_of_codes(options, draft)
    if (sides or says_pairs(options)) and draft_pairs(options, folds, draft):
        return
    if counted := words_of_numbers(used, options):
        declare_words({at: folds.spelling[word] for at, word in counted.items()}, draft)
        options = [one for one in options if one not in counted]
    if told := numbers_of_words(used, options):
        declare_numbers({folds.spelling[word]: at for word, at in told.items()}, draft)
    elif any(one.many for one in used) and not numeric:
        draft.lack(
            "Which column holds the ratings? The likeliest has more than 100 different labels.",
            {"scale": "continuous"} if numeric else "name another column under columns.value",
            "declare what each label means under [labels]",
        )
    elif set(folds.spelled(options)) <= {*GRADES, "N"} and "C" in folds.spelled(options):
        declare_grades(folds.spelled(options), draft)
    elif _binary(used, options, folds, draft):
        return
    elif numeric and all(map(_numbers_names, used)):
        _named(options, folds, draft)
    elif numeric:
        _numeric(options, used, folds, draft)
    else:
        ask_of_words(options, folds.spelling, folds.rows, draft)
        _named(options, folds, draft)
        _shared(used, folds, options, draft)


def _only_judges_say(used: Sequence[Used], label: str, peoples: set[str]) -> bool:
    """Whether a judge says it and no person does, whose labels are these."""
    said = {kind: set[str]() for kind in ("judge", "people")}
    for one in used:
        said["judge" if one.kind == "judge" else "people"] |= {folded(x) for x in one.labels}
    return label in said["judge"] and said["people"] == peoples


#: Words that a program writes where it failed, and people as the name of a class.
_CLASSES = frozenset(["none", "refusal", "refused", "invalid", "garbage", "failed", "error"])
#: So much of people's labels is no slip.
_SOME = 0.03


def _of_people(used: Sequence[Used], invalid: Sequence[str], options: Sequence[str]) -> list[str]:
    """Words for an unreadable answer that people use as often as a class has it, and judges too,
    beside three words or more that are no grades: nobody fails to read what a person says."""
    rest = [one for one in options if one not in invalid]
    if len(rest) < 3 or any(number(one) is not None for one in rest):
        return []
    said: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for one in used:
        for label, rows in one.labels.items():
            said[one.kind == "judge"][folded(label)] += rows
    people, judges = said[False], said[True]
    some = _SOME * people.total()
    spelled = {label for one in used if one.kind != "judge" for label in one.labels}
    titles = {label.istitle() for label in spelled if folded(label) in rest}
    written = {folded(label) for label in spelled if label.istitle() in titles}  # `None`: Python's
    classes = [w for w in invalid if w in _CLASSES and people[w] > some and w in written]
    return [w for w in classes if judges[w] or not judges]


def _is_part_of_sets(fold: str, folds: Folds) -> bool:
    """Whether a label is several options at once, as "a|c"."""
    parts = [part.strip() for part in fold.split("|")] if "|" in fold else []
    if fold.startswith("["):
        try:
            read = json.loads(folds.spelling[fold])
        except (ValueError, RecursionError):
            return False
        parts = [folded(str(part)) for part in read] if isinstance(read, list) else []
    return len(parts) > 0 and all(part in folds.spelling for part in parts)


def _without_signs(options: Sequence[str], folds: Folds, draft: Draft) -> list[str]:
    """The options without those that are others with signs around them (`yes.`), or with what they
    mean (`4 - agree`), or say the same otherwise (`not correct` and `incorrect`)."""
    meant = without_signs(options)
    why = "signs around a label say nothing"
    if not meant and (meant := said_otherwise(options)):
        why = "they are the same words"
    if told := bare_numbers([one for one in options if one not in meant]):
        meant, why = meant | told, "a number with its meaning is that number"
    if not meant:
        return list(options)
    labels = {folds.spelling[o]: folds.spelling.get(other, other) for o, other in meant.items()}
    draft.task.setdefault("labels", {}).update(labels)
    said = listed([f"{named(a)} means {named(b)}" for a, b in labels.items()])
    draft.assume(Weight.MEANING, f"{said}: {why}")
    return sorted({*options, *meant.values()} - {*meant})


def _declare_outside(
    abstain: Sequence[str], invalid: Sequence[str], folds: Folds, draft: Draft
) -> None:
    for key, found, means in (
        ("abstain", abstain, "means that the rater abstained: no rating"),
        ("invalid", invalid, "is no readable answer: no rating"),
    ):
        if found:
            draft.task[key] = folds.spelled(found)
            draft.assume(Weight.MEANING, f"{in_words(folds.spelled(found), last='or')} {means}")


def _binary(used: Sequence[Used], options: Sequence[str], folds: Folds, draft: Draft) -> bool:
    """Two options, or two in several ways of writing (`True` and `yes`)."""
    sides: dict[str, bool] = {}
    for one in used:
        mine = sorted({folded(label) for label in one.labels} & set(options))
        if not mine:
            continue
        if len(mine) > 2:
            return False
        positive = positive_of(*mine) if len(mine) == 2 else None
        for label in mine:
            may_be = polarity(label)
            alone = len(mine) == 1 and may_be[0] != may_be[1]
            says = label == positive if positive else may_be[0] if alone else None
            if says is None or sides.setdefault(label, says) != says:
                return len(options) == 2 and _two(options, folds, draft)
    yes = [one for one in options if sides[one]]
    no = [one for one in options if not sides[one]]
    if len(options) == 1:
        (only,) = options
        other = next((n for y, n in PAIRS if y == only), None) if yes else None
        other = other or next((y for y, n in PAIRS if n == only), None)
        if other is None:
            return False
        (yes if no else no).append(other)
    if not yes or not no:
        return False
    order = _by_people(used, folds)
    first, second = (min(side, key=lambda one: (order.get(one, 99), one)) for side in (yes, no))
    labels = {folds.spelling[o]: folds.spelling.get(first, first) for o in yes if o != first}
    labels |= {folds.spelling[o]: folds.spelling.get(second, second) for o in no if o != second}
    positive, negative = (folds.spelling.get(one, _like(one, folds)) for one in (first, second))
    _declare_two([positive, negative], draft)
    if labels:
        draft.task.setdefault("labels", {}).update(labels)
        said = listed([f"{named(a)} means {named(b)}" for a, b in labels.items()])
        draft.assume(Weight.MEANING, f"{said}: raters write the same options otherwise")
    return True


def _like(fold: str, folds: Folds) -> str:
    """An option that nobody used, written as the used one is."""
    used = next(iter(folds.spelling.values()), "")
    if used.isupper():
        return fold.upper()
    return fold.capitalize() if used[:1].isupper() else fold


def _by_people(used: Sequence[Used], folds: Folds) -> dict[str, int]:
    order = sorted(used, key=lambda one: one.kind == "judge")
    ranked = dict.fromkeys(folded(label) for one in order for label in one.labels)
    return {fold: at for at, fold in enumerate(ranked)}


def _two(options: Sequence[str], folds: Folds, draft: Draft) -> bool:
    one, two = options
    positive = positive_of(one, two)
    if positive is None:
        return False
    other = two if positive == one else one
    _declare_two(folds.spelled([positive, other]), draft)
    return True


def _declare_two(options: list[str], draft: Draft) -> None:
    """Two options, of which the first is counted unless another is declared."""
    positive, negative = options
    draft.task |= {"scale": "binary", "options": options, "positive": positive}
    if "positive" not in draft.declared.task:
        draft.assume(
            Weight.POSITIVE,
            f"{named(positive)} is the option that is counted (positive); if it is "
            f"{named(negative)}, rates turn round",
        )


def _numeric(options: Sequence[str], used: Sequence[Used], folds: Folds, draft: Draft) -> None:
    """Few whole or half numbers are options, anything else is measured."""
    values = [number(one) or 0.0 for one in options]
    said = {named_range(one.rater) for one in used} - {None}
    low, high = min(values), max(values)
    ends = next(iter(said)) if len(said) == 1 else None
    if ends and ends[0] <= low and high <= ends[1] <= LONGEST_RUN:
        low, high = ends  # the name says the scale, all of which may not have been used
    step = 1.0 if all(v == int(v) for v in values) else 0.5
    found = ranges({one.rater: one.labels for one in used})
    if (
        any(one.many for one in used)
        or any(v % step for v in values)
        or (high - low) / step > (LONGEST_RUN if step == 1.0 else 2 * LONGEST_RUN - 2)
        or (step == 0.5 and low == 0 and high <= 1)
    ):
        grid = sorted({*values})
        if len(grid) <= 5 and all(round(v * 4) == v * 4 for v in grid) and high <= 1 and low >= 0:
            draft.task |= {"scale": "ordinal", "options": list(options), "weights": "quadratic"}
            draft.assume(Weight.OPTIONS, f"the options are {in_words(options)}, lowest first")
            return
        draft.task["scale"] = "continuous"
        # Of many numbers the commonest alone were looked at: others may lie further out.
        link = ("such as", "and") if any(one.many for one in used) else ("from", "to")
        draft.assume(
            Weight.MEANING,
            f"ratings are numbers {link[0]} {low:g} {link[1]} {high:g}, and larger is better",
        )
    else:
        whole = [low + step * at for at in range(int((high - low) / step) + 1)]
        filled = [f"{v:g}" for v in whole]
        if low == 1.0 and all({*words(one.rater)} & RANKS for one in used):
            filled = filled[::-1]
            draft.task |= {"scale": "ordinal", "options": filled, "weights": "quadratic"}
            draft.assume(Weight.OPTIONS, f"1 is the best rank, and {filled[0]} the last")
            return
        draft.task |= {"scale": "ordinal", "options": filled, "weights": "quadratic"}
        draft.assume(
            Weight.OPTIONS,
            f"the options are {filled[0]} to {filled[-1]}"
            + (" in steps of 0.5" if step == 0.5 else "")
            + ", used or not, and larger is better",
        )
    ask_of_direction([one.rater for one in used], draft)
    if len({*found.values()}) > 1 and apart(found):
        by_top = sorted(found.items(), key=lambda one: one[1][1])
        told = "; ".join(f"{named(r)} {a:g} to {b:g}" for r, (a, b) in (by_top[0], by_top[-1]))
        draft.ask(f"Do all raters use one range? Found {told}")


#: Words of numbers that say which, and not how much.
_PLACES = frozenset(
    ["index", "idx", "class", "best", "pick", "picked", "selected", "chosen", "choice", "choices"]
)


def _numbers_names(one: Used) -> bool:
    """Whether numbers stand for names: of classes, by their index, or of what was chosen."""
    whole = all((number(label) or 0.0) % 1 == 0 for label in one.labels)
    return whole and not one.many and bool({*words(one.rater)} & _PLACES)


def _named(options: Sequence[str], folds: Folds, draft: Draft) -> None:
    """Words: in a known order, or in none."""
    if len(options) > 2:
        said = {one.replace("_", " "): one for one in options}
        for order in orders_of(list(said)):
            known = [one.replace("_", " ") for one in order]
            if len(said) == len(options) and set(said) <= set(known):
                spelled = folds.spelled(said[one] for one in dict.fromkeys(known) if one in said)
                draft.task |= {"scale": "ordinal", "options": spelled, "weights": "quadratic"}
                draft.assume(Weight.OPTIONS, f"the options in order are {in_words(spelled)}")
                return
    spelled = folds.spelled(options)
    draft.task |= {"scale": "nominal", "options": spelled}
    given = draft.declared.task.get("positive")
    if len(options) == 2 and isinstance(given, str) and folded(given) in options:
        draft.task["scale"] = "binary"
    elif len(options) == 2:
        one, two = spelled
        draft.ask(
            f"Which option is counted, {named(one)} or {named(two)}? Then",
            {"scale": "binary", "positive": one},
        )
    elif len(options) > 2:
        ask_of_sets(options, folds.spelling, draft)
        draft.assume(
            Weight.OPTIONS,
            f"the {len(options)} labels in the table are all the options, and have no order "
            '(if they have one: scale = "ordinal")',
        )


#: Words for a tie that are no grades.
_TIES = TIES - {"c"}


def _shared(used: Sequence[Used], folds: Folds, options: Sequence[str], draft: Draft) -> None:
    """People and judges that share no label: which means which cannot be guessed."""
    by = {
        judge: {
            folded(label)
            for one in used
            if (one.kind == "judge") == judge
            for label in one.labels
            if folded(label) in options
        }
        for judge in (False, True)
    }
    if not by[False] or not by[True] or by[False] & by[True] - _TIES:
        return
    if any(by[judge] <= by[not judge] & _TIES for judge in by):  # one side says nothing else
        return
    by = {judge: said - _TIES or said for judge, said in by.items()}  # all may say that none is
    mine, theirs = (
        folds.spelled(sorted(by[judge], key=lambda one: (-folds.rows[one], one)))
        for judge in (False, True)
    )
    if ask_of_several(mine, theirs, draft):
        return
    draft.lack(
        f"People write {in_words(mine[:6])}, judges write {in_words(theirs[:6])}: none is shared. "
        "Which means which?",
        *({"labels": one} for one in _meanings(mine, theirs)),
    )


def _meanings(mine: Sequence[str], theirs: Sequence[str]) -> list[dict[str, str]]:
    """What judges' labels may mean: of two each, both ways; else of the first, two."""
    if len(mine) == len(theirs) == 2:
        return [dict(zip(theirs, way, strict=True)) for way in (mine, mine[::-1])]
    return [{theirs[0]: one} for one in mine[:2]]
