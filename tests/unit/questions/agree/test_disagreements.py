"""Where a judge and people differ, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from small_units import BINARY, units

from goldassay.counts import By
from goldassay.questions.agree.disagreements import disagreements
from goldassay.questions.agree.texts import Texts


def test_the_worst_come_first_and_people_break_ties() -> None:
    # a: 1 of 1 person against the judge; b: 3 of 3; c: 2 of 3; d: agree; e: nobody rated it
    human = [[1, 0], [3, 0], [2, 1], [0, 1], [0, 0]]
    u = units(BINARY, human, [[1], [1], [1], [1], [1]], [1] * 5)
    u = replace(u, by={"item": By(("a", "b", "c", "d", "e"), np.arange(5))})
    texts = Texts({("b", ""): "the text of b"}, {})
    found = disagreements(u, u.verdict, limit=2, texts=texts)
    assert [one.labels for one in found.worst] == [("b",), ("a",)]
    assert [one.distance for one in found.worst] == [1.0, 1.0]
    assert found.worst[0].people == (("MET", 3),)
    assert found.worst[0].judge == (("UNMET", 1),)
    assert [one.text for one in found.worst] == ["the text of b", ""]
    assert (found.differ, found.rated, found.with_texts) == (3, 4, True)
    third = disagreements(u, u.verdict, limit=3).worst[2]
    assert third.people == (("MET", 2), ("UNMET", 1))
    assert third.distance == 1 - 1 / 3
    assert third.text is None
