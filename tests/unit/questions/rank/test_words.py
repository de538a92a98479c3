"""Sentences and warnings: pure functions of the study, with the facts they are made from."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from goldassay.questions.rank.gold import Unmatched
from goldassay.questions.rank.items import ItemLevel
from goldassay.questions.rank.leaderboard import Standing
from goldassay.questions.rank.study import AgainstPeople, Options, RankStudy, study
from goldassay.questions.rank.systems import Top
from goldassay.questions.rank.words import answer, notes, place, value_words, warnings
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Sentence, Undefined
from goldassay.words import figure
from tests.support.contests import contest

TASK = Task(scale="continuous")
OPTIONS = Options(resamples=200, detailed=("judge 0", "judge 1", "judge 2"))


@pytest.fixture(scope="module")
def found() -> RankStudy:
    return study(contest(judges=3, noise=2.0), TASK, options=OPTIONS)


def people_of(found: RankStudy) -> AgainstPeople:
    assert found.people is not None
    return found.people


def said(found: RankStudy) -> dict[str, list[Sentence]]:
    by_key: dict[str, list[Sentence]] = {}
    for one in (*answer(found), *notes(found)):
        by_key.setdefault(one.key, []).append(one)
    return by_key


def test_a_key_is_used_once_about_one_thing(found: RankStudy) -> None:
    keys = [(one.key, *sorted(one.about.items())) for one in (*answer(found), *notes(found))]
    assert len(answer(found)) <= 3
    assert len(set(keys)) == len(keys)
    assert {key for key, *_ in keys} - {"rank.items_and_systems"} == {
        "rank.kendall_tau",
        "rank.told_apart",
        "rank.decisiveness",
        "rank.bias",
        "rank.top",
        "rank.split_half",
    }
    assert len(said(found)["rank.top"]) == 3


def test_facts_are_the_results_that_a_sentence_speaks_of(found: RankStudy) -> None:
    people = people_of(found)
    best = people.standings[0]
    tau = best.judge.tau(found.by)
    shape, delta = best.judge.decisiveness, best.judge.bias_delta
    assert isinstance(tau, Estimate)
    assert tau.interval is not None
    assert isinstance(shape, Estimate)
    assert isinstance(delta, Estimate)
    (told,) = said(found)["rank.kendall_tau"]
    assert told == answer(found)[0]
    assert told.about == {"judge": best.judge.name}
    assert told.facts["value"] == tau.value
    assert (told.facts["low"], told.facts["high"]) == (tau.interval.low, tau.interval.high)
    assert (told.facts["n_systems"], told.facts["n_judges"]) == (6, 3)
    assert f"tau {figure(tau)}" in told.text
    (told,) = said(found)["rank.told_apart"]
    apart = [one.judge.name for one in people.standings[1:] if one.told_apart]
    assert told.facts["better_than"] == apart
    (told,) = said(found)["rank.decisiveness"]
    assert told.facts["value"] == shape.value
    (told,) = said(found)["rank.bias"]
    assert told.facts["value"] == delta.value
    (told,) = said(found)["rank.split_half"]
    half = people.split_half
    assert half is not None
    assert told.facts["gold_split_half_tau"] == half.between.value
    assert told.facts["tau_with_half_gold"] == half.with_judge.value


def test_facts_are_plain(found: RankStudy) -> None:
    for one in (*answer(found), *notes(found)):
        assert json.loads(json.dumps(one.to_json())) == one.to_json()


@pytest.mark.parametrize(
    ("low", "words"),
    [
        ([], None),
        ([-0.1], "By their orders of systems `{}` cannot be told apart from `other 0` either."),
        ([0.1], "`{}` orders systems more like people than `other 0`."),
    ],
)
def test_what_is_equal_is_not_said_once_more_to_be_level(
    found: RankStudy, low: list[float], words: str | None
) -> None:
    people = people_of(found)
    first, second = people.standings[:2]
    none = Estimate("tau_difference", 0.0, Interval(-0.4, 0.4, 0.95, ""), 10, 10)
    standings = [first, Standing(replace(second.judge, name="same"), none)]
    for i, end in enumerate(low):
        behind = Estimate("tau_difference", 0.3, Interval(end, 0.5, 0.95, ""), 10, 10)
        standings.append(Standing(replace(second.judge, name=f"other {i}"), behind))
    told = said(replace(found, people=replace(people, standings=tuple(standings))))
    name = first.judge.name
    (equal,) = told["rank.kendall_tau"]
    assert equal.text.startswith(f"`{name}` and `same` come equally close to people's order")
    texts = [one.text for one in told.get("rank.told_apart", ())]
    assert texts == ([] if words is None else [words.format(name)])


def test_no_gold_is_said_first() -> None:
    found = study(contest(human_scores=None), TASK, options=Options(resamples=200))
    told = answer(found)
    assert [one.key for one in told] == ["rank.no_gold", "rank.top"]
    assert told[0].text.startswith("There is no order by people")
    assert warnings(found) == ()


def test_rankings_that_cannot_be_compared_say_why() -> None:
    tied = study(contest(scores=np.ones((2, 60, 6))), TASK, options=Options(resamples=200))
    (told,) = said(tied)["rank.not_comparable"]
    assert told.facts["reason"] == "all systems have the same mean, which orders none"
    assert told.facts["reason"] in told.text


@pytest.mark.parametrize(
    ("low", "others", "words"),
    [
        ([], 2, "No other judge's order can be compared with people's, only that of `judge {}`."),
        ([-0.1], 1, "By their orders of systems `judge {}` cannot be told apart from `other 0`."),
        ([0.1], 1, "`judge {}` orders systems more like people than `other 0`."),
        ([0.1, 0.2], 2, "`judge {}` orders systems more like people than `other 0` and `other 1`."),
        (
            [-0.1, 0.2],
            2,
            "By their orders of systems `judge {}` cannot be told apart from `other 0`; it is "
            "better than `other 1`.",
        ),
        (
            [-0.1, 0.0],
            3,
            "By their orders of systems `judge {}` cannot be told apart from `other 0` and "
            "`other 1`; 1 judge has no tau.",
        ),
    ],
)
def test_words_on_the_other_judges(
    found: RankStudy, low: list[float], others: int, words: str
) -> None:
    people = people_of(found)
    judge = people.standings[1].judge
    behind: list[Estimate | None] = [
        Estimate("tau_difference", 0.3, Interval(end, 0.5, 0.95, ""), 10, 10) for end in low
    ]
    behind += [None] * (others - len(low))
    standings = (
        people.standings[0],
        *(Standing(replace(judge, name=f"other {i}"), one) for i, one in enumerate(behind)),
    )
    changed = replace(found, people=replace(people, standings=standings))
    (told,) = said(changed)["rank.told_apart"]
    assert told.text == words.format(people.standings[0].judge.name[-1])
    assert len(told.facts["cannot_tell"]) == sum(end <= 0 for end in low)
    assert len(told.facts["better_than"]) == sum(end > 0 for end in low)
    assert told.facts["without_tau"] == others - len(low)


@pytest.mark.parametrize(
    ("value", "ends", "judges", "agree", "words"),
    [
        (1.0, (0.6, 1.0), 3, "yes", "`judge 0` comes closest to people's order of the 6 systems: "),
        (
            1.0,
            (0.6, 1.0),
            1,
            "yes",
            "Against people's order of the 6 systems `judge 0` has Kendall",
        ),
        (-1.0, (-1.0, -0.2), 3, "no", "No judge puts the 6 systems in people's order: the best, "),
        (-1.0, (-1.0, 1.0), 3, "unknown", "These prompts do not tell how far the orders of"),
        (0.1, (-0.6, 0.6), 3, "unknown", "These prompts cannot tell whether the orders agree"),
        (0.9, (-0.7, 1.0), 1, "unknown", "These prompts cannot tell whether the orders agree"),
    ],
)
def test_words_on_tau(
    found: RankStudy, value: float, ends: tuple[float, float], judges: int, agree: str, words: str
) -> None:
    people = people_of(found)
    best = next(one for one in people.standings if one.judge.name == "judge 0")
    one = best.judge.aggregated[found.by]
    assert one.agreement is not None
    interval = Interval(*ends, 0.95, "")
    tau = Estimate("kendall_tau", value, interval, 60, 60, {"systems": 6})
    agreement = replace(one.agreement, kendall_tau=tau)
    aggregated = {**best.judge.aggregated, found.by: replace(one, agreement=agreement)}
    first = replace(best, judge=replace(best.judge, aggregated=aggregated))
    rest = [one for one in people.standings if one.judge.name != "judge 0"]
    changed = replace(people, standings=(first, *rest[: judges - 1]))
    (told,) = said(replace(found, people=changed))["rank.kendall_tau"]
    assert told.text.startswith(words)
    assert told.facts["agree"] == agree
    assert (
        f"Kendall's tau {figure(tau)} (95 % interval for tau with unlimited prompts)" in told.text
    )


def test_the_best_on_items_need_not_be_the_best_on_systems(found: RankStudy) -> None:
    people = people_of(found)
    leader, other = people.standings[0].judge, people.standings[-1].judge
    shares = {leader.name: 0.6, other.name: 0.7}
    items = tuple(
        ItemLevel(one, Estimate("item_accuracy", shares[one.name])) for one in (leader, other)
    )
    changed = said(replace(found, people=replace(people, items=items)))
    if leader.tau_or_least(found.by) > other.tau_or_least(found.by):
        (told,) = changed["rank.items_and_systems"]
        assert told.about == {"judge": other.name}
        assert (told.facts["value"], told.facts["leader_value"]) == (0.7, 0.6)
        assert "70 %" in told.text
    same = tuple(ItemLevel(one, Estimate("item_accuracy", 0.7)) for one in (leader, other))
    assert "rank.items_and_systems" not in said(replace(found, people=replace(people, items=same)))


@pytest.mark.parametrize(
    ("low", "high", "than_people", "words"),
    [
        (1.2, 2.0, "more", "`{}` is more decisive than people: it widens"),
        (0.5, 0.9, "less", "`{}` is less decisive than people: it narrows"),
        (0.9, 1.2, "alike", "`{}` is between half and twice as decisive as people"),
        (0.1, 9506.65, "unknown", "Whether `{}` is more or less decisive than people cannot be"),
        (0.9, 3.0, "unknown", "Whether `{}` is more or less decisive than people cannot be"),
    ],
)
def test_words_on_decisiveness(
    found: RankStudy, low: float, high: float, than_people: str, words: str
) -> None:
    people = people_of(found)
    best = people.standings[0]
    assert best.judge.behaviour is not None
    shape = Estimate("decisiveness", (low + high) / 2, Interval(low, high, 0.95, ""))
    silent = Undefined("bias_delta", "needs two systems")
    behaviour = replace(best.judge.behaviour, decisiveness=shape, bias_delta=silent)
    first = replace(best, judge=replace(best.judge, behaviour=behaviour))
    changed = replace(found, people=replace(people, standings=(first,)))
    (told,) = said(changed)["rank.decisiveness"]
    assert told.facts["than_people"] == than_people
    assert "rank.bias" not in said(changed)
    assert told.text.startswith(words.format(best.judge.name))


def test_the_top(found: RankStudy) -> None:
    ranked = found.systems[0]
    lead = Estimate("score_difference", 0.3, Interval(0.1, 0.5, 0.95, ""))
    apart = replace(found, systems=(replace(ranked, top=Top(2, 0, (), lead)),))
    (told,) = said(apart)["rank.top"]
    assert told.text == (
        "`judge 0` puts `system 2` first, by its own scores ahead of `system 0` by "
        "0.30 [0.10, 0.50]."
    )
    level = replace(found, systems=(replace(ranked, top=Top(2, 0, (0, 1, 3, 4), lead)),))
    (told,) = said(level)["rank.top"]
    assert told.text == (
        "`judge 0` puts `system 2` first, which by its own scores cannot be told apart from "
        "`system 0`, `system 1`, `system 3` and 1 more."
    )
    assert told.facts["cannot_tell"] == ["system 0", "system 1", "system 3", "system 4"]
    alone = replace(found, systems=(replace(ranked, top=None),))
    assert "rank.top" not in said(alone)


def test_warnings_name_what_was_left_out(found: RankStudy) -> None:
    people = people_of(found)
    assert warnings(found) == ()
    names = Unmatched(("gtp", "x"), {"gtp": "gpt"}, ("gpt",), 18.0, 5.0, 9.0)
    gold = replace(people.gold, unmatched=names, n_separated=7, n_pairs_dropped=2)
    assert found.contest.scores is not None
    scores = found.contest.scores.copy()
    scores[0, :, 2] = np.nan
    scores[1, 0, 0] = np.nan
    changed = replace(
        found,
        people=replace(people, gold=gold),
        contest=replace(found.contest, scores=scores, silent=("mute",)),
    )
    told = warnings(changed)
    # Of 60 x 6 scores judge 0 misses a column, one in six, and judge 1 a single one, one in 360.
    assert told == (
        "2 gold systems not judged: 'gtp' (did you mean 'gpt'?).",
        "1 judged system without gold: 'gpt'. They are ranked, and left out of the comparison "
        "with people.",
        "5 of 18 gold battles involve a system that no judge rated and link the judged ones: they "
        "count for people's order, not for win rates.",
        "9 of 18 gold battles involve a system that no judge rated and link none: they are left "
        "out.",
        "The judge `mute` has no usable rating; it is not ranked.",
        "In 7 of 200 resamples of people's battles some system was undefeated or winless; it then "
        "ranks first or last.",
        "`judge 0` gave `system 2` no score; it is unranked there.",
        "Scores missing (not rated, invalid or left out) on prompts that have any: `judge 0` 17 % "
        "and `judge 1` 0.3 %. Each pair of systems is compared on the prompts that both have.",
        "2 pairs of systems have fewer than 10 untied comparisons by people; they are left out of "
        "win rates, decisiveness and bias.",
    )


def test_places_and_values() -> None:
    assert (place(1, 1), place(2, 11)) == ("1st", "2nd to 11th")
    ends = Estimate("bias", 0.25, Interval(-0.5, float("inf"), 0.95, ""))
    assert value_words(ends) == "25 points [-50, ∞]"
    assert value_words(Undefined("bias", "no gold")) == "undefined"
