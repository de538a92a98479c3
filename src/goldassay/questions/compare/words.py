"""Sentences: which system is better, what the judge and the labels alone say, what would tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from goldassay.questions.compare.best_judge import BestJudge
from goldassay.questions.compare.pair_words import (
    about,
    beside_said,
    difference_text,
    gap_text,
    granted,
    nearest_said,
    needed_said,
    pair_said,
    plain_gap,
)
from goldassay.questions.compare.record import WINS, CompareStudy, JudgeComparison, SlicePair
from goldassay.questions.estimate.label_use import if_shared_said
from goldassay.questions.estimate.rate_words import left_without_label
from goldassay.results import Estimate, Sentence
from goldassay.words import counted, figure_text, listed, named, percent

__all__ = ["answer", "difference_text", "notes", "warnings"]

#: Names and pairs that one sentence lists; of more, the number.
MOST_NAMED = 5
#: Pairs that have a sentence each among the notes.
MOST_PAIRS = 15
#: Criteria that have a sentence each in the answer.
MOST_CRITERIA = 3
UNDECIDED = "compare.undecided"
#: Sentences of an answer; what is left over is a note.
MOST_SENTENCES = 3


def answer(found: CompareStudy) -> tuple[Sentence, ...]:
    """About the judge that agrees best with people: the verdict, its own, and what would tell.

    Of more than two systems: who leads, how many differences are told, and where the judge errs.
    """
    leading = found.leading
    if len(leading) > MOST_CRITERIA:
        return (_criteria(found),)
    if len(leading) > 1:
        return tuple(_on(one, _first(one)[0]) for one in leading)
    return tuple(_first(leading[0])[:MOST_SENTENCES])


def _first(one: JudgeComparison) -> list[Sentence]:
    """What is said first of one criterion; the first sentence answers by itself."""
    told: list[Sentence | None]
    if len(one.pairs) == 1:
        told = [
            _of_decided(one, pair_said(one, one.pairs[0])),
            _undecided(one),
            beside_said(one, one.pairs[0]),
            needed_said(one, one.pairs[0]),
        ]
    elif one.asked.baseline is not None:
        told = [_of_decided(one, _against(one)), _undecided(one), _turned(one), _slices(one)]
    else:
        told = [_of_decided(one, _leaders(one)), _undecided(one), _apart(one), _turned(one)]
    told.insert(1, _not_random(one))
    return [sentence for sentence in told if sentence is not None]


def _of_decided(one: JudgeComparison, said: Sentence | None) -> Sentence | None:
    """A sentence on systems that says of which outputs, where the judge does not decide all."""
    if said is None or not one.systems.undecided:
        return said
    text = f"On what {named(one.subject.judge)} decides, {said.text[0].lower()}{said.text[1:]}"
    return replace(said, text=text)


def _undecided(one: JudgeComparison) -> Sentence | None:
    """How much of each system the answer leaves out, the judge having no verdict on it."""
    systems = one.systems
    if not systems.undecided:
        return None
    pairs = zip(systems.undecided, systems.asked, strict=True)
    share = [0.0 if not asked else undecided / asked for undecided, asked in pairs]
    unit = "comparison" if systems.measure is WINS else "output"
    order = sorted(range(len(share)), key=lambda place: -share[place])
    most, least = order[0], order[-1]
    text = f"{named(one.subject.judge)} gives no verdict on {percent(share[most])} of the {unit}s "
    text += f"of {named(systems.systems[most])}"
    if len(share) == 2:
        text += f" and {percent(share[least])} of those of {named(systems.systems[least])}"
    else:
        text += ", the most of any system"
    text += (
        ": of these nothing is said. Counted as an answer of their own (abstentions = "
        '"class", invalids = "class") they are not left out.'
    )
    facts = {
        "shares": dict(zip(systems.systems, share, strict=True)),
        "undecided": dict(zip(systems.systems, systems.undecided, strict=True)),
        "asked": dict(zip(systems.systems, systems.asked, strict=True)),
    }
    return Sentence(UNDECIDED, text, about(one), facts)


def _not_random(one: JudgeComparison) -> Sentence | None:
    """What refutes that the labels were drawn at random, as declared."""
    found = one.unlike_others
    if found is None:
        return None
    shift = found.shift
    of = f" of {named(found.system)}"
    seen = shift.spread_said(named(found.judge), "output", named(found.option), of)
    facts = {
        "p_value": shift.p_value,
        "tests": shift.tests,
        "labelled": shift.calibration_rate,
        "others": shift.test_rate,
        "option": found.option,
    }
    about_it = {**about(one), "judge": found.judge, "system": found.system}
    return Sentence("compare.not_random", f"They are not: {seen}.", about_it, facts)


def _on(one: JudgeComparison, said: Sentence, *, judge: bool = False) -> Sentence:
    """A sentence with the criterion that it is about before it, and the judge where asked."""
    parts = [f"by {named(one.subject.judge)}"] if judge else []
    parts += [f"on {named(one.subject.criterion)}"] if one.subject.criterion else []
    if not parts:
        return said
    where, text = " ".join(parts), said.text
    return replace(said, text=f"{where[0].upper()}{where[1:]}: {text[0].lower()}{text[1:]}")


def notes(found: CompareStudy) -> tuple[Sentence, ...]:
    """Pair by pair, slices, where labels are best spent, what is assumed, and the other judges."""
    leading = found.leading
    several = len(leading) > 1
    alike = len({one.systems.assumption for one in leading}) == 1
    told: list[Sentence] = []
    for one in leading:
        of = _notes(one, MOST_PAIRS // len(leading) or 1)
        first = _first(one) if several else _first(one)[MOST_SENTENCES:]
        told += [_on(one, said) if several else said for said in (*first, *of)]
        told += [] if alike or one.systems.uncorrected else [_on(one, _assumed(one))]
    complete = all(one.systems.uncorrected for one in leading)
    told += [_assumed(leading[0])] if alike and not complete else []
    # People's labels of every item say the same beside every judge.
    told += [] if complete else _by_others(found)
    told = [*([_chosen(found.chosen, complete)] if found.chosen else []), *told]
    seen = {sentence.text for sentence in answer(found)}
    return tuple({one.text: one for one in told if one.text not in seen}.values())


def _by_others(found: CompareStudy) -> list[Sentence]:
    """What comes out by each other judge; by those by whom it is the same, that it is."""
    said = {one.subject.criterion: _texts(one) for one in found.leading}
    told, same = [], []
    for one in found.judges:
        if any(one is first for first in found.leading):
            continue
        if _texts(one) == said.get(one.subject.criterion):
            same.append(_where(one))
        else:
            told += [_on(one, sentence, judge=True) for sentence in _outcome(one)]
    if same:
        shown, more = same[:MOST_NAMED], len(same) - MOST_NAMED
        by = listed([*shown, *([f"{more:,} more"] if more > 0 else [])])
        facts = {"by": same, **({"more": more} if more > 0 else {})}
        told.append(Sentence("compare.same", f"By {by} it comes out the same.", {}, facts))
    return told


def _outcome(one: JudgeComparison) -> list[Sentence]:
    said = [sentence for sentence in _first(one) if sentence.key != UNDECIDED]
    return said[: 1 if len(one.pairs) == 1 else 2]


def _texts(one: JudgeComparison) -> list[str]:
    return [sentence.text for sentence in _outcome(one)]


def _where(one: JudgeComparison) -> str:
    criterion = one.subject.criterion
    return named(one.subject.judge) + (f" on {named(criterion)}" if criterion else "")


def _chosen(best: BestJudge, complete: bool) -> Sentence:
    text = f"The verdicts that are corrected are those of {named(best.judge)}, {best.why}."
    if complete:
        text = (
            "All items of the systems compared are labelled: nothing is corrected. The judge "
            "beside people is "
        )
        text += f"{named(best.judge)}, {best.why}."
    facts = {"name": best.name, "value": best.value, "n_items": best.n_items, "of": best.of}
    facts |= {"highest": best.level + 1} if best.level else {}
    return Sentence("compare.judge", text, {"judge": best.judge}, facts)


def _notes(one: JudgeComparison, most: int) -> list[Sentence]:
    """What more there is to one criterion; of so many pairs each by itself."""
    told = [_slices(one), *(_slice(part, one) for part in _differing(one)), _spent(one)]
    if len(one.pairs) > 1:  # a table has them all; what is told from 0 may be quoted
        decided = [pair for pair in one.pairs if pair.verdict != "cannot tell"]
        told += [pair_said(one, pair) for pair in decided[:most]]
        told += [nearest_said(one)]
    told += [_family(one), _if_shared(one)]
    return [sentence for sentence in told if sentence is not None]


def warnings(found: CompareStudy) -> tuple[str, ...]:
    """What weakens the answer."""
    told = []
    first = found.judges[0].systems
    known = (first.whole.labelled <= 0) | (first.whole.labelled >= first.whole.items)
    if first.uneven is not None:
        one, two = map(named, first.uneven)
        told.append(
            f"A win rate rests on the opponents that a system met, and {one} and {two} met "
            "different ones: their difference is one of opponents too."
        )
    if found.unrated == 0 and found.without_label:  # nothing was drawn
        several = bool(found.judges[0].subject.criterion)
        unit = "comparison" if first.measure is WINS else "decision" if several else "output"
        told.append(left_without_label(found.without_label, unit))
    elif found.design is None and not known.all():  # all or none of a system's items are labelled
        told.append(
            "How the labelled items were drawn is not declared: labels are taken to be a random "
            'part of each system\'s items. Declare it: calibration = "random".'
        )
    if first.n_clusters < 10:
        told.append(
            f"All differences rest on {counted(first.n_clusters, found.paired_by)}: so few hardly "
            "tell how much the next ones would differ."
        )
    return tuple(told)


# --- several systems --------------------------------------------------------------------------


def _names(names: list[str] | tuple[str, ...]) -> str:
    shown = [named(name) for name in names[:MOST_NAMED]]
    more = len(names) - len(shown)
    return listed([*shown, *([f"{more:,} more"] if more else [])])


def _leaders(one: JudgeComparison) -> Sentence | None:
    leaders = one.leaders
    if not leaders:
        return None
    first, rest = leaders[0], leaders[1:]
    place = one.systems.systems.index(first)
    result = one.systems.results[place]
    facts: dict[str, Any] = {
        "first": first,
        "tied": list(rest),
        "systems": list(one.systems.systems),
    }
    value = highest = ""
    if isinstance(result, Estimate):
        ends = (result.interval.low, result.interval.high) if result.interval else None
        figure = figure_text(result.value, ends, rate=one.measure.rate)
        value = f" with a {one.measure.words} of {figure}"
        highest = f", which has the highest {one.measure.words}, {figure}"
        facts |= {"value": result.value, "low": ends and ends[0], "high": ends and ends[1]}
    size = len(one.systems.systems)
    text = f"Of {size} systems {named(first)} leads{value}"
    known = sum(isinstance(pair.difference, Estimate) for pair in one.pairs)
    unknown = size - sum(isinstance(one, Estimate) for one in one.systems.results)
    facts["unknown"] = unknown
    if unknown:
        text = f"Of {size - unknown} systems with enough labels ({unknown} without) {named(first)} "
        text += f"leads{value}"
    if rest and len(rest) == size - unknown - 1:  # nobody leads
        others = (
            f"None of the other {len(rest):,} systems can"
            if len(rest) > 2
            else f"{_names(rest)} cannot"
        )
        text = f"{others} be told from {named(first)}{highest}"
        text += f" ({unknown} more have too few labels)." if unknown else "."
    elif not rest and known == len(one.pairs):
        text += ", better than every other one."
    elif not rest:
        text += "."
    else:
        text += f"; {_names(rest)} cannot be told from it."
    text = granted(one, text)
    facts["shared_labels"] = one.systems.shared
    return Sentence("compare.leaders", text, about(one), facts)


def _apart(one: JudgeComparison) -> Sentence:
    known = [pair for pair in one.pairs if isinstance(pair.difference, Estimate)]
    told = [pair for pair in known if pair.apart]
    level = percent(one.asked.confidence_level)
    facts = {
        "pairs": len(known),
        "apart": len(told),
        "family": one.family,
        "confidence_level": one.asked.confidence_level,
    }
    which = f"{len(told) or 'None'} of the {counted(len(known), 'difference')}"
    if len(told) == len(known) > 1:
        which = f"{'Both' if len(known) == 2 else f'All {len(known):,}'} differences"
    text = f"{which} between them can be told from 0, all at once with {level} confidence."
    return Sentence("compare.apart", text, about(one), facts)


def _against(one: JudgeComparison) -> Sentence:
    """Everybody against the baseline."""
    base = str(one.asked.baseline)
    groups = {
        verdict: [pair.system for pair in one.pairs if pair.verdict == verdict]
        for verdict in ("better", "no worse", "worse", "cannot tell")
    }
    facts: dict[str, Any] = {"baseline": base, "margin": one.asked.margin}
    facts |= {"confidence_level": one.asked.confidence_level}
    facts |= {**{key.replace(" ", "_"): names for key, names in groups.items()}}
    words = {
        "better": "better",
        "no worse": f"no worse by the margin of {plain_gap(float(one.asked.margin or 0.0), one)}",
        "worse": "worse",
        "cannot tell": "not told apart",
    }
    parts = [f"{_names(names)} {words[key]}" for key, names in groups.items() if names]
    level = percent(one.asked.confidence_level)
    text = f"Against {named(base)}: {'; '.join(parts)} (all at once, {level} confidence)."
    text = granted(one, text)
    facts["shared_labels"] = one.systems.shared
    return Sentence("compare.against", text, about(one), facts)


def _turned(one: JudgeComparison) -> Sentence | None:
    """Pairs that the judge has the wrong way round."""
    turned = [pair for pair in one.pairs if pair.turned]
    differs = [pair for pair in one.pairs if pair.sign_differs]
    judge = named(one.subject.judge)
    facts = {
        "turned": [[pair.system, pair.opponent] for pair in turned],
        "sign_differs": [[pair.system, pair.opponent] for pair in differs],
    }
    if turned:
        pairs = [f"{named(p.system)} and {named(p.opponent)}" for p in turned[:MOST_NAMED]]
        more = len(turned) - len(pairs)
        text = f"{judge} alone has {listed([*pairs, *([f'{more:,} more pairs'] if more else [])])} "
        text += "the wrong way round."
    elif differs:
        which = "which cannot" if len(differs) == 1 else "none of which can"
        text = (
            f"{judge} alone points the other way in {counted(len(differs), 'difference')}, {which} "
            "be told from 0."
        )
    else:
        return None
    return Sentence("compare.turned", text, about(one), facts)


# --- several criteria -------------------------------------------------------------------------


def _criteria(found: CompareStudy) -> Sentence:
    """Who is better on which of many criteria: of two systems, or who leads alone."""
    leading = found.leading
    first, level = leading[0].pairs[0], leading[0].asked.confidence_level
    facts: dict[str, Any] = {"confidence_level": level}
    if {_both(one) for one in leading} == {((first.system, first.opponent),)}:
        verdicts = {one.criterion: one.pairs[0].verdict for one in leading}
        facts |= {"system": first.system, "opponent": first.opponent, "verdicts": verdicts}
        words = {"cannot tell": "not told apart"}
        said = [
            f"{words.get(verdict, verdict)} on {_names(on)}"
            for verdict, on in _grouped(verdicts).items()
        ]
        text = f"{named(first.system)} against {named(first.opponent)}: {'; '.join(said)}"
    else:
        leaders = {
            one.criterion: one.leaders[0] if len(one.leaders) == 1 else "" for one in leading
        }
        facts |= {"leaders": leaders}
        said = [
            f"{named(who)} leads alone on {_names(on)}" if who else f"nobody does on {_names(on)}"
            for who, on in sorted(_grouped(leaders).items(), key=lambda group: not group[0])
        ]
        text = "; ".join(said)
        if not any(leaders.values()):
            text = f"On none of {counted(len(leading), 'criterion', 'criteria')} does one system "
            text += "lead alone"
            facts |= {"criteria": len(leading)}
    text += f" (each criterion by itself, {percent(level)} confidence)."
    return Sentence("compare.criteria", text, {}, facts)


def _both(one: JudgeComparison) -> tuple[tuple[str, str], ...]:
    return tuple((pair.system, pair.opponent) for pair in one.pairs)


def _grouped(told: Mapping[str, str]) -> dict[str, list[str]]:
    """Criteria by what is told of them."""
    found: dict[str, list[str]] = {}
    for criterion, what in told.items():
        found.setdefault(what, []).append(criterion)
    return found


# --- slices -----------------------------------------------------------------------------------


def _differing(one: JudgeComparison) -> list[SlicePair]:
    return [part for part in one.slices if part.differs][:MOST_PAIRS]


def _slices(one: JudgeComparison) -> Sentence | None:
    if not one.slices:
        return None
    differing = _differing(one)
    names = list(dict.fromkeys(part.slice for part in differing))
    facts = {
        "slices": list(one.systems.slices),
        "differ": names,
        "family": one.slice_family,
        "column": one.systems.column,
        "confidence_level": one.asked.confidence_level,
    }
    size = counted(len(one.systems.slices), "slice")
    level = percent(one.asked.confidence_level)
    held = f"{counted(one.slice_family, 'difference')} within {size} at once, {level} confidence"
    if names:
        verb = "differs" if len(names) == 1 else "differ"
        text = f"Of {named(one.systems.column)} {_names(names)} {verb} from the whole ({held})."
    else:
        text = (
            f"No slice of {named(one.systems.column)} is shown to differ from the whole ({held})."
        )
    return Sentence("compare.slices", text, about(one), facts)


def _slice(part: SlicePair, one: JudgeComparison) -> Sentence | None:
    gap, beyond = part.pair.difference, part.beyond
    if not isinstance(gap, Estimate) or not isinstance(beyond, Estimate) or not beyond.interval:
        return None
    more = "higher" if beyond.value > 0 else "lower"
    pair = part.pair
    text = (
        f"In {named(part.slice)} the difference of {named(pair.system)} to {named(pair.opponent)} "
        f"is {more} than in the whole: {gap_text(gap.value, None, one)} there, "
        f"{gap_text(beyond.value, (beyond.interval.low, beyond.interval.high), one)} from the "
        "whole."
    )
    facts = {
        "slice": part.slice,
        "within": gap.value,
        "value": beyond.value,
        "low": beyond.interval.low,
        "high": beyond.interval.high,
        "p_value": part.p_beyond,
    }
    both = {"system": pair.system, "opponent": pair.opponent}
    return Sentence("compare.slice", text, both, facts)


# --- what is behind it ------------------------------------------------------------------------


def _spent(one: JudgeComparison) -> Sentence | None:
    spent = one.systems.spent
    if spent is None or not any(pair.needed for pair in one.pairs):
        return None
    text = f"Further labels are best spent on items of {named(spent.system)}"
    if spent.verdict is not None:
        text += f" that {named(one.subject.judge)} calls {named(spent.verdict)}"
    facts = {"system": spent.system, "verdict": spent.verdict, "gain": spent.gain}
    return Sentence("compare.spent", f"{text}.", about(one), facts)


def _if_shared(one: JudgeComparison) -> Sentence | None:
    if one.lengths is None:
        return None
    what = "the difference" if one.family < 2 else "a difference"
    who = named(one.subject.judge)
    return if_shared_said("compare.if_shared", who, what, one.lengths, about(one))


def _family(one: JudgeComparison) -> Sentence | None:
    if one.family < 2:
        return None
    level = percent(one.asked.confidence_level)
    text = (
        f"The intervals of all {one.family:,} differences hold at once with {level} confidence, "
        "and p-values are adjusted for that many."
    )
    facts = {"family": one.family, "confidence_level": one.asked.confidence_level}
    return Sentence("compare.family", text, about(one), facts)


def _assumed(one: JudgeComparison) -> Sentence:
    text = f"Assumed: {one.systems.assumption}."
    return Sentence("compare.assumed", text, about(one), {"shared_labels": one.systems.shared})
