"""Sentences and warnings: pure functions of the study, with the facts they are made from."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from goldassay.questions.rank.gold import Unmatched
from goldassay.questions.rank.leaderboard import Standing
from goldassay.questions.rank.study import AgainstPeople, Options, RankStudy, study
from goldassay.questions.rank.systems import TopTwo
from goldassay.questions.rank.words import place, resampled_unit, sentences, value_words, warnings
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Sentence, Undefined
from tests.support.contests import contest

TASK = Task(scale="continuous")
OPTIONS = Options(resamples=200, detailed=("judge 0", "judge 1", "judge 2"), stability=False)


@pytest.fixture(scope="module")
def found() -> RankStudy:
    return study(contest(judges=3, noise=2.0), TASK, options=OPTIONS)


def people_of(found: RankStudy) -> AgainstPeople:
    assert found.people is not None
    return found.people


def said(found: RankStudy) -> dict[str, list[Sentence]]:
    by_key: dict[str, list[Sentence]] = {}
    for one in sentences(found):
        by_key.setdefault(one.key, []).append(one)
    return by_key


def test_a_key_is_used_once_about_one_thing(found: RankStudy) -> None:
    keys = [(one.key, *sorted(one.about.items())) for one in sentences(found)]
    assert len(set(keys)) == len(keys)
    assert {key for key, *_ in keys} == {
        "rank.kendall_tau",
        "rank.probability_best",
        "rank.decisiveness",
        "rank.top_two",
        "rank.split_half",
    }
    assert len(said(found)["rank.top_two"]) == 3


def test_facts_are_the_results_that_a_sentence_speaks_of(found: RankStudy) -> None:
    people = people_of(found)
    best = people.standings[0]
    tau, share = best.judge.tau(found.by), best.best
    shape, delta = best.judge.decisiveness, best.judge.bias_delta
    assert isinstance(tau, Estimate)
    assert tau.interval is not None
    assert share is not None
    assert isinstance(shape, Estimate)
    assert isinstance(delta, Estimate)
    (told,) = said(found)["rank.kendall_tau"]
    assert told.about == {"judge": best.judge.name}
    assert told.facts["value"] == tau.value
    assert (told.facts["low"], told.facts["high"]) == (tau.interval.low, tau.interval.high)
    assert (told.facts["n_systems"], told.facts["n_judges"]) == (6, 3)
    assert f"tau {tau.value:.2f}" in told.text
    (told,) = said(found)["rank.probability_best"]
    assert told.facts["value"] == share.value
    (told,) = said(found)["rank.decisiveness"]
    assert (told.facts["value"], told.facts["bias_delta"]) == (shape.value, delta.value)
    (told,) = said(found)["rank.split_half"]
    half = people.split_half
    assert half is not None
    assert told.facts["gold_split_half_tau"] == half.between.value
    assert told.facts["tau_with_half_gold"] == half.with_judge.value


def test_facts_are_plain(found: RankStudy) -> None:
    for one in sentences(found):
        assert json.loads(json.dumps(one.to_json())) == one.to_json()


def test_no_gold_is_said_first() -> None:
    found = study(contest(human_scores=None), TASK, options=Options(resamples=200))
    told = sentences(found)
    assert [one.key for one in told] == ["rank.no_gold", "rank.top_two"]
    assert told[0].text.startswith("There is no gold")
    assert warnings(found) == ()


def test_rankings_that_cannot_be_compared_say_why() -> None:
    tied = study(contest(scores=np.ones((2, 60, 6))), TASK, options=Options(resamples=200))
    (told,) = said(tied)["rank.not_comparable"]
    assert "tied" in told.facts["reason"]
    assert told.facts["reason"] in told.text


@pytest.mark.parametrize(
    ("low", "others", "words"),
    [
        ([], 2, "no other judge's ranking can be compared with people's"),
        ([-0.1], 1, "the other cannot be told apart from it"),
        ([0.1], 1, "the other is told apart from it"),
        ([0.1, 0.2], 2, "all of the other 2 are told apart from it"),
        ([-0.1, 0.2], 2, "1 of the other 2 cannot be told apart from it"),
        ([-0.1, 0.0], 3, "none of the other 2 can be told apart from it; 1 more has no ranking"),
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
    standings = (people.standings[0], *(Standing(judge, None, one) for one in behind))
    changed = replace(found, people=replace(people, standings=standings))
    (told,) = said(changed)["rank.probability_best"]
    assert told.text.partition("; ")[2].startswith(words)
    assert told.facts["n_not_told_apart"] == sum(end <= 0 for end in low)
    assert (told.facts["n_compared"], told.facts["n_others"]) == (len(low), others)


@pytest.mark.parametrize(
    ("low", "high", "than_people", "words"),
    [
        (1.2, 2.0, "more", "more decisive than people: it widens"),
        (0.5, 0.9, "less", "less decisive than people: it narrows"),
        (0.9, 1.2, "alike", "about as decisive as people"),
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
    assert told.facts["bias_delta"] is None
    assert told.text.startswith(f"{best.judge.name} is {words}")


def test_the_top_two(found: RankStudy) -> None:
    ranked = found.systems[0]
    parted = replace(found, systems=(replace(ranked, top=TopTwo(2, 0, (30, 1200))),))
    (told,) = said(parted)["rank.top_two"]
    assert told.text == (
        "judge 0 puts system 2 first and system 0 second. With a gap like this one, 1,200 prompts "
        "tell the two apart with 80 % power (30 in half of all tries); there are 60."
    )
    assert told.facts["needed"] == 1200
    level = replace(found, systems=(replace(ranked, top=TopTwo(2, 0, None)),))
    (told,) = said(level)["rank.top_level"]
    assert told.text == "judge 0 puts system 2 and system 0 level at the top."
    open_ended = replace(found, systems=(replace(ranked, top=None),))
    assert not {"rank.top_two", "rank.top_level"} & set(said(open_ended))


def test_warnings_name_what_was_left_out(found: RankStudy) -> None:
    people = people_of(found)
    assert warnings(found) == ()
    names = Unmatched(("gtp", "x"), {"gtp": "gpt"}, ("gpt",), 18.0, 9.0)
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
        "2 gold systems were not judged: 'gtp' (did you mean 'gpt'?).",
        "1 judged systems have no gold: 'gpt'. They are ranked, and left out of the comparison "
        "with people.",
        "9 of 18 gold battles involve a system that no judge rated; they are left out.",
        "The judge mute has no usable rating; it is not ranked.",
        "In 7 of 200 resamples of people's battles some system was undefeated or winless; it then "
        "ranks first or last.",
        "judge 0 gave system 2 no score; it is unranked there.",
        "Scores missing (not rated, invalid or left out): judge 0 16.7%, judge 1 0.3%. Each pair "
        "of systems is compared on the prompts that both have.",
        "2 pairs of systems have fewer than 10 untied comparisons by people; they are left out of "
        "win rates, decisiveness and bias.",
    )


def test_places_and_values() -> None:
    assert (place(1, 1), place(2, 11)) == ("1st", "2nd to 11th")
    ends = Estimate("bias", 0.25, Interval(-0.5, float("inf"), 0.95, ""))
    assert value_words(ends, 1, "+") == "+0.2 (-0.5, ∞)"
    assert value_words(Undefined("bias", "no gold")) == "undefined"


def test_the_unit_that_is_drawn() -> None:
    assert resampled_unit(contest(prompts=4)) == "prompts"
    halves = contest(prompts=4, cluster=np.array([0, 0, 1, 1]), n_clusters=2)
    assert resampled_unit(halves) == "clusters of prompts"
