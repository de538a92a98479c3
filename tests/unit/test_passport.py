"""The record, its reading, and whether it still holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from goldassay.errors import InputError
from goldassay.passport import (
    Errors,
    Expiry,
    Identity,
    Passport,
    digest_of,
    expiry_of,
    passport_of,
    read_passport,
    today,
)
from goldassay.standing import Now, standing

KNOWN = {"model": "m-1", "prompt": "Is it right?", "parameters": "temperature 0"}
TASK = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}


def identity(**said: str) -> Identity:
    return Identity(said, dict.fromkeys(said, "declared"))


def passport(**changed: Any) -> Passport:
    made: dict[str, Any] = {
        "judge": "gpt",
        "identity": identity(**KNOWN),
        "task": TASK,
        "population": None,
        "date": "2026-01-31",
        "expires": Expiry(),
        "errors": (),
    }
    return Passport(**{**made, **changed})


def document(**changed: Any) -> dict[str, Any]:
    made = {
        "schema": "goldassay/1",
        "verb": "certify",
        "provenance": {"version": "0", "argv": ["certify"]},
        "results": [],
        "passport": passport(**changed).to_json(),
    }
    made["passport"]["digest"] = digest_of(made)  # type: ignore[index]
    return made


def word(now: Now, **changed: Any) -> str:
    return standing(passport(**changed), now).word


# --- whether it holds -----------------------------------------------------------------------------


def test_fresh_when_all_that_it_says_is_the_same() -> None:
    stands = standing(passport(), Now("gpt", identity(**KNOWN), TASK))
    assert (stands.word, stands.same) == ("fresh", ("model", "prompt", "parameters"))


@pytest.mark.parametrize("field", list(KNOWN))
def test_stale_names_the_field_that_changed(field: str) -> None:
    stands = standing(passport(), Now("gpt", identity(**{**KNOWN, field: "another"})))
    assert stands.word == "stale"
    assert [(one.field, one.was, one.now) for one in stands.changes] == [
        (field, KNOWN[field], "another")
    ]


def test_what_is_not_known_now_is_unknown() -> None:
    less = identity(model="m-1", prompt="Is it right?")
    stands = standing(passport(), Now("gpt", less))
    assert (stands.word, stands.unknown) == ("unknown", ("parameters",))
    assert word(Now("gpt")) == "unknown"


def test_a_passport_that_says_no_model_is_never_fresh() -> None:
    only = identity(parameters="temperature 0")
    stands = standing(passport(identity=only), Now("gpt", identity(**KNOWN)))
    assert (stands.word, stands.unknown) == ("unknown", ("model", "prompt"))


def test_the_digest_of_a_program_stands_for_model_and_prompt() -> None:
    program = identity(source="sha256:12")
    assert word(Now("gpt", program), identity=program) == "fresh"
    tool = identity(source="promptfoo")  # the tool that ran a judge says nothing of the judge
    assert word(Now("gpt", tool), identity=tool) == "unknown"


def test_family_and_size_do_not_make_another_judge() -> None:
    was, now = identity(**KNOWN, family="a"), identity(**KNOWN, family="b")
    assert word(Now("gpt", now), identity=was) == "fresh"


def test_more_that_is_known_now_does_not_make_it_stale() -> None:
    assert word(Now("gpt", identity(**KNOWN, version="2026-01"))) == "fresh"


@pytest.mark.parametrize(
    ("day", "expected"),
    [("2026-06-30", "fresh"), ("2026-07-01", "expired"), ("2030-01-01", "expired")],
)
def test_it_holds_on_its_last_day(day: str, expected: str) -> None:
    now = Now("gpt", identity(**KNOWN), date=day)
    assert word(now, expires=Expiry("2026-06-30")) == expected


@pytest.mark.parametrize(
    ("verdicts", "expected"), [(100, "fresh"), (101, "expired"), (None, "fresh")]
)
def test_it_holds_for_its_last_verdict(verdicts: int | None, expected: str) -> None:
    now = Now("gpt", identity(**KNOWN), verdicts=verdicts)
    assert word(now, expires=Expiry(None, 100)) == expected


def test_a_change_weighs_more_than_an_end_and_both_are_kept() -> None:
    now = Now("gpt", identity(**{**KNOWN, "model": "m-2"}), date="2027-01-01")
    stands = standing(passport(expires=Expiry("2026-06-30")), now)
    assert (stands.word, stands.expired) == ("stale", True)


def test_other_options_are_another_task() -> None:
    other = {**TASK, "options": ["yes", "no", "maybe"]}
    stands = standing(passport(), Now("gpt", identity(**KNOWN), other))
    assert [one.field for one in stands.changes] == ["task options"]
    named = {**TASK, "columns": {"item": "id"}}  # a file's own names mean nothing for verdicts
    assert word(Now("gpt", identity(**KNOWN), named)) == "fresh"


# --- reading --------------------------------------------------------------------------------------


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "gpt.passport.json"
    path.write_text(json.dumps(document(expires=Expiry("2027-01-31", 10), population="answers")))
    read = read_passport(path)
    assert (read.judge, read.identity, read.date) == ("gpt", identity(**KNOWN), "2026-01-31")
    assert (read.expires, read.population) == (Expiry("2027-01-31", 10), "answers")
    assert read.sha256 is not None


def broken(**changed: Any) -> dict[str, Any]:
    """A document sealed anew after its passport was changed: only its shape is wrong."""
    made = document()
    made["passport"] |= changed
    made["passport"]["digest"] = digest_of(made)
    return made


def errors(**changed: Any) -> dict[str, Any]:
    cells = [[3, [[1, 0], [0, 1], [0, 0]]]]
    made = Errors(None, ("no", "yes"), ("no", "yes"), "random", 6, True, ()).to_json()
    return made | {"cells": cells} | changed


#: Each with one thing that is of no passport.
WRONG_ERRORS: list[dict[str, Any]] = [
    {"criterion": ["tone"]},
    {"criterion": 3},
    {"reason": {"a": 1}},
    {"reason": 0},
    {"design": ["random"]},
    {"cells": []},
]


def test_errors_are_read_as_they_were_written() -> None:
    (read,) = passport_of(broken(errors=[errors()])).errors
    assert read.to_json() == errors()
    without = errors(cells=[], reason="no item has both a label and a verdict")
    assert passport_of(broken(errors=[without])).errors[0].cells == ()


@pytest.mark.parametrize(
    ("made", "said"),
    [
        *((broken(errors=[errors(**one)]), "is damaged") for one in WRONG_ERRORS),
        (broken(expires={"date": None, "verdicts": 0}), "is damaged"),
        ([], "is not a passport"),
        ({"schema": "another/1"}, "is not a passport"),
        (
            {"schema": "goldassay/1", "verb": "report"},
            "not a passport; found one of goldassay 'report'",
        ),
        ({**document(), "schema": "goldassay/2"}, "newer goldassay"),
        (broken(version=2), "newer goldassay"),
        (broken(version="x"), "is not a passport that can be read"),
        (broken(date="soon"), "is damaged"),
        (broken(identity=[]), "is damaged"),
        (broken(identity={"model": 3}), "is damaged"),
        (broken(errors=[{"criterion": None}]), "is damaged"),
        (broken(expires=None), "is damaged"),
        ({**document(), "results": [{"name": "accuracy", "value": 1.0}]}, "was changed after"),
        ({**document(), "provenance": None}, "is damaged"),
    ],
)
def test_whatever_else_a_file_is_one_message_says_so(made: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        passport_of(made, place="x.json")
    assert said in str(caught.value)
    assert str(caught.value).startswith("x.json: ")
    assert "\n" not in str(caught.value)


def test_every_change_by_hand_is_seen() -> None:
    made = json.dumps(document())
    for was, now in (('"gpt"', '"other"'), ("m-1", "m-2"), ("2026-01-31", "2027-01-31")):
        assert was in made
        with pytest.raises(InputError, match="was changed after"):
            passport_of(json.loads(made.replace(was, now)))


def test_the_command_that_made_it_is_not_sealed() -> None:
    made = document()
    made["provenance"]["argv"] = ["certify", "--out", "elsewhere.json"]
    assert passport_of(made).judge == "gpt"


def test_what_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"\xff{")
    with pytest.raises(InputError):
        read_passport(path)
    with pytest.raises(InputError):
        read_passport(tmp_path / "nowhere.json")


# --- days -----------------------------------------------------------------------------------------


def test_the_day_follows_source_date_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert today() == "1970-01-02"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(InputError, match="SOURCE_DATE_EPOCH"):
        today()


@pytest.mark.parametrize("text", ["", "0", "-5", "2026-13-01", "next week", "1.5"])
def test_an_end_is_a_day_or_a_number(text: str) -> None:
    with pytest.raises(InputError, match="a day"):
        expiry_of(text, "--expires")


def test_eight_digits_that_are_a_day_are_asked_back() -> None:
    with pytest.raises(InputError, match="Write 2027-01-31 for the day, 20_270_131 for the number"):
        expiry_of("20270131", "--expires")
    assert expiry_of("20_270_131", "--expires") == Expiry(verdicts=20270131)
    assert expiry_of("20279999", "--expires") == Expiry(verdicts=20279999)
