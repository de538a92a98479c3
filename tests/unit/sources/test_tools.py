"""What each tool's log says, and what goldassay makes of it."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import pytest

from goldassay.errors import SourceError
from goldassay.sources.importers import IMPORTERS, import_logs
from goldassay.sources.logs.collecting import Choices
from goldassay.sources.logs.parts import Judge, LeftOut, Note, Part, Rating, Text
from goldassay.sources.logs.reading import LogFile
from tests.support import tool_logs as made


def parts(tool: str, path: Path) -> list[Part]:
    log = LogFile(path)
    assert IMPORTERS[tool].recognises(log)
    return list(IMPORTERS[tool].parts(log))


def given(found: list[Part], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(getattr(one, n) for n in names) for one in found if isinstance(one, Rating)]


def left(found: list[Part]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for one in found:
        if isinstance(one, LeftOut):
            counted[one.reason] += one.records
    return counted


@pytest.mark.parametrize("form", ["json", "deflated", "zstandard"])
def test_inspect_in_every_form(form: str, tmp_path: Path) -> None:
    log = made.inspect_log(*made.inspect_samples())
    path = (
        made.write_json(tmp_path / "log.json", log)
        if form == "json"
        else made.write_eval(tmp_path / "log.eval", log, zstandard=form == "zstandard")
    )
    found = parts("inspect", path)
    grader = "model_graded_qa (acme/grader)"
    assert given(found, "item", "rater", "kind", "value", "status") == [
        ("1", "match", "judge", "C", "rated"),
        ("1", grader, "judge", "C", "rated"),
        ("2", "match", "judge", "I", "rated"),
        ("2", grader, "judge", None, "invalid"),
        ("3", "match", "judge", "I", "rated"),
        ("3", grader, "judge", None, "invalid"),
        ("4", "match", "judge", None, "failed"),
        ("4", grader, "judge", None, "failed"),
        ("5", "match", "judge", "I", "rated"),
        ("5", grader, "judge", "C", "rated"),
        ("5", "ann", "human", "I", "rated"),
    ]
    raws = {(item, rater): raw for item, rater, raw in given(found, "item", "rater", "raw")}
    assert raws["1", grader] == made.HOSTILE
    assert raws["2", grader] == "Grade not found in model output: eh"
    assert raws["4", "match"] == "ValueError('boom')"
    assert raws["5", grader] == "first thought"
    assert raws["5", "ann"] == "wrong year"


def test_inspect_scores_that_are_tables_lists_and_numbers(tmp_path: Path) -> None:
    scores = {
        "rubric": made.graded({"style": 3, "facts": None, "ok": True}),
        "pair": made.graded([1.0, 0.5]),
        "none": None,
    }
    log = made.inspect_log(made.sample("q", scores=scores), made.sample("r", error={}))
    log["eval"]["scorers"] = [
        {"name": "pkg/rubric", "metrics": {"style": [], "facts": [], "*": []}}
    ]
    found = parts("inspect", made.write_json(tmp_path / "log.json", log))
    assert given(found, "item", "rater", "criterion", "value", "status") == [
        ("q", "rubric", "style", "3", "rated"),
        ("q", "rubric", "facts", None, "invalid"),
        ("q", "rubric", "ok", "true", "rated"),
        ("q", "pair", "1", "1", "rated"),
        ("q", "pair", "2", "0.5", "rated"),
        ("q", "none", None, None, "failed"),
        ("r", "rubric", "style", None, "failed"),
        ("r", "rubric", "facts", None, "failed"),
    ]


def test_inspect_logs_that_did_not_end_well(tmp_path: Path) -> None:
    samples = made.inspect_samples()
    log = made.inspect_log(*samples, status="cancelled")
    log["samples"] = [{**samples[0], "invalidation": {"author": "ann"}}, samples[1], {"x": 1}]
    found = parts("inspect", made.write_json(tmp_path / "log.json", log))
    assert left(found) == {
        "a sample that was declared invalid in the log": 1,
        "a sample without an id": 1,
        "a sample that the log does not hold (not run, or not logged)": 3,
    }
    notes = [one.sentence for one in found if isinstance(one, Note)]
    assert notes == ["log.json: the evaluation ended as cancelled, with 2 samples."]
    empty = made.write_json(tmp_path / "empty.json", made.inspect_log(status="error"))
    with pytest.raises(SourceError, match=r"no rating; found 1 x a log without a sample \(error"):
        import_logs("inspect", [empty], tmp_path / "r.csv")


def test_inspect_attachments_messages_and_old_scores(tmp_path: Path) -> None:
    one = made.sample(
        1,
        attachments={"abc": "the long text"},
        target=["yes", "sure"],
        input=[{"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "image"}]}],
        output={"completion": "attachment://abc"},
        scores=None,
        score=made.graded("P"),
    )
    found = parts("inspect", made.write_json(tmp_path / "log.json", made.inspect_log(one)))
    text = next(part for part in found if isinstance(part, Text))
    assert (text.input, text.output, text.reference) == ("user: Hi", "the long text", "yes\nsure")
    assert given(found, "rater", "value")[0] == ("match", "P")


def test_a_damaged_member_is_named(tmp_path: Path) -> None:
    path = made.write_eval(
        tmp_path / "log.eval", made.inspect_log(*made.inspect_samples()), zstandard=True
    )
    content = bytearray(path.read_bytes())
    content[60:70] = b"\xff" * 10
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"log\.eval, samples/1_epoch_1\.json: cannot be read"):
        parts("inspect", path)


def test_promptfoo(tmp_path: Path) -> None:
    found = parts("promptfoo", made.write_json(tmp_path / "r.json", made.promptfoo()))
    judge = "llm-rubric (acme:grader)"
    assert given(found, "item", "rater", "kind", "criterion", "value", "status", "score") == [
        ("0", judge, "judge", "is polite", "pass", "rated", 0.9),
        ("0", "human", "human", "is polite", "fail", "rated", 0.0),
        ("1", judge, "judge", "is polite", "fail", "rated", 0.2),
        ("2", judge, "judge", "is polite", None, "invalid", 0.0),
        ("3", judge, "judge", "is polite", None, "failed", 0.0),
        ("4", judge, "judge", "is polite", None, "failed", None),
        ("0", judge, "judge", "is polite", "pass", "rated", 0.9),
    ]
    assert given(found, "raw")[1] == ("not to me",)
    assert given(found, "raw")[5] == ("timeout",)
    # A repeat of a test is another output of the same item.
    imported = import_logs("promptfoo", [tmp_path / "r.json"], tmp_path / "r.csv")
    assert imported.outputs == 6


def test_promptfoo_lines_prompts_sets_and_named_scores(tmp_path: Path) -> None:
    first, second = made.promptfoo()["results"]["results"][:2]
    rule = {"type": "contains", "value": "Hello", "metric": "greets"}
    inner = [{"pass": True, "score": 1, "reason": "ok", "assertion": rule}]
    first["gradingResult"]["componentResults"] = [{"pass": True, "componentResults": inner}]
    first["namedScores"] = {"greets": 1, "warmth": 0.7}
    second |= {"promptId": "q", "gradingResult": {"pass": True}, "namedScores": {}}
    found = parts("promptfoo", made.write_lines(tmp_path / "r.jsonl", [first, second]))
    assert given(found, "system", "rater", "rater_type", "criterion", "value") == [
        ("acme:one, prompt 1", "contains", "code", "greets", "pass"),
        ("acme:one, prompt 1", "promptfoo", None, "warmth", "0.7"),
    ]
    assert left(found) == {"a result without an assertion": 1}


def test_deepeval(tmp_path: Path) -> None:
    run = made.deepeval()
    found = parts("deepeval", made.write_json(tmp_path / "r.json", {"testRunData": run}))
    assert given(found, "item", "system", "rater", "criterion", "value", "status", "score") == [
        ("test_case_0", "acme/one", "acme-4", "Helpful [GEval]", "pass", "rated", 0.8),
        ("test_case_1", "acme/one", "acme-4", "Helpful [GEval]", "fail", "rated", 0.1),
        ("test_case_2", "acme/one", "acme-4", "Helpful [GEval]", None, "failed", None),
    ]
    assert given(found, "raw")[2] == ("no JSON in the answer",)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_ragas(suffix: str, tmp_path: Path) -> None:
    path = made.write_csv(tmp_path / "r.csv", made.ragas())
    if suffix == ".jsonl":
        rows = [
            {**row, "faithfulness": score}
            for row, score in zip(made.ragas(), (1.0, None, float("nan")), strict=True)
        ]
        path = made.write_lines(tmp_path / "r.jsonl", rows)
    elif suffix == ".parquet":
        import pandas

        frame = pandas.read_csv(path)
        path = tmp_path / "r.parquet"
        frame.to_parquet(path)
    found = parts("ragas", path)
    assert given(found, "item", "criterion", "value", "status") == [
        ("1", "faithfulness", "1", "rated"),
        ("1", "answer_relevancy", "0.25", "rated"),
        ("2", "faithfulness", None, "failed"),
        ("2", "answer_relevancy", "0.75", "rated"),
        ("3", "faithfulness", None, "failed"),
        ("3", "answer_relevancy", "0.5", "rated"),
    ]
    assert [one["reviewer"] for one in tagged(found)] == ["kim"] * 4 + ["lee"] * 2
    assert not [one for one in found if isinstance(one, Note)]
    named = Choices(judge="acme-4", system="acme/one")
    imported = import_logs("ragas", [path], tmp_path / "out.jsonl", choices=named)
    assert {rater for _, rater, _, _ in imported.counts} == {"acme-4"}
    first = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])
    assert first["system"] == "acme/one"


def test_langfuse(tmp_path: Path) -> None:
    found = parts("langfuse", made.write_csv(tmp_path / "s.csv", made.langfuse()))
    assert given(found, "item", "rater", "kind", "value", "status", "prompt") == [
        ("t1", "kim", "human", "yes", "rated", None),
        ("t1", "eval", "judge", "yes", "rated", None),
        ("t2", "kim", "human", "no", "rated", None),
        ("t2", "eval", "judge", "yes", "rated", None),
        ("t2", "api", "judge", "no", "rated", None),
        ("t3", "eval", "judge", None, "invalid", None),
        ("t2", "eval", "judge", "no", "rated", None),
        ("o4", "eval", "judge", "no", "rated", "t4"),
    ]
    assert left(found) == {"a score that is a text, no rating": 1}
    people = Choices(people=["api"])
    imported = import_logs("langfuse", [tmp_path / "s.csv"], tmp_path / "r.csv", choices=people)
    assert imported.counts["human", "api", "helpful", "rated"] == 1
    assert any("--human api" in note for note in imported.notes)
    pages = {
        "data": [
            {"traceId": "t", "source": "EVAL", "name": "n", "dataType": "NUMERIC", "value": 0.5}
        ],
        "meta": {},
    }
    found = parts("langfuse", made.write_json(tmp_path / "page.json", pages))
    assert given(found, "item", "value", "score") == [("t", "0.5", 0.5)]


def test_langsmith(tmp_path: Path) -> None:
    found = parts("langsmith", made.write_lines(tmp_path / "f.jsonl", made.langsmith()))
    assert given(found, "item", "rater", "kind", "value", "status") == [
        ("r1", "kim", "human", "1", "rated"),
        ("r1", "acme-4", "judge", "1", "rated"),
        ("r2", "kim", "human", "0", "rated"),
        ("r2", "acme-4", "judge", "1", "rated"),
        ("r2", "api", "judge", "0", "rated"),
        ("r4", "acme-4", "judge", None, "invalid"),
    ]
    assert left(found) == {
        "feedback that is a comment alone": 1,
        "feedback without a score or a value (a correction or a mark)": 1,
    }
    rows = [
        {"run_id": "r", "key": "k", "score": "1", "feedback_source": "{'type': 'app'}"},
        {"run_id": "s", "key": "k", "score": "0", "feedback_source": "{"},
    ]
    found = parts("langsmith", made.write_csv(tmp_path / "f.csv", rows))
    assert given(found, "rater", "value") == [("annotator", "1"), ("api", "0")]


def test_phoenix(tmp_path: Path) -> None:
    found = parts("phoenix", made.write_csv(tmp_path / "a.csv", made.phoenix()))
    assert given(found, "item", "rater", "kind", "rater_type", "value", "status") == [
        ("s1", "kim", "human", "human", "yes", "rated"),
        ("s1", "llm", "judge", "llm", "yes", "rated"),
        ("s2", "kim", "human", "human", "no", "rated"),
        ("s2", "llm", "judge", "llm", "yes", "rated"),
        ("s3", "llm", "judge", "llm", None, "invalid"),
        ("s3", "code", "judge", "code", "no", "rated"),
    ]
    nested = {
        "data": [
            {
                "span_id": "s",
                "name": "n",
                "annotator_kind": "LLM",
                "identifier": "v2",
                "result": {"score": 0.5, "explanation": "so"},
            }
        ]
    }
    found = parts("phoenix", made.write_json(tmp_path / "a.json", nested))
    assert given(found, "rater", "criterion", "value", "raw") == [("v2", "n", "0.5", "so")]


def test_argilla_with_lists(tmp_path: Path) -> None:
    record = {
        "id": "r1",
        "fields": {"prompt": "why", "response": "so"},
        "responses": [
            {"user_id": "u1", "status": "submitted", "values": {"quality": {"value": 4}}},
            {"user_id": "u2", "status": "draft", "values": {"quality": {"value": 1}}},
        ],
        "suggestions": [{"question_name": "quality", "value": 3, "agent": "gpt-4o"}],
    }
    found = parts("argilla", made.write_json(tmp_path / "a.json", [record]))
    rated = [one for one in found if isinstance(one, Rating)]
    assert [(one.rater, one.kind, one.criterion, one.value) for one in rated] == [
        ("gpt-4o", "judge", "quality", "3"),
        ("u1", "human", "quality", "4"),
    ]


def test_argilla(tmp_path: Path) -> None:
    found = parts("argilla", made.write_json(tmp_path / "a.json", made.argilla()))
    assert given(found, "item", "rater", "kind", "value", "elicitation", "status") == [
        ("a", "acme-4", "judge", "yes", None, "rated"),
        ("a", "user0", "human", "yes", None, "rated"),
        ("a", "user1", "human", "no", None, "rated"),
        ("b", "acme-4", "judge", "no", None, "rated"),
        ("b", "user0", "human", "yes|no", "response_set", "rated"),
        ("c", "acme-4", "judge", None, None, "invalid"),
    ]
    assert left(found) == {"a text, ranking or span, which is no rating": 3}


def test_openai_evals(tmp_path: Path) -> None:
    found = parts("openai-evals", made.write_lines(tmp_path / "e.jsonl", made.openai_evals()))
    grader = "polite.dev.v0 (acme/grader)"
    assert given(found, "item", "rater", "value", "status", "raw") == [
        ("d.0", grader, "Y", "rated", "Yes"),
        ("d.1", grader, None, "invalid", made.HOSTILE),
        ("d.2", "polite.dev.v0", None, "failed", "Mm"),
        ("d.3", "polite.dev.v0", None, "failed", "too slow"),
        ("d.4", grader, "N", "rated", None),
    ]
    matched = [
        made.openai_evals()[0],
        {"sample_id": "s", "type": "match", "data": {"correct": True, "picked": "4"}},
        {"sample_id": "s", "type": "metrics", "data": {"f1": 0.5}},
    ]
    found = parts("openai-evals", made.write_lines(tmp_path / "m.jsonl", matched))
    assert given(found, "rater", "criterion", "value") == [
        ("match", None, "true"),
        ("polite.dev.v0", "f1", "0.5"),
    ]


def test_lm_eval(tmp_path: Path) -> None:
    folder = tmp_path / "acme__one"
    folder.mkdir()
    path = made.write_lines(
        folder / "samples_sums_2026-11-01T00-00-00.000000.jsonl", made.lm_eval()
    )
    found = parts("lm-eval", path)
    assert given(found, "item", "system", "criterion", "value", "status") == [
        ("sums/0", "acme__one", "exact_match,strict", "1", "rated"),
        ("sums/0", "acme__one", "exact_match,flexible", "1", "rated"),
        ("sums/1", "acme__one", "exact_match,strict", "0", "rated"),
        ("sums/1", "acme__one", "exact_match,flexible", None, "invalid"),
    ]
    assert left(found) == {"the metric bleu, which is no number for a document": 4}
    subject = {**made.lm_eval()[0], "doc": {"q": "?", "subject": "law"}}
    told = parts("lm-eval", made.write_lines(tmp_path / "samples_sums.jsonl", [subject]))
    assert tagged(told) == [{"subject": "law", "task": "samples_sums"}]
    lost = {**made.lm_eval()[0], "exact_match": 0.0, "filtered_resps": ["[invalid]"]}
    missed = parts("lm-eval", made.write_lines(tmp_path / "samples_sums.jsonl", [lost]))
    assert given(missed, "status", "reason", "raw") == [
        ("invalid", "the filter found no answer (scored 0)", '[["It is 4"]]')
    ]
    made.write_json(folder / "results_2026-11-01T00-00-00.000000.json", {"model_name": "acme/one"})
    assert given(parts("lm-eval", path), "system")[0] == ("acme/one",)


def test_mt_bench(tmp_path: Path) -> None:
    found = parts("mt-bench", made.write_lines(tmp_path / "s.jsonl", made.mt_bench()))
    assert given(found, "item", "prompt", "system", "rater", "value", "status") == [
        ("81 turn 1", "81", "one", "acme-4 (single-v1)", "8", "rated"),
        ("81 turn 1", "81", "two", "acme-4 (single-v1)", "3", "rated"),
        ("81 turn 2", "81", "one", "acme-4 (single-v1)", None, "invalid"),
        ("82 turn 1", "82", "two", "acme-4 (single-v1)", "8", "rated"),
    ]
    pair = {
        "question_id": 81,
        "model_1": "one",
        "model_2": "two",
        "g1_winner": "model_1",
        "g2_winner": "error",
        "judge": ["acme-4", "pair-v2"],
        "g1_judgment": "[[A]]",
        "g2_judgment": "eh",
        "turn": 1,
        "tstamp": 1.0,
    }
    found = parts("mt-bench", made.write_lines(tmp_path / "p.jsonl", [pair]))
    assert given(found, "system", "opponent", "order", "value", "status", "raw") == [
        ("one", "two", "system_first", "first", "rated", "[[A]]"),
        ("one", "two", "opponent_first", None, "invalid", "eh"),
    ]
    said = (("model_b", "expert_1"), ("tie", ["gpt-4", "pair-v2"]))
    people = [
        {
            "question_id": 81,
            "model_a": "one",
            "model_b": "two",
            "winner": who,
            "judge": judge,
            "turn": 1,
            "conversation_a": [{"role": "user", "content": "Hi"}],
            "conversation_b": [],
        }
        for who, judge in said
    ]
    found = parts("mt-bench", made.write_lines(tmp_path / "h.jsonl", people))
    assert given(found, "rater", "kind", "value") == [
        ("expert_1", "human", "second"),
        ("gpt-4 (pair-v2)", "judge", "tie"),
    ]


def test_alpaca_eval(tmp_path: Path) -> None:
    found = parts("alpaca-eval", made.write_json(tmp_path / "a.json", made.alpaca_eval()))
    assert given(found, "system", "opponent", "rater", "value", "status", "cost") == [
        ("base", "one", "acme-4", value, status, 0.01)
        for value, status in (
            ("first", "rated"),
            ("second", "rated"),
            (None, "invalid"),
            ("tie", "rated"),
            ("first", "rated"),
        )
    ]
    assert given(found, "score")[4] == (pytest.approx(0.8),)
    person = {**made.alpaca_eval()[0], "annotator_index": 12, "preference": 2}
    found = parts("alpaca-eval", made.write_json(tmp_path / "h.json", [person]))
    assert given(found, "rater", "kind", "value") == [("annotator 12", "human", "second")]


def test_scores_of_single_people_are_ratings(tmp_path: Path) -> None:
    found = parts("judge-bench", made.write_json(tmp_path / "s.json", made.judge_bench()))
    assert given(found, "item", "criterion", "rater", "kind", "value") == [
        ("11", "grammar", "annotator 1", "human", "2"),
        ("11", "grammar", "annotator 2", "human", "6"),
        ("11", "fluent", "annotator 1", "human", "Yes"),
        ("11", "fluent", "annotator 2", "human", "Yes"),
        ("12", "grammar", "annotator 1", "human", "5"),
        ("12", "grammar", "annotator 2", "human", None),
        ("12", "fluent", "majority of people", "human", "No"),
    ]
    texts = [(one.input, one.output) for one in found if isinstance(one, Text)]
    assert texts == [("Cook.", "Salt lightly."), (None, "Boil it.")]


def test_errors_of_a_rater_and_segment_are_one_score(tmp_path: Path) -> None:
    path = tmp_path / "mqm.tsv"
    path.write_text(made.MQM)
    found = parts("mqm", path)
    assert given(found, "item", "system", "rater", "kind", "value", "status") == [
        ("news/1", "A", "kim", "human", "-6", "rated"),
        ("news/1", "A", "lee", "human", "0", "rated"),
        ("news/1", "B", "kim", "human", "-0.1", "rated"),
        ("news/2", "B", "kim", "human", "-25", "rated"),
        ("news/2", "B", "lee", "human", None, "invalid"),
    ]
    texts = [one.output for one in found if isinstance(one, Text)]
    assert texts == ['Sag "1', 'Sag "1', 'Sag "2']


@pytest.mark.parametrize(
    ("tool", "name", "text"),
    [
        (
            "ragas",
            "r.csv",
            "user_input,response,faithfulness,answer_relevancy,human_faithful\na,b,0.5,0.9,1\n",
        ),
        (
            "mlflow",
            "t.csv",
            "inputs,outputs,faithfulness/v1/score,human_score,token_count\na,b,0.5,1,12\n",
        ),
    ],
)
def test_a_persons_column_beside_metrics(tool: str, name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    people = [one for one in parts(tool, path) if isinstance(one, Rating) and one.kind == "human"]
    assert [(one.rater, one.value) for one in people] == [("human", "1")]
    assert people[0].criterion in ("faithfulness", "faithfulness/v1")


def tagged(found: list[Part]) -> list[dict[str, str]]:
    return [dict(one.tags) for one in found if isinstance(one, Rating)]


def test_mlflow_traces(tmp_path: Path) -> None:
    found = parts("mlflow", made.write_lines(tmp_path / "t.jsonl", made.mlflow()))
    judge = "openai:/acme-4"
    assert given(found, "item", "rater", "kind", "criterion", "value", "status", "score") == [
        ("tr-1", judge, "judge", "correct", "true", "rated", None),
        ("tr-1", "kim", "human", "correct", "true", "rated", None),
        ("tr-2", judge, "judge", "correct", "false", "rated", None),
        ("tr-2", "length", "judge", "long", "0.5", "rated", 0.5),
        ("tr-3", judge, "judge", "correct", None, "failed", None),
        ("tr-3", "kim", "human", "correct", "a|b", "rated", None),
    ]
    assert given(found, "reason", "raw")[4] == ("the judge failed (RATE_LIMIT)", "too many")
    assert tagged(found)[0] == {
        "prompt_version": "3",
        "topic": "law",
        "state": "OK",
        "system_latency_ms": "12",
    }
    assert left(found) == {
        "an expectation, which is no rating": 1,
        "a trace without an assessment": 1,
    }
    references = [one.reference for one in found if isinstance(one, Text)]
    assert references == [None, None, "x", None]
    assert Judge(rater=judge, model=judge) in found


def test_mlflow_overrides_and_spans(tmp_path: Path) -> None:
    """A verdict that a person overrode stays the judge's; a person's own correction replaces."""
    one = made.mlflow()[0]
    first, second = one["info"]["assessments"]
    third = {**second, "assessment_id": "a-3", "feedback": {"value": False}, "span_id": "0001"}
    second |= {"overrides": first["assessment_id"], "valid": False}
    third["overrides"] = second["assessment_id"]
    one["info"]["assessments"].append(third)
    # Span 0001 (base 64 of its bytes) is inside another; span 0002 is the outermost.
    one["data"]["spans"] = [{"span_id": "AAE=", "parent_span_id": "AAI="}, {"span_id": "AAI="}]
    first["span_id"] = "0002"
    found = parts("mlflow", made.write_json(tmp_path / "t.json", one))
    assert given(found, "item", "prompt", "rater", "value") == [
        ("tr-1", None, "openai:/acme-4", "true"),
        ("tr-1/0001", "tr-1", "kim", "false"),
    ]
    assert left(found) == {"an assessment that its own rater replaced": 1}


@pytest.mark.parametrize("suffix", [".json", ".csv"])
def test_mlflow_evaluation_tables(suffix: str, tmp_path: Path) -> None:
    """`eval_results_table.json` as MLflow 3.17.2 wrote it, and the same table as CSV."""
    columns = ["inputs", "topic", "outputs", "polite/v1/score", "polite/v1/justification"]
    rows = [["a", "law", "x", 1.0, "so"], ["b", "med", "y", None, "grader failed"]]
    if suffix == ".json":
        path = made.write_json(tmp_path / "t.json", {"columns": columns, "data": rows})
    else:
        cells = [dict(zip(columns, ("" if c is None else c for c in r), strict=True)) for r in rows]
        path = made.write_csv(tmp_path / "t.csv", cells)
    found = parts("mlflow", path)
    assert given(found, "item", "rater", "criterion", "value", "status", "raw") == [
        ("1", None, "polite/v1", "1", "rated", "so"),
        ("2", None, "polite/v1", None, "failed", "grader failed"),
    ]
    assert tagged(found) == [{"topic": "law"}, {"topic": "med"}]


def test_opik(tmp_path: Path) -> None:
    found = parts("opik", made.write_lines(tmp_path / "o.jsonl", made.opik()))
    assert given(found, "item", "rater", "kind", "criterion", "value", "status") == [
        ("t1", "online_scoring", "judge", "useful", "0.9", "rated"),
        ("t1", "kim", "human", "useful", "0", "rated"),
        ("t2", "ann", "human", "tone", "good", "rated"),
        ("t2", "bob", "human", "tone", "bad", "rated"),
        ("t2", "sdk", "judge", "useful", "0", "rated"),
        ("t3", "online_scoring", "judge", "useful", None, "invalid"),
    ]
    assert tagged(found)[0] == {
        "topic": "law",
        "tags": "a|b",
        "thread": "h",
        "system_cost": "0.25",
        "system_latency_ms": "12.5",
    }
    assert left(found) == {"a trace or span without a score": 1}
    assert any(isinstance(one, Note) and "--human sdk" in one.sentence for one in found)


def test_opik_files_of_a_trace_and_of_an_experiment(tmp_path: Path) -> None:
    trace = made.opik()[0]
    span = {**made.opik()[1], "id": "s1", "trace_id": "t1", "model": "acme-1"}
    path = made.write_json(tmp_path / "trace_t1.json", {"trace": trace, "spans": [span]})
    found = parts("opik", path)
    assert given(found, "item", "prompt")[1:3] == [("t1", None), ("s1", "t1")]
    assert tagged(found)[2]["system_model"] == "acme-1"
    item = {"id": "i", "dataset_item_id": "d1", "trace_id": "t9", "feedback_scores":
            [{"name": "useful", "value": 1.0, "source": "sdk"}]}  # fmt: skip
    document = {"experiment": {"name": "second"}, "items": [item]}
    found = parts("opik", made.write_json(tmp_path / "e.json", document))
    assert given(found, "item", "prompt", "system", "value") == [("t9", "d1", "second", "1")]


def test_braintrust(tmp_path: Path) -> None:
    found = parts("braintrust", made.write_json(tmp_path / "b.json", made.braintrust()))
    assert given(found, "item", "rater", "criterion", "value", "status") == [
        ("1", "polite", "polite", "1", "rated"),
        ("1", "boom", "boom", "0.5", "rated"),
        ("2", "polite", "polite", "1", "rated"),
        ("2", "boom", "boom", None, "failed"),
        ("3", "polite", "polite", None, "abstained"),
        ("3", "boom", "boom", "0.5", "rated"),
        ("4", "polite", "polite", None, "failed"),
        ("4", "boom", "boom", None, "failed"),
    ]
    assert tagged(found)[0] == {"topic": "law", "tags": "t"}
    assert given(found, "raw")[3] == ("Traceback ...\nValueError: no grade\n",)


def test_braintrust_events_of_its_interface(tmp_path: Path) -> None:
    """The spans of scorers repeat the scores of the root, and say why and by which model."""
    root = {"id": "e1", "span_id": "r", "root_span_id": "r", "_xact_id": "1", "input": "a",
            "output": "b", "scores": {"polite": 1}, "metadata": {"model": "acme/one"},
            "created": "2026-11-01", "metrics": {"estimated_cost": 0.5}}  # fmt: skip
    scorer = {**root, "id": "e2", "span_id": "s", "scores": {"polite": 1},
              "span_attributes": {"type": "score", "name": "polite"},
              "metadata": {"rationale": "it is", "model": "acme-4"}}  # fmt: skip
    path = made.write_json(tmp_path / "b.json", {"events": [root, scorer], "cursor": None})
    found = parts("braintrust", path)
    assert given(found, "item", "system", "value", "raw", "time") == [
        ("1", "acme/one", "1", "it is", "2026-11-01")
    ]
    assert Judge(rater="polite", model="acme-4") in found
    assert tagged(found)[0]["system_cost"] == "0.5"


def test_batch(tmp_path: Path) -> None:
    found = parts("batch", made.write_lines(tmp_path / "out.jsonl", made.batch()))
    assert given(found, "item", "rater", "value", "status") == [
        ("a", "acme-4", "yes", "rated"),
        ("b", "acme-4", "no", "rated"),
        ("c", "acme-4", None, "invalid"),
        ("d", "acme-4", None, "failed"),
        ("e", "acme-4", None, "failed"),
        ("f", "acme-5", "no", "rated"),
        ("g", "acme-5", None, "failed"),
    ]
    assert Judge(rater="acme-4", model="acme-4") in found
    assert tagged(found)[0] == {"prompt_tokens": "9"}
    plain = made.write_lines(tmp_path / "plain.jsonl", [{"custom_id": "a", "label": "yes"}])
    assert not IMPORTERS["batch"].recognises(LogFile(plain))


def test_labelbox(tmp_path: Path) -> None:
    found = parts("labelbox", made.write_lines(tmp_path / "export.ndjson", made.labelbox()))
    ratings = [one for one in found if isinstance(one, Rating)]
    assert [(r.item, r.rater, r.kind, r.criterion, r.value) for r in ratings] == [
        ("r0", "ann@x.org", "human", "tone", "good"),
        ("r0", "ann@x.org", "human", "issues", "rude|long"),
        ("r0", "bo@x.org", "human", "tone", "bad"),
        ("k3", "model", "judge", "tone", "good"),
        ("k3", "model", "judge", "tone", None),
    ]
    assert [r.elicitation for r in ratings] == [None, "response_set", None, None, None]
    assert ratings[-1].status == "invalid"
    assert [one.reason for one in found if isinstance(one, LeftOut)] == [
        "a text, which is no rating", "a skipped label", "a label without a classification",
    ]  # fmt: skip


def test_doccano(tmp_path: Path) -> None:
    found = parts("doccano", made.write_lines(tmp_path / "kim.jsonl", made.doccano()))
    assert given(found, "item", "rater", "kind", "value", "elicitation", "status") == [
        ("1", "kim", "human", "good", None, "rated"),
        ("2", "kim", "human", "bad", None, "rated"),
        ("3", "kim", "human", "good|bad", "response_set", "rated"),
        ("6", "kim", "human", None, None, "invalid"),
    ]
    assert left(found) == {
        "a text without a label": 1,
        "a span, which is no rating": 1,
        "a text, which is no rating": 1,
    }
    assert tagged(found)[0] == {"topic": "law"}
    rows = [{"id": 1, "text": "t", "label": "good#bad", "Comments": "[]"}]
    found = parts("doccano", made.write_csv(tmp_path / "all.csv", rows))
    assert given(found, "rater", "value") == [("annotator", "good|bad")]
    plain = made.write_csv(tmp_path / "plain.csv", [{"id": 1, "text": "t", "label": "good"}])
    assert not IMPORTERS["doccano"].recognises(LogFile(plain))


def test_promptfoo_as_a_table(tmp_path: Path) -> None:
    path = made.every_log(tmp_path / "logs")["promptfoo-csv"]
    found = parts("promptfoo-csv", path)
    assert given(found, "item", "system", "criterion", "value", "status", "score") == [
        ("0", "acme-one, prompt 1", None, "pass", "rated", 0.95),
        ("0", "acme-one, prompt 1", "polite", "0.9", "rated", 0.9),
        ("0", "acme-one, prompt 2", None, "fail", "rated", 0.45),
        ("0", "acme-one, prompt 2", "polite", "0.9", "rated", 0.9),
        ("1", "acme-one, prompt 1", None, None, "invalid", 0.0),
        ("1", "acme-one, prompt 1", "polite", None, "invalid", 0),
        ("1", "acme-one, prompt 2", None, None, "invalid", 0.0),
        ("1", "acme-one, prompt 2", "polite", None, "invalid", 0),
        ("2", "acme-one, prompt 1", None, "fail", "rated", 0.1),
        ("2", "acme-one, prompt 1", "polite", "0.1", "rated", 0.1),
        ("2", "acme-one, prompt 2", None, None, "failed", 0.0),
    ]
    assert tagged(found)[0] == {"description": "greet Ann", "name": "Ann", "topic": "law"}
    assert given(found, "raw")[8] == ('because "so", and\nmore',)


def test_langfuse_scores_with_a_subject(tmp_path: Path) -> None:
    """As the classes of langfuse 5.0.4's third API serialise."""

    def score(kind: str, value: Any, source: str, subject: dict[str, Any], **more: Any) -> Any:
        return {"id": "1", "projectId": "p", "name": "helpful", "dataType": kind, "value": value,
                "source": source, "timestamp": "2026-11-01T00:00:00Z", "environment": "prod",
                "subject": subject, **more}  # fmt: skip

    trace = {"kind": "trace", "id": "t1"}
    scores = [
        score("CATEGORICAL", "yes", "ANNOTATION", trace, authorUserId="kim", metadata={"a": "b"}),
        score("BOOLEAN", False, "EVAL", {"kind": "observation", "id": "o2", "traceId": "t2"}),
        score("NUMERIC", 0.5, "EVAL", {"kind": "session", "id": "s1"}),
        score("NUMERIC", 1, "EVAL", {"kind": "experiment", "id": "e1"}),
    ]
    path = made.write_json(tmp_path / "s.json", {"data": scores, "meta": {}})
    found = parts("langfuse", path)
    assert given(found, "item", "prompt", "rater", "kind", "value", "score") == [
        ("t1", None, "kim", "human", "yes", None),
        ("o2", "t2", "eval", "judge", "false", None),
        ("s1", None, "eval", "judge", "0.5", 0.5),
    ]
    assert tagged(found)[0] == {"a": "b", "environment": "prod"}
    assert left(found) == {"a score of a whole experiment, no rating of an output": 1}


def test_a_person_beside_a_metric_of_ragas(tmp_path: Path) -> None:
    rows = [
        {**row, "human_faithfulness": label}
        for row, label in zip(made.ragas(), (1, "", 0), strict=True)
    ]
    found = parts("ragas", made.write_csv(tmp_path / "r.csv", rows))
    said = given(found, "item", "kind", "rater", "criterion", "value")
    assert [one for one in said if one[1] == "human"] == [
        ("1", "human", "human", "faithfulness", "1"),
        ("3", "human", "human", "faithfulness", "0"),
    ]


@pytest.mark.parametrize("packing", ["gzip", "zstandard"])
def test_a_packed_log_is_read_as_the_log_it_is(packing: str, tmp_path: Path) -> None:
    plain = made.write_json(tmp_path / "run.json", made.deepeval())
    if packing == "gzip":
        packed = tmp_path / "run.json.gz"
        packed.write_bytes(gzip.compress(plain.read_bytes()))
    else:
        packed = tmp_path / "run.json.zst"
        content = plain.read_text().replace("'", "''")
        made_by = (
            f"COPY (SELECT '{content}' AS line) TO '{packed}' "
            "(FORMAT csv, COMPRESSION zstd, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\x01')"
        )
        duckdb.connect().execute(made_by)
    told = import_logs(None, [packed], tmp_path / "out.csv")
    assert told.name == "deepeval"
    assert told.logs == ((str(packed), sha256(packed.read_bytes()).hexdigest()),)
    assert told.counts == import_logs(None, [plain], tmp_path / "other.csv").counts
    packed.write_bytes(packed.read_bytes()[:20])
    with pytest.raises(SourceError, match=r"run\.json\.(gz|zst): (cannot be unpacked|the packed)"):
        import_logs(None, [packed], tmp_path / "out.csv")
