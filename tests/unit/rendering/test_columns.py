"""Text in columns: wide characters count two, names stay apart, nothing is cut."""

from __future__ import annotations

from goldassay.rendering.columns import Column, shortened, table, width_of, wrapped_lines


def test_wide_characters_count_two_and_marks_nothing() -> None:
    assert width_of("評審 a") == 6
    assert width_of("e\u0301") == 1
    assert width_of("\u200d") == 0


def test_wide_names_are_aligned() -> None:
    lines = table([Column("judge", ("評審", "gpt")), Column("items", ("1", "20"), right=True)])
    # 評審 takes four cells, judge five: every line is 5 + 2 + 5 cells wide
    assert [width_of(line) for line in lines] == [12, 12, 12, 12]


def test_a_long_word_is_broken_at_the_width() -> None:
    assert wrapped_lines("審" * 10, 8) == ["審" * 4, "審" * 4, "審" * 2]


def test_a_figure_stays_on_one_line() -> None:
    lines = wrapped_lines("people agree on 90 % [81, 96] of items", 24)
    assert lines == ["people agree on", "90 % [81, 96] of items"]


def test_names_that_differ_in_their_middle_only_are_not_shortened() -> None:
    names = [f"{'a' * 30}{k}{'b' * 30}" for k in range(3)]
    assert shortened(names, 20) is None


def test_short_names_stay_different() -> None:
    names = [f"provider/model-large-{day:02d}" for day in range(20)]
    short = shortened(names, 14)
    assert short is not None
    assert len(set(short)) == 20
    assert max(map(width_of, short)) <= 14


def test_both_names_of_a_difference_stay_apart() -> None:
    names = ["acme/large-2024-07 − acme/large-2024-08", "acme/large-2024-08 − b"]
    short = shortened(names, 23)
    assert short is not None
    assert len(set(short)) == 2
    assert all(" − " in one and width_of(one) <= 23 for one in short)
    first, _, second = short[0].partition(" − ")
    assert first != second


def test_no_figure_and_no_short_name_is_broken_over_lines() -> None:
    text = "`judge 1` is ahead by 3 points [-1, 5] (p = 0.022), likely 74 to 85 %, 0.1 to -0.2"
    whole = ("`judge 1`", "3 points [-1, 5]", "(p = 0.022),", "74 to 85 %,", "0.1 to -0.2")
    for width in range(18, 60):
        lines = wrapped_lines(text, width)
        assert all(any(one in line for line in lines) for one in whole), lines
