"""Golden files, from the real verbs.

`report.txt` and `questions.txt` are what every question says of the ratings beside this file: 24
prompts answered by three systems and judged by two judges. The JSON documents and the Markdown are
those of ten items. The last digits of a sum depend on the processor: numbers that are not rounded
are the same to nine digits, and everything between them is byte for byte.

`GOLDASSAY_UPDATE_GOLDEN=1 pytest tests/golden` writes them anew; read the difference before keeping
it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
import sample_documents
from elsewhere import elsewhere

import goldassay as ga
from goldassay.findings import Findings
from goldassay.gates import outcomes
from goldassay.questions.agree.ask import agree
from goldassay.questions.certify.ask import certify
from goldassay.questions.compare.ask import compare
from goldassay.questions.diff.ask import diff
from goldassay.questions.report import ask
from goldassay.rendering.formats import FORMATS, rendered
from goldassay.rendering.markdown import render_markdown
from goldassay.rendering.text import render_text
from goldassay.results import dumps

HERE = Path(__file__).parent
TASK = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}


#: A number with more decimals than anybody is shown.
UNROUNDED = re.compile(r"-?\d\.\d{6,}(?:e-?\d+)?")
#: A passport's digest, which is of all digits.
DIGEST = re.compile(r'^  "digest": "sha256:[0-9a-f]{64}"', re.MULTILINE)


def check(name: str, text: str) -> None:
    file = HERE / name
    old = file.read_text(encoding="utf-8")
    between = [DIGEST.sub("#", UNROUNDED.sub("#", each)) for each in (old, text)]
    numbers = [[float(one) for one in UNROUNDED.findall(each)] for each in (old, text)]
    near = numbers[0] == pytest.approx(numbers[1], rel=1e-9, abs=1e-12)
    alike = old == text or (between[0] == between[1] and near and numbers[0] != numbers[1])
    if os.environ.get("GOLDASSAY_UPDATE_GOLDEN") and not alike:
        file.write_text(text, encoding="utf-8")
    elif not alike:
        assert old == text  # which shows where


def test_another_digit_is_seen_and_a_last_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "HERE", tmp_path)
    monkeypatch.delenv("GOLDASSAY_UPDATE_GOLDEN", raising=False)
    (tmp_path / "one.json").write_text('{"value": 0.12345678901234, "n": 12}')
    check("one.json", '{"value": 0.12345678901233, "n": 12}')
    for other in ("0.12345688901234, 12", "0.12345678901234, 13", "0.123, 12"):
        value, n = other.split(", ")
        with pytest.raises(AssertionError):
            check("one.json", f'{{"value": {value}, "n": {n}}}')


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Findings:
    """The report of one judge that is wrong on two of ten items, with the question of agreement."""
    monkeypatch.setattr(ask, "QUESTIONS", {"agree": agree})
    monkeypatch.chdir(tmp_path)
    lines = ["item,rater,kind,value"]
    for k in range(10):
        truth = "yes" if k % 2 else "no"
        lines += [f"i{k},ann,human,{truth}", f"i{k},gpt,judge,{'no' if k < 3 else truth}"]
    Path("ratings.csv").write_text("\n".join(lines) + "\n")
    return ask.report("ratings.csv", TASK, resamples=500, seed=1)


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    """The report of every question, as anybody reads it from its file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(HERE)
        patch.setattr("sys.argv", ["goldassay", "report", "ratings.csv"])
        found = ask.report("ratings.csv", "task.toml", resamples=200, seed=1)
    return dict(json.loads(found.to_json()))


def test_every_question_is_asked(whole: dict[str, Any]) -> None:
    asked = {part["verb"] for part in whole["parts"]}
    assert asked | {one["verb"] for one in whole["not_run"]} == set(ask.QUESTIONS)
    assert len(asked) >= len(ask.QUESTIONS) - 1


def test_text(whole: dict[str, Any]) -> None:
    check("report.txt", render_text(whole))


def test_text_of_every_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)
    said = []
    for verb in ("check", *ask.QUESTIONS):
        drawn = {"resamples": 100} if verb in ("agree", "select", "audit", "rank") else {}
        found = getattr(ga, verb)("ratings.csv", "task.toml", **drawn)
        said.append(f"== {verb} ==\n\n{render_text(found.document())}")
    check("questions.txt", "\n".join(said))


def test_markdown(found: Findings) -> None:
    check("report.md", render_markdown(json.loads(found.to_json())))


def test_report_json(found: Findings) -> None:
    check("report.json", found.to_json())


def test_diff_json(found: Findings) -> None:
    check("diff.json", diff(found, found).to_json())


def test_compare_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three systems on 60 prompts of two topics, one prompt in two labelled, with a margin."""
    monkeypatch.chdir(tmp_path)
    lines = ["item,system,topic,rater,kind,value"]
    for k in range(60):
        for s, often in (("alder", 2), ("birch", 3), ("cedar", 5)):
            truth = (7 * k + often) % 6 < often  # 2, 3 and 5 of 6
            said = truth != ((k + often) % 9 == 0)
            where = f"i{k:02},{s},{'law' if k % 3 else 'art'}"
            lines.append(f"{where},gpt,judge,{'yes' if said else 'no'}")
            lines += [f"{where},ann,human,{'yes' if truth else 'no'}"] if k % 2 else []
    Path("ratings.csv").write_text("\n".join(lines) + "\n")
    task = {**TASK, "calibration": "random"}
    found = compare("ratings.csv", task, margin=0.05, by=["topic"], seed=1)
    check("compare.json", found.to_json())


def test_certify_json(found: Findings) -> None:
    who = {"model": "m-1", "prompt": "Is it right?"}
    task = {**TASK, "population": "ten items", "expires": 5000}
    passport = certify("ratings.csv", task, identity=who, date="2026-01-31", resamples=500)
    check("certify.json", passport.to_json())


ELSEWHERE = """
import hashlib, json, sys
from goldassay.rendering.formats import FORMATS, rendered
document = json.load(open(sys.argv[1], encoding="utf-8"))
for one in FORMATS:
    if ".pdf" not in one.suffixes:
        made = rendered(document, one.suffixes[0])
        print(hashlib.sha256(made if isinstance(made, bytes) else made.encode()).hexdigest())
"""


def test_every_form_is_made_alike_in_every_process(tmp_path: Path) -> None:
    document = sample_documents.report()
    held = outcomes(["accuracy > 0.5"], document["results"], document["sentences"])
    document = {**document, "gates": [one.to_json() for one in held]}
    file = tmp_path / "document.json"
    file.write_text(dumps(document), encoding="utf-8")
    read = json.loads(file.read_text(encoding="utf-8"))
    here = [rendered(read, one.suffixes[0]) for one in FORMATS if ".pdf" not in one.suffixes]
    digests = [
        hashlib.sha256(made if isinstance(made, bytes) else made.encode()).hexdigest()
        for made in here
    ]
    assert digests == elsewhere(ELSEWHERE, str(file)).split()
