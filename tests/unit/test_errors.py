from goldassay.errors import (
    GateNotMet,
    GoldassayError,
    InputError,
    MissingExtraError,
    nearest,
    shown,
)


def test_a_message_names_place_rule_value_and_next_step() -> None:
    error = InputError("r.csv", "has no column 'item'", found="'id'", next_step="Add it")
    assert str(error) == "r.csv: has no column 'item'; found 'id'. Add it."
    assert error.exit_code == 2


def test_a_question_as_next_step_keeps_its_mark() -> None:
    assert str(InputError("a", "b", next_step="Did you mean 'c'?")) == "a: b. Did you mean 'c'?"


def test_exit_codes() -> None:
    assert GateNotMet("x").exit_code == 1
    assert issubclass(MissingExtraError, InputError)
    assert issubclass(InputError, GoldassayError)
    assert "pip install 'goldassay[serve]'" in str(MissingExtraError("starlette", "serve"))


def test_nearest_ignores_case_and_gives_none_for_strangers() -> None:
    assert nearest("met", ["MET", "UNMET"]) == "MET"
    assert nearest("zzz", ["MET"]) is None


def test_shown_is_one_bounded_line() -> None:
    assert "\n" not in shown("a\nb")
    assert len(shown("x" * 500)) == 80
