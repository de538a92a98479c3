"""Names that are every one of some first parts with every one of some last parts, as columns of
raters and systems are: `human_BART`, `judge_BART`, `human_gpt-4o`, `judge_gpt-4o`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from goldassay.proposals.layouts.column_names import TEXTS, about_of, asks
from goldassay.ratings.vocabulary import GENERIC, SYSTEMS, is_machine, kind_of, words

__all__ = ["Halves", "products", "raters_of_systems", "whose", "with_whose"]

#: Name -> its first and its last part.
Halves = Mapping[str, tuple[str, str]]
_CUT = re.compile(r"[\s_.:/-]+")


def products(names: Sequence[str]) -> Iterator[Halves]:
    """Every way to part names so that two first parts or more stand before the same last ones, two
    or more.

    >>> names = ["human_BART", "judge_BART", "human_gpt-4o", "judge_gpt-4o"]
    >>> [one["human_gpt-4o"] for one in products(names)]
    [('human', 'gpt-4o')]
    """
    if len(names) < 4 or len({*names}) < len(names):
        return
    first = names[0]
    for cut in _CUT.finditer(first):
        head, tail, sign = first[: cut.start()], first[cut.end() :], cut[0]
        if not head or not tail:
            continue
        tails = [n[len(head + sign) :] for n in names if n.startswith(head + sign)]
        heads = [n[: -len(sign + tail)] for n in names if n.endswith(sign + tail)]
        made = {one + sign + two: (one, two) for one in heads for two in tails}
        whole = made.keys() == {*names} and len(made) == len(heads) * len(tails)
        if whole and len(heads) > 1 and len(tails) > 1 and all((*heads, *tails)):
            yield {name: made[name] for name in names}


def raters_of_systems(
    names: Sequence[str], beside: Collection[str] = ()
) -> dict[str, dict[str, str]]:
    """Columns of people and judges for each of several systems, at least one of which is a model's
    name or called a system, or each of which has a text `beside` (`rag.answer`): what each is
    about; else nothing."""
    texts = [{*words(name)} for name in beside if {*words(name)} & {*TEXTS}]
    for halves in products(names):
        for at in (0, 1):
            whos = {one[at] for one in halves.values()}
            short = _without_shared_part({one[1 - at] for one in halves.values()})
            systems = {*short.values()}
            kinds = {who: kind_of(who) for who in whos}
            if {*kinds.values()} == {"human", "judge"} and _are_systems(systems, texts):
                said = whose(whos)
                return {
                    n: said[one[at]] | {"system": short[one[1 - at]]} for n, one in halves.items()
                }
    return {}


def _without_shared_part(names: Collection[str]) -> dict[str, str]:
    """Name -> what is left of it without the first parts that all share (`scores.owl`)."""
    short = {name: name for name in names}
    while len({_CUT.split(one)[0] for one in short.values()}) == 1 and all(
        _CUT.search(one) for one in short.values()
    ):
        short = {name: _CUT.split(one, maxsplit=1)[1] for name, one in short.items()}
    return short


def _are_systems(names: Collection[str], texts: Sequence[set[str]]) -> bool:
    """Whether one of several names is a system's, or each is in the name of a text, and none says
    who or what is rated."""
    said = any(is_machine(one) or {*words(one)} & SYSTEMS for one in names)
    said |= all(any({*words(one)} < text for text in texts) for one in names)
    return said and not any(
        asks(one) or {*words(one)} <= GENERIC or kind_of(one) in ("human", "reference")
        for one in names
    )


def with_whose(lists: Mapping[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """The same cells where what stands in every record says whose it is (`expert_score` and
    `llm_score` of each system), a person's and a judge's among it; else nothing."""
    said = whose({cell["criterion"] for cell in lists.values()})
    if not {"human", "judge"} <= {one["kind"] for one in said.values()}:
        return {}
    return {n: said[c["criterion"]] | {"system": c["system"]} for n, c in lists.items()}


def whose(names: Collection[str]) -> dict[str, dict[str, str]]:
    """Name -> who rated, of which kind, and by which criterion where all say one and not the same
    (`human_tone`, `human_depth`, `judge_tone`); nothing where one says nothing of who rated.

    >>> whose(["expert_1_tone", "expert_1_depth"])["expert_1_depth"]
    {'rater': 'expert_1', 'kind': 'human', 'criterion': 'depth'}
    """
    kinds = {name: kind_of(name) for name in names}
    if None in kinds.values():
        return {}
    plain = {name: {"rater": name, "kind": str(kinds[name])} for name in names}
    about = {name: about_of(name) for name in names}
    if len({*about.values()}) < 2 or () in about.values():
        return plain
    for name, one in plain.items():
        said = [
            w for w in _CUT.split(name) if {*words(w)} - {*about[name]} - GENERIC or w.isdigit()
        ]
        what = [w for w in words(name) if w in about[name]]
        one |= {"rater": "_".join(said), "criterion": "_".join(what)}
    apart = {(one["rater"], one["criterion"]) for one in plain.values()}
    if len(apart) == len(plain) and all(one["rater"] for one in plain.values()):
        return plain
    return {name: {"rater": name, "kind": str(kinds[name])} for name in names}
