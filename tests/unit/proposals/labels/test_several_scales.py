"""Judges that rate on different scales: words get numbers, where they have them."""

from __future__ import annotations

from goldassay.proposals.draft import Draft
from goldassay.proposals.labels.options import draft_scale
from goldassay.proposals.labels.several_scales import numbers_of_words, words_of_numbers
from goldassay.proposals.labels.used import Used

NUMBERS = Used("n", "judge", {"10": 3, "55": 2, "90": 4})
BINARY = Used("b", "judge", {"No": 4, "Yes": 5})
LIKERT = Used("l", "judge", {"Bad": 1, "Mediocre": 2, "Very Good": 1})
PEOPLE = Used("ann", "human", {"yes": 5, "no": 4})


def drafted(*used: Used) -> Draft:
    draft = Draft()
    draft_scale(used, draft, sides=False)
    return draft


def test_words_of_judges_beside_numbers_of_others_are_read_as_numbers() -> None:
    draft = drafted(NUMBERS, BINARY, LIKERT, PEOPLE)
    assert draft.task["scale"] == "continuous"
    labels = {word.casefold(): at for word, at in draft.task["labels"].items()}
    assert labels == {"no": "0", "yes": "1", "bad": "2", "mediocre": "3", "very good": "5"}
    assert any("different scales" in line for line in draft.assumed)


def test_people_alone_in_words_are_asked_about() -> None:
    """Which numbers of a judge are people's yes is a threshold, and no reading."""
    draft = drafted(NUMBERS, PEOPLE)
    assert "labels" not in draft.task
    assert draft.missing


def test_words_without_an_order_have_no_numbers() -> None:
    cats = Used("c", "judge", {"cat": 1, "dog": 2, "owl": 1})
    assert numbers_of_words([NUMBERS, cats], ["10", "55", "90", "cat", "dog", "owl"]) == {}


def test_a_word_with_two_numbers_has_none() -> None:
    three = Used("t", "judge", {"no": 1, "maybe": 2, "yes": 1})
    options = ["10", "55", "90", "no", "maybe", "yes"]
    assert numbers_of_words([NUMBERS, BINARY, three], options) == {}


AGREED = {"Disagree": 2, "Neutral": 3, "Agree": 2}


def test_numbers_that_count_the_order_of_others_words_are_these() -> None:
    draft = drafted(Used("ann", "human", AGREED), Used("j", "judge", {"1": 2, "2": 3, "3": 2}))
    assert draft.task["labels"] == {"1": "Disagree", "2": "Neutral", "3": "Agree"}
    assert draft.task["options"] == ["Disagree", "Neutral", "Agree"]
    assert not draft.missing


def test_numbers_beyond_the_words_count_something_else() -> None:
    assert drafted(
        Used("ann", "human", AGREED), Used("j", "judge", {"1": 2, "4": 3, "7": 2})
    ).missing
    both = Used("b", "judge", {"1": 1, "2": 1, "3": 1, "Agree": 2})
    options = ["disagree", "neutral", "agree", "1", "2", "3"]
    assert words_of_numbers([Used("ann", "human", AGREED), both], options) == {}
