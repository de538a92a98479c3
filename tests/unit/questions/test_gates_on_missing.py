"""Gates under verdicts that are missing: held, not met, or inconclusive."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

import goldassay as ga
from goldassay.cli import command_line

TASK = {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "abstain": ["?"]}
FEW = {"resamples": 100}


def study(folder: Path, *, missing: int, word: str | None, wrong: int = 6, judges: int = 1) -> str:
    """100 labelled items; a judge errs on some, and on the last gives nothing, or a word."""
    rows = ["item,rater,kind,value"]
    for n in range(100):
        label, other = ("yes", "no") if n % 2 else ("no", "yes")
        rows.append(f"i{n},kim,human,{label}")
        for judge in range(judges):
            said = other if n < wrong + judge else label
            if n < 100 - missing:
                rows.append(f"i{n},gpt{judge},judge,{said}")
            elif word is not None:
                rows.append(f"i{n},gpt{judge},judge,{word}")
    path = folder / "ratings.csv"
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def states(found: ga.Findings, *gates: str) -> list[str]:
    return [one.state for one in found.held_against(*gates)]


@pytest.mark.parametrize("word", [None, "", "?"])
def test_missing_verdicts_at_their_worst_and_best(word: str | None, tmp_path: Path) -> None:
    """74 right of 80: with 20 missing between 74 and 94 of 100, whatever the missing look like."""
    found = ga.agree(study(tmp_path, missing=20, word=word), TASK, **FEW)
    assert states(found, "accuracy>=0.74", "accuracy>0.74") == ["held", "inconclusive"]
    assert states(found, "accuracy>=0.94", "accuracy>0.94") == ["inconclusive", "not met"]
    assert states(found, "accuracy<=0.94", "accuracy<0.74") == ["held", "not met"]
    assert states(found, "coverage>=80 %", "coverage>0.8") == ["held", "not met"]
    (one,) = found.held_against("accuracy>=90%")
    assert [reason.kind for reason in one.reasons] == ["missing"]
    assert "between 0.74 and 0.94" in one.text
    assert {key: one.account[key] for key in ("labelled", "asked", "judged")} == {
        "labelled": 100, "asked": 100, "judged": 80,
    }  # fmt: skip
    kind = "abstained" if word == "?" else "absent"
    assert one.account[kind] == 20
    with pytest.raises(ga.GateInconclusive, match="inconclusive"):
        found.require("accuracy>=0.9")
    with pytest.raises(ga.GateNotMet):
        found.require("accuracy>=0.9", "coverage>0.8")
    found.require("accuracy>=0.74")
    kept = pickle.loads(pickle.dumps(found))
    assert states(kept, "accuracy>=0.74", "accuracy>0.74") == ["held", "inconclusive"]


def test_ends_are_those_of_the_filled_tables(tmp_path: Path) -> None:
    found = ga.agree(study(tmp_path, missing=20, word=None), TASK, **FEW)
    whole = ga.agree(study(tmp_path, missing=0, word=None, wrong=26), TASK, **FEW)
    low = whole["accuracy", "gpt0"].interval.low
    assert states(found, f"accuracy.low>={low - 0.01}", f"accuracy.low>={low + 0.01}") == [
        "held",
        "inconclusive",
    ]


@pytest.mark.parametrize("seed", range(4))
def test_no_filling_of_the_missing_turns_a_gate_that_is_decided(seed: int, tmp_path: Path) -> None:
    """Whatever the missing verdicts are made, the numbers lie within what gates go by."""
    rng = random.Random(seed)
    options = ["a", "b", "c"][: 2 + seed % 2]
    task: dict[str, Any] = {"scale": "nominal", "options": options}
    items = [(n, rng.choice(options), rng.choice(options), rng.random() < 0.25) for n in range(60)]

    def frame(fill: Any) -> str:
        rows = ["item,rater,kind,value"]
        for n, label, said, lost in items:
            verdict = (fill() if lost else said if n % 3 else label) or ""
            rows += [f"i{n},kim,human,{label}", f"i{n},gpt,judge,{verdict}"]
        path = tmp_path / "filled.csv"
        path.write_text("\n".join(rows) + "\n")
        return str(path)

    names = ("accuracy", "cohen_kappa", "balanced_accuracy", "macro_f1")
    found = ga.agree(frame(lambda: None), task, **FEW)
    ends = {}
    for name in names:
        rows = [one.to_json() for one in found.rows_where(name=name, judge="gpt")]
        assert found.ground is not None
        low, high = (one["value"] for one in found.ground.under_missing(rows[0], "value"))
        ends[name] = (low, high)
    for _ in range(6):
        filled = ga.agree(frame(lambda: rng.choice(options)), task, **FEW)
        for name, (low, high) in ends.items():
            assert low - 1e-9 <= filled[name, "gpt"].value <= high + 1e-9, name


def test_without_missing_verdicts_a_gate_is_as_it_was(tmp_path: Path) -> None:
    found = ga.agree(study(tmp_path, missing=0, word=None), TASK, **FEW)
    assert states(found, "accuracy>=0.94", "accuracy>0.94") == ["held", "not met"]


def test_missing_scores_have_no_bound(tmp_path: Path) -> None:
    rows = ["item,kim,gpt", *(f"i{n},{n % 7},{n % 5 if n < 30 else ''}" for n in range(40))]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(rows) + "\n")
    task = {"scale": "continuous", "wide": {"human": ["kim"], "judge": ["gpt"]}}
    found = ga.agree(str(path), task, **FEW)
    assert states(found, "pearson>=-0.9", "coverage>=0.7") == ["inconclusive", "held"]


#: What no missing verdict could change, by the verb that says it.
STEADY = {
    *(("agree", one) for one in ("coverage", "abstention_rate", "invalid_rate", "failed_rate")),
    *(("select", one) for one in ("coverage", "abstention_rate", "invalid_rate", "failed_rate")),
    *(("estimate", one) for one in ("prevalence_bounds", "prevalence_over_all")),
    ("audit", "rater_error"),
    ("rank", "gold_split_half_tau"),
}
VERBS: dict[str, Callable[[ga.Ratings], ga.Findings]] = {
    "agree": lambda one: ga.agree(one, **FEW),
    "select": lambda one: ga.select(one, **FEW),
    "estimate": ga.estimate,
    "plan": ga.plan,
    "audit": lambda one: ga.audit(one, **FEW, panel_draws=2),
    "replace": ga.replace,
    "route": ga.route,
    "rank": lambda one: ga.rank(one, **FEW),
    "compare": ga.compare,
    "report": lambda one: ga.report(one, **FEW),
    "certify": lambda one: ga.certify(one, judge="gpt", date="2026-01-31", **FEW),
}


def systems_study(folder: Path, seed: int, lost: str) -> ga.Ratings:
    """Two systems' outputs on 40 prompts, two people and a judge with a score; a few verdicts are
    lost: no row, failed, abstained, or of an item that nobody labelled."""
    rng = random.Random(seed)
    rows = ["item,system,rater,kind,value,score,status"]
    for n, system in product(range(40), "AB"):
        label = rng.choice(["yes", "no"])
        other = {"yes": "no", "no": "yes"}[label]
        if n < 34:
            for who in ("kim", "lee"):
                said = label if rng.random() < 0.9 else other
                rows.append(f"i{n},{system},{who},human,{said},,")
        verdict = label if rng.random() < 0.8 else other
        score = rng.uniform(*((0.5, 1.0) if verdict == "yes" else (0.0, 0.5)))
        away = lost and system == "A" and (n >= 37 if lost == "unlabelled" else n in (3, 11, 20))
        if not away:
            rows.append(f"i{n},{system},gpt,judge,{verdict},{score:.3f},")
        elif lost != "absent":
            rows.append(f"i{n},{system},gpt,judge,{'?' if lost == 'abstained' else ''},,failed")
    path = folder / "systems.csv"
    text = "\n".join(rows).replace("?,,failed", "?,,")
    path.write_text(text + "\n")
    task = ga.Task.from_mapping({**TASK, "calibration": "random"}, place="task")
    return ga.read_ratings(str(path), task)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("lost", ["absent", "failed", "unlabelled"])
def test_no_verb_decides_by_value_alone_where_verdicts_are_missing(
    verb: str, lost: str, tmp_path: Path
) -> None:
    """Every number of a judge is bounded under its missing verdicts, or no gate on it holds."""
    found = VERBS[verb](systems_study(tmp_path, len(verb), lost))
    rows = [one.to_json() for one in found.rows]
    assert rows
    assert found.ground is not None
    told = False
    for row in rows:
        own = row.get("verb") or verb
        if lost == "unlabelled" and own == "agree":  # it looks at labelled items alone
            continue
        if row.get("judge") != "gpt" or (own, row["name"]) in STEADY:
            continue
        moved = found.ground.under_missing(row, "value")
        assert moved is None or len(moved), (own, row["name"])
        assert found.ground.account(row)["judged"] < 80, (own, row["name"])
        told = True
    assert told or (verb == "agree" and lost == "unlabelled")


@pytest.mark.parametrize("verb", VERBS)
def test_with_all_verdicts_every_verb_is_decided(verb: str, tmp_path: Path) -> None:
    found = VERBS[verb](systems_study(tmp_path, len(verb), ""))
    assert found.ground is not None
    for one in found.rows:
        row = one.to_json()
        assert not found.ground.under_missing(row, "value"), row["name"]
        assert found.ground.under_missing(row, "value") is not None, row["name"]
    kept = pickle.loads(pickle.dumps(found))
    for one in kept.rows:
        account = kept.ground.account(row := one.to_json())
        of_one = row.get("system") and not row.get("opponent")
        assert not account or account["labelled"] == (34 if of_one else 68), row
        assert not account or account["judged"] == account["labelled"]


def test_a_gate_without_a_bound_says_so(tmp_path: Path) -> None:
    found = ga.select(systems_study(tmp_path, 1, "failed"), **FEW)
    (one,) = found.held_against("sensitivity>0.01")
    assert one.state == "inconclusive"
    assert [reason.kind for reason in one.reasons] == ["missing"]
    assert "no bound of it is known" in one.text
    assert (one.account["judged"], one.account["failed"]) == (65, 3)
    assert states(found, "coverage>=0.9") == ["held"]


def test_the_account_names_copies_and_the_slice(tmp_path: Path) -> None:
    """Raters with the very same ratings, people too; and the labels that rows were chosen by."""
    rows = ["item,topic,rater,kind,value"]
    for n in range(90):
        label = "yes" if n % 3 else "no"
        said = {"kim": label, "lee": "yes" if n % 5 else "no", "gpt": label, "o1": label}
        topic = "law" if n % 2 else "tax"
        for who, value in said.items():
            kind = "human" if who in ("kim", "lee") else "judge"
            if who != "kim" or n < 60:
                rows.append(f"i{n},{topic},{who},{kind},{value}")
    path = tmp_path / "copies.csv"
    path.write_text("\n".join(rows) + "\n")
    found = ga.agree(str(path), TASK, only=["topic=law"], exclude={"item": "i1"}, **FEW)
    (one,) = found.held_against("accuracy>=0.01[judge=gpt]")
    assert one.account["identical"] == ["kim", "o1"]
    assert one.account["slice"] == ["--only topic=law", "--exclude item=i1"]
    assert "the same verdicts as kim and o1" in one.stands_on
    assert "slice: --only topic=law, --exclude item=i1" in one.stands_on


@pytest.mark.parametrize("scale", ["binary", "nominal", "ordinal"])
@pytest.mark.parametrize("seed", range(3))
def test_bounds_of_items_and_criteria_hold_under_every_filling(
    scale: str, seed: int, tmp_path: Path
) -> None:
    """Tiny tables of items with criteria, all ways to fill what is missing, at every level."""
    rng = random.Random(100 * seed + len(scale))
    options = ["yes", "no"] if scale == "binary" else ["a", "b", "c"]
    task: dict[str, Any] = {"scale": scale, "options": options}
    task |= {"positive": "yes"} if scale == "binary" else {}
    cells = [(n, c, rng.choice(options), rng.choice(options)) for n in range(6) for c in "xyz"]
    lost = rng.sample(range(len(cells)), 4 if scale == "binary" else 3)

    def asked(fill: tuple[str, ...]) -> ga.Findings:
        rows = ["item,criterion,rater,kind,value"]
        filled = dict(zip(lost, fill, strict=True)) if fill else dict.fromkeys(lost, "")
        for at, (n, criterion, label, said) in enumerate(cells):
            rows.append(f"i{n},{criterion},kim,human,{label}")
            rows.append(f"i{n},{criterion},gpt,judge,{filled.get(at, said)}")
        path = tmp_path / "tiny.csv"
        path.write_text("\n".join(rows) + "\n")
        return ga.agree(str(path), task, resamples=20)

    found, ends = asked(()), {}
    assert found.ground is not None
    for name in ("accuracy", "cohen_kappa"):
        for one in found.rows_where(name=name, judge="gpt"):
            moved = found.ground.under_missing(one.to_json(), "value")
            if moved is not None and one.about.get("mode") is None:
                values = [row["value"] for row in moved]
                ends[name, str(one.about["level"])] = values
    assert ("accuracy", "micro") in ends
    assert not [level for _, level in ends if level == "item"]
    for fill in product(options, repeat=len(lost)):
        whole = asked(fill)
        for (name, level), (low, high) in ends.items():
            (one,) = [
                one.to_json()
                for one in whole.rows_where(name=name, judge="gpt", level=level)
                if one.about.get("mode") is None
            ]
            least = -2.0 if low is None else low
            value = -2.0 if one["value"] is None else one["value"]
            assert least - 1e-9 <= value <= high + 1e-9, (name, level)


def command(folder: Path, *words: str) -> int:
    """Two judges with 20 missing verdicts each, held against gates: how the command ends."""
    (folder / "t.toml").write_text(
        'scale = "binary"\noptions = ["yes", "no"]\npositive = "yes"\nabstain = ["?"]\n'
    )
    ratings = study(folder, missing=20, word=None, judges=2)
    task = ("--task", str(folder / "t.toml"), "--resamples=100")
    return command_line([words[0], ratings, *task, *words[1:]])


@pytest.mark.parametrize("verb", ["agree", "report"])
def test_the_command_ends_with_4_and_every_form_says_so(verb: str, tmp_path: Path) -> None:
    outs = [tmp_path / f"r.{suffix}" for suffix in ("json", "xml", "sarif", "html")]
    words = [f"--out={one}" for one in outs]
    gates = ["--require=accuracy>=0.9[judge=gpt0]", "--require=accuracy>=0.74[judge=gpt0]"]
    assert command(tmp_path, verb, *words, *gates) == 4
    document = json.loads(outs[0].read_text())
    assert [one["state"] for one in document["gates"]] == ["inconclusive", "held"]
    assert [one["held"] for one in document["gates"]] == [False, True]
    assert document["gates"][0]["reasons"][0]["kind"] == "missing"
    assert document["gates"][0]["account"]["judges"] == 2
    suite = Xml.parse(outs[1]).getroot()[0]
    assert (suite.get("failures"), suite.get("errors")) == ("0", "1")
    (error,) = Xml.parse(outs[1]).iter("error")
    assert error.get("type") == "GateInconclusive"
    kept = {one.get("name"): one.get("value") for one in Xml.parse(outs[1]).iter("property")}
    assert (kept["labelled"], kept["judged"], kept["absent"]) == ("100", "80", "20")
    (run,) = json.loads(outs[2].read_text())["runs"]
    assert [one["level"] for one in run["results"]] == ["warning"]
    assert run["results"][0]["properties"]["account"]["absent"] == 20
    assert "80 of 100 labelled items" in run["properties"]["held"][0]
    assert "inconclusive" in outs[3].read_text()


def test_of_several_gates_one_that_is_not_met_is_told(tmp_path: Path) -> None:
    gates = ["--require=accuracy>=0.9", "--require=coverage>=0.9"]
    assert command(tmp_path, "agree", *gates) == 1


def test_what_held_says_on_what(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(tmp_path, "agree", "--require=accuracy>=0.7") == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Held: accuracy>=0.7" in told
    assert "on 80 of 100 labelled items (20 without a row); one of 2 judges" in told


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        ("coverage>=-1", "able to hold and to fail"),
        ("coverage>=0", "cannot fail"),
        ("accuracy>1", "never holds"),
        ("cohen_kappa>=-1", "cannot fail"),
        ("accuracy.low>=80", "Write 80 % or 0.8"),
        ("cohen_kappa>=60%", "Write it as a number: cohen_kappa>=0.6"),
    ],
)
def test_a_gate_that_says_nothing_is_refused(gate: str, words: str, tmp_path: Path) -> None:
    found = ga.agree(study(tmp_path, missing=0, word=None), TASK, **FEW)
    with pytest.raises(ga.InputError) as raised:
        found.require(gate)
    assert words in str(raised.value)


def test_of_the_same_input_nothing_changed(tmp_path: Path) -> None:
    """A change within a margin that the interval for other items does not rule out."""
    path = study(tmp_path, missing=0, word=None)
    old, new = ga.report(path, TASK, **FEW), ga.report(path, TASK, **FEW)
    found = ga.diff(old, new)
    assert "of the same input" in found.answer[0].text
    found.require("accuracy_change.low>=-0.001[judge=gpt0]", "cohen_kappa_change.low>=-0.001")
    study(tmp_path, missing=0, word=None, wrong=5)
    other = ga.diff(old, ga.report(path, TASK, **FEW))
    assert "of the same input" not in str(other.document())
