"""Small logs of each tool, in the form that the tool writes; every text here is our own."""

from __future__ import annotations

import csv
import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

HOSTILE = '=HYPERLINK("http://x") <script>alert(1)</script> \ud800 \x00 |a| \u202e'


def write_json(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value))
    return path


def write_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def write_csv(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def sample(identifier: Any, epoch: int = 1, **fields: Any) -> dict[str, Any]:
    """A sample of inspect_ai with its usual fields."""
    return {
        "id": identifier, "epoch": epoch, "uuid": f"u-{identifier}-{epoch}",
        "input": f"Question {identifier}", "target": "yes", "attachments": {},
        "output": {"model": "acme/one", "completion": f"answer {identifier} {epoch}"},
        "completed_at": "2026-11-01T10:00:00+00:00", "scores": {}, **fields,
    }  # fmt: skip


def graded(value: Any, explanation: str = "because", **fields: Any) -> dict[str, Any]:
    return {"value": value, "answer": "x", "explanation": explanation, "history": [], **fields}


def inspect_log(*samples: dict[str, Any], **header: Any) -> dict[str, Any]:
    evaluation = {
        "eval_id": "e1", "task": "demo", "model": "acme/one", "config": {"epochs": 1},
        "dataset": {"samples": len(samples), "sample_ids": [one["id"] for one in samples]},
        "scorers": [
            {"name": "match", "options": {}, "metrics": []},
            {"name": "model_graded_qa", "options": {"model": "acme/grader"}, "metrics": []},
        ],
    }  # fmt: skip
    return {"version": 2, "status": "success", "eval": evaluation, "samples": list(samples),
            **header}  # fmt: skip


def inspect_samples() -> list[dict[str, Any]]:
    return [
        sample(1, scores={"match": graded("C"), "model_graded_qa": graded("C", HOSTILE)}),
        sample(2, scores={
            "match": graded("I"),
            "model_graded_qa": graded(float("nan"), "Grade not found in model output: eh",
                                      reason="grader_failed"),
        }),
        sample(3, scores={
            "match": graded("I"),
            "model_graded_qa": graded("I", "Grade not found in model output: hm"),
        }),
        sample(4, error={"message": "ValueError('boom')", "traceback": "..."}),
        sample(5, scores={
            "match": graded("I"),
            "model_graded_qa": graded("I", history=[
                {"value": "C", "answer": "x", "explanation": "first thought"},
                {"value": "I", "explanation": "UNCHANGED", "provenance": {
                    "author": "ann", "reason": "wrong year", "timestamp": "2026-11-02T00:00:00Z"}},
            ]),
        }),
    ]  # fmt: skip


def write_eval(path: Path, log: dict[str, Any], *, zstandard: bool = False) -> Path:
    """inspect_ai's zip: a header and one member per sample, deflated or Zstandard."""
    header = {key: value for key, value in log.items() if key != "samples"}
    members = {f"samples/{one['id']}_epoch_{one['epoch']}.json": one for one in log["samples"]} | {
        "header.json": header
    }
    if not zstandard:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, value in members.items():
                archive.writestr(name, json.dumps(value))
        return path
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, value in members.items():
            archive.writestr(name, packed(json.dumps(value), path.with_suffix(".zst")))
    # Python 3.11 writes no Zstandard: the stored members are declared as what they hold.
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        start = archive.start_dir
        infos = archive.infolist()
    for info in infos:
        whole = (json.dumps(members[info.filename]) + "\n").encode()
        facts = struct.pack("<III", zlib.crc32(whole), info.compress_size, len(whole))
        local, central = info.header_offset, start
        content[local + 8 : local + 10] = content[central + 10 : central + 12] = b"\x5d\x00"
        content[local + 14 : local + 26] = content[central + 16 : central + 28] = facts
        sizes = struct.unpack_from("<HHH", content, central + 28)
        start = central + 46 + sum(sizes)
    path.write_bytes(content)
    return path


def packed(text: str, path: Path) -> bytes:
    """A text and a line end, compressed by DuckDB."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT ? AS x", [text])
        connection.execute(
            f"COPY t TO '{path}' (FORMAT csv, HEADER false, QUOTE '', ESCAPE '', "
            "DELIMITER '\x01', COMPRESSION zstd)"
        )
    content = path.read_bytes()
    path.unlink()
    return content


def promptfoo() -> dict[str, Any]:
    rubric = {"type": "llm-rubric", "value": "is polite", "provider": "acme:grader"}

    def result(index: int, word: str, *graded: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {
            "testIdx": index, "promptIdx": 0, "promptId": "p", "vars": {"name": word},
            "testCase": {"vars": {"name": word}, "assert": [rubric]},
            "provider": {"id": "acme:one"},
            "prompt": {"raw": f"Greet {word}", "label": "greet"}, "success": True, "score": 1,
            "response": {"output": f"Hello {word} {index}"}, "namedScores": {},
            "gradingResult": {"pass": True, "score": 1, "componentResults": list(graded)},
            "failureReason": 0, **more,
        }  # fmt: skip

    good = {"pass": True, "score": 0.9, "reason": "polite", "assertion": rubric}
    bad = {"pass": False, "score": 0.2, "reason": HOSTILE, "assertion": rubric}
    unread = {"pass": False, "score": 0, "assertion": rubric,
              "reason": "Could not extract JSON from llm-rubric response"}  # fmt: skip
    error = {"pass": False, "score": 0, "reason": "HTTP 503", "assertion": rubric,
             "metadata": {"graderError": True}}  # fmt: skip
    person = {"pass": False, "score": 0, "reason": "rude", "assertion": {"type": "human",
              "value": "is polite"}, "comment": "not to me"}  # fmt: skip
    return {
        "evalId": "eval-1",
        "results": {"version": 3, "timestamp": "2026-11-01", "prompts": [], "results": [
            result(0, "Ann", good, person), result(1, "Bob", bad), result(2, "Cy", unread),
            result(3, "Di", error),
            result(4, "Eve", gradingResult=None, error="timeout", failureReason=2, response=None),
            result(5, "Ann", good),
        ]},
        "config": {},
    }  # fmt: skip


def deepeval() -> dict[str, Any]:
    def metric(**fields: Any) -> dict[str, Any]:
        return {
            "name": "Helpful [GEval]",
            "threshold": 0.5,
            "success": True,
            "score": 0.8,
            "reason": "good",
            "evaluationModel": "acme-4",
            "evaluationCost": 0.01,
            **fields,
        }

    def case(number: int, *metrics: dict[str, Any]) -> dict[str, Any]:
        return {
            "name": f"test_case_{number}",
            "input": f"Question {number}",
            "actualOutput": f"answer {number}",
            "metricsData": list(metrics),
        }

    return {"testCases": [
        case(0, metric()), case(1, metric(success=False, score=0.1, reason=HOSTILE)),
        case(2, metric(success=False, score=None, error="no JSON in the answer", reason=None)),
    ], "conversationalTestCases": [], "hyperparameters": {"model": "acme/one"}}  # fmt: skip


def ragas() -> list[dict[str, Any]]:
    return [
        {"user_input": "Question 1", "retrieved_contexts": "['a']", "response": HOSTILE.replace(
            "\ud800", "").replace("\x00", ""), "faithfulness": 1.0, "answer_relevancy": 0.25,
         "reviewer": "kim"},
        {"user_input": "Question 2", "retrieved_contexts": "['b']", "response": "b",
         "faithfulness": "", "answer_relevancy": 0.75, "reviewer": "kim"},
        {"user_input": "Question 3", "retrieved_contexts": "['c']", "response": "c",
         "faithfulness": "nan", "answer_relevancy": 0.5, "reviewer": "lee"},
    ]  # fmt: skip


def langfuse() -> list[dict[str, Any]]:
    def score(trace: str, source: str, word: str, **more: Any) -> dict[str, Any]:
        return {"id": f"{trace}{source}", "traceId": trace, "sessionId": "", "timestamp": "2026",
                "source": source, "name": "helpful", "dataType": "CATEGORICAL", "value": "1",
                "stringValue": word, "comment": "so", "metadata": "{}", "observationId": "",
                "authorUserId": "kim" if source == "ANNOTATION" else "", **more}  # fmt: skip

    return [
        score("t1", "ANNOTATION", "yes"), score("t1", "EVAL", "yes"),
        score("t2", "ANNOTATION", "no"), score("t2", "EVAL", "yes"), score("t2", "API", "no"),
        score("t3", "EVAL", "", value=""), score("t3", "ANNOTATION", "x", dataType="TEXT"),
        score("t2", "EVAL", "no", id="again"), score("t4", "EVAL", "no", observationId="o4"),
    ]  # fmt: skip


def langsmith() -> list[dict[str, Any]]:
    def feedback(run: str, kind: str, score: Any, **more: Any) -> dict[str, Any]:
        source = {"type": kind, "user_name": "kim" if kind == "app" else None,
                  "metadata": {"model": "acme-4"} if kind == "model" else {}}  # fmt: skip
        return {"id": f"{run}{kind}", "run_id": run, "trace_id": run, "key": "helpful",
                "score": score, "value": None, "comment": HOSTILE, "correction": None,
                "feedback_source": source, "created_at": "2026", **more}  # fmt: skip

    return [
        feedback("r1", "app", 1), feedback("r1", "model", 1.0), feedback("r2", "app", 0),
        feedback("r2", "model", 1), feedback("r2", "api", 0), feedback("r3", "model", None),
        feedback("r3", "app", None, comment=None, correction={"a": 1}),
        feedback("r4", "model", None, value={"a": 1}),
    ]  # fmt: skip


def phoenix() -> list[dict[str, Any]]:
    def one(span: str, kind: str, label: str, score: Any, **more: Any) -> dict[str, Any]:
        return {"span_id": span, "annotation_name": "correct", "annotator_kind": kind,
                "identifier": "", "user_id": "kim" if kind == "HUMAN" else "",
                "result.label": label, "result.score": score, "result.explanation": "so",
                "updated_at": "2026", **more}  # fmt: skip

    return [
        one("s1", "HUMAN", "yes", 1), one("s1", "LLM", "yes", 1), one("s2", "HUMAN", "no", 0),
        one("s2", "LLM", "yes", 1), one("s3", "LLM", "", ""), one("s3", "CODE", "no", 0),
    ]  # fmt: skip


def argilla() -> list[dict[str, Any]]:
    def record(name: str, suggestion: Any, *responses: Any) -> dict[str, Any]:
        return {
            "id": name, "fields": {"prompt": f"Question {name}", "response": HOSTILE},
            "metadata": {}, "vectors": {}, "status": "completed",
            "suggestions": {"label": {"value": suggestion, "score": 0.9, "agent": "acme-4"}},
            "responses": {"label": [
                {"value": value, "user_id": f"user{number}"}
                for number, value in enumerate(responses)
            ], "why": [{"value": "long text " * 50, "user_id": "user0"}]},
        }  # fmt: skip

    return [record("a", "yes", "yes", "no"), record("b", "no", ["yes", "no"]), record("c", None)]


def openai_evals() -> list[dict[str, Any]]:
    def event(sample: str, kind: str, **data: Any) -> dict[str, Any]:
        return {"run_id": "run1", "event_id": 0, "sample_id": sample, "type": kind, "data": data,
                "created_by": "", "created_at": "2026"}  # fmt: skip

    spec = {"completion_fns": ["acme/one", "acme/grader"], "eval_name": "polite.dev.v0",
            "base_eval": "polite", "split": "dev", "run_config": {}, "run_id": "run1"}  # fmt: skip
    return [
        {"spec": spec},
        event("d.0", "sampling", prompt=[{"role": "user", "content": "Hi"}], sampled=["Hello"]),
        event("d.0", "sampling", prompt="grade it", sampled=["Yes"]),
        event("d.0", "metrics", choice="Y", score=1.0),
        event("d.1", "sampling", prompt="Hi", sampled=["Go away"]),
        event("d.1", "sampling", prompt="grade it", sampled=[HOSTILE]),
        event("d.1", "metrics", choice="__invalid__", score=0.0),
        event("d.2", "sampling", prompt="Hi", sampled=["Mm"]),
        event("d.3", "error", type="TimeoutError", message="too slow"),
        event("d.4", "metrics", choice="N", score=0.0),
        {"final_report": {"score": 0.3}, "run_id": "run1"},
    ]  # fmt: skip


def lm_eval() -> list[dict[str, Any]]:
    def one(number: int, value: Any, chosen: str, answer: str) -> dict[str, Any]:
        return {
            "doc_id": number, "doc": {"q": "?"}, "target": "4", "resps": [[answer]],
            "arguments": {"gen_args_0": {"arg_0": f"Question {number}", "arg_1": {}}},
            "filtered_resps": ["4"], "filter": chosen, "metrics": ["exact_match", "bleu"],
            "doc_hash": "h", "exact_match": value, "bleu": ["4", "4"],
        }  # fmt: skip

    return [
        one(0, 1.0, "strict", "It is 4"), one(0, 1.0, "flexible", "It is 4"),
        one(1, 0.0, "strict", HOSTILE), one(1, float("nan"), "flexible", HOSTILE),
    ]  # fmt: skip


def mt_bench() -> list[dict[str, Any]]:
    def one(question: int, model: str, score: float, turn: int = 1) -> dict[str, Any]:
        return {"question_id": question, "model": model, "judge": ["acme-4", "single-v1"],
                "user_prompt": "rate", "judgment": HOSTILE if score < 0 else f"[[{score}]]",
                "score": score, "turn": turn, "tstamp": 1.0}  # fmt: skip

    return [one(81, "one", 8), one(81, "two", 3), one(81, "one", -1, turn=2), one(82, "two", 8)]


_ERRORS = [
    ("A", "1", "kim", "Accuracy/Mistranslation", "Major"),
    ("A", "1", "kim", "Fluency/Grammar", "Minor"),
    ("A", "1", "lee", "No-error", "no-error"),
    ("B", "1", "kim", "Fluency/Punctuation", "Minor"),
    ("B", "2", "kim", "Non-translation!", "Major"),
    ("B", "2", "lee", "Style", "Enormous"),
]
#: Texts of translations hold quotes that quote no cell.
MQM = "system\tdoc\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n" + "".join(
    f'{one[0]}\tnews\t{one[1]}\t{one[2]}\tSay "{one[1]}\tSag <v>"{one[1]}</v>\t{one[3]}\t{one[4]}\n'
    for one in _ERRORS
)


def judge_bench() -> dict[str, Any]:
    """Two criteria; the second instance has no single scores of one, and a person who said none."""
    return {
        "dataset": "Sentences",
        "expert_annotator": "false",
        "annotations": [
            {
                "metric": "grammar",
                "category": "graded",
                "worst": 1,
                "best": 7,
                "prompt": "Rate it.",
            },
            {"metric": "fluent", "category": "categorical", "labels_list": ["Yes", "No"]},
        ],
        "instances": [
            {
                "id": 11,
                "instance": {"context": "Cook.", "response": "Salt lightly."},
                "annotations": {
                    "grammar": {"mean_human": 4.0, "individual_human_scores": [2, 6]},
                    "fluent": {"majority_human": "Yes", "individual_human_scores": ["Yes", "Yes"]},
                },
            },
            {
                "id": 12,
                "instance": "Boil it.",
                "annotations": {
                    "grammar": {"mean_human": 5.0, "individual_human_scores": [5, None]},
                    "fluent": {"majority_human": "No"},
                },
            },
        ],
    }


def alpaca_eval() -> list[dict[str, Any]]:
    def one(word: str, preference: Any, annotator: str) -> dict[str, Any]:
        return {"instruction": f"Write {word}", "output_1": f"{word}!", "generator_1": "base",
                "output_2": word, "generator_2": "one", "annotator": annotator,
                "preference": preference, "raw_completion": HOSTILE,
                "price_per_example": 0.01, "time_per_example": 1.5}  # fmt: skip

    return [one("a", 1.0, "acme-4"), one("b", 2.0, "acme-4"), one("c", None, "acme-4"),
            one("d", 1.5, "acme-4"), one("e", 1.2, "acme-4")]  # fmt: skip


def label_studio() -> list[dict[str, Any]]:
    def answer(word: str) -> list[dict[str, Any]]:
        return [{"from_name": "label", "type": "choices", "value": {"choices": [word]}}]

    return [
        {"id": 1, "data": {"text": "a"},
         "annotations": [{"completed_by": 1, "result": answer("yes")}],
         "predictions": [{"model_version": "m", "result": answer("no")}]},
        {"id": 2, "data": {"text": "b"},
         "annotations": [{"completed_by": 1, "result": answer("no")}],
         "predictions": [{"model_version": "m", "result": []}]},
    ]  # fmt: skip


def mlflow() -> list[dict[str, Any]]:
    """As `Trace.to_json()` of MLflow 3.17.2 wrote them."""

    def assessed(name: str, kind: str, who: str, **more: Any) -> dict[str, Any]:
        return {"assessment_id": f"a-{name}-{who}", "assessment_name": name, "trace_id": "tr-1",
                "source": {"source_type": kind, "source_id": who}, "valid": True,
                "create_time": "2026-11-15T16:20:45.095Z", **more}  # fmt: skip

    def trace(name: str, topic: str, *assessments: dict[str, Any]) -> dict[str, Any]:
        return {"info": {
            "trace_id": name, "request_time": "2026-11-15T16:20:40.279Z", "state": "OK",
            "trace_location": {"type": "MLFLOW_EXPERIMENT"}, "execution_duration_ms": 12,
            "trace_metadata": {"mlflow.user": "root"}, "assessments": list(assessments),
            "tags": {"mlflow.traceName": "answer", "topic": topic},
            "request_preview": '{"question": "three"}', "response_preview": HOSTILE,
        }, "data": {"spans": []}}  # fmt: skip

    judge, error = "openai:/acme-4", {"error_code": "RATE_LIMIT", "error_message": "too many"}
    return [
        trace("tr-1", "law", assessed("correct", "LLM_JUDGE", judge, rationale="fine",
                                      feedback={"value": True}, metadata={"prompt_version": "3"}),
              assessed("correct", "HUMAN", "kim", feedback={"value": True})),
        trace("tr-2", "med", assessed("correct", "LLM_JUDGE", judge, feedback={"value": False}),
              assessed("long", "CODE", "length", feedback={"value": 0.5})),
        trace("tr-3", "law",
              assessed("correct", "LLM_JUDGE", judge, feedback={"value": None, "error": error}),
              assessed("expected_response", "HUMAN", "kim", expectation={"value": "x"}),
              assessed("correct", "HUMAN", "kim", feedback={"value": ["a", "b"]})),
        trace("tr-4", "law"),
    ]  # fmt: skip


def opik() -> list[dict[str, Any]]:
    """As the classes of traces and scores of opik 2.2.122 serialise."""

    def score(name: str, value: float, source: str, **more: Any) -> dict[str, Any]:
        return {"name": name, "value": value, "source": source, "reason": HOSTILE,
                "created_by": "kim", "last_updated_at": "2026-11-01T00:00:00Z", **more}  # fmt: skip

    def trace(name: str, *scores: dict[str, Any]) -> dict[str, Any]:
        return {"id": name, "project_id": "p", "start_time": "2026-11-01T00:00:00Z",
                "input": {"q": name}, "output": {"a": "x"}, "metadata": {"topic": "law"},
                "tags": ["b", "a"], "feedback_scores": list(scores), "duration": 12.5,
                "total_estimated_cost": 0.25, "thread_id": "h"}  # fmt: skip

    said = {"ann": {"value": 1.0, "category_name": "good", "source": "ui", "reason": None},
            "bob": {"value": 0.0, "category_name": "bad", "source": "ui"}}  # fmt: skip
    return [
        trace("t1", score("useful", 0.9, "online_scoring"), score("useful", 0.0, "ui")),
        trace("t2", score("tone", 0.5, "ui", value_by_author=said), score("useful", 0.0, "sdk")),
        trace("t3", score("useful", None, "online_scoring")),  # type: ignore[arg-type]
        trace("t4"),
    ]  # fmt: skip


def braintrust() -> list[dict[str, Any]]:
    """As `Eval(..., no_send_logs=True)` of braintrust 0.47.0 gave its results."""

    def result(asked: str, scores: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"input": asked, "output": f"x{asked}", "scores": scores, "classifications": None,
                "expected": "x", "metadata": {}, "tags": None, "error": None, "exc_info": None,
                "origin": None, **more}  # fmt: skip

    broken = {"scorer_errors": {"boom": "Traceback ...\nValueError: no grade\n"}}
    return [
        result("a", {"polite": 1.0, "boom": 0.5}, metadata={"topic": "law"}, tags=["t"]),
        result("b", {"polite": 1.0}, metadata=broken),
        result("c", {"polite": None, "boom": 0.5}, expected=None),
        result("d", {}, error=HOSTILE, output=None),
    ]


def doccano() -> list[dict[str, Any]]:
    def one(number: int, *labels: Any) -> dict[str, Any]:
        return {"id": number, "text": HOSTILE, "topic": "law", "label": list(labels),
                "Comments": []}  # fmt: skip

    return [
        one(1, "good"), one(2, "bad"), one(3, "good", "bad"), one(4), one(5, [0, 5, "PER"]),
        one(6, {"a": 1}), one(7, "long text " * 50),
    ]  # fmt: skip


def labelbox() -> list[dict[str, Any]]:
    """In the documented form of export v2."""

    def label(who: str | None, *answers: Any, **more: Any) -> dict[str, Any]:
        held = {"objects": [], "classifications": list(answers), "relationships": []}
        details = {"created_at": "2026-01-01T00:00:00Z", "created_by": who}
        return {"label_kind": "Default", "label_details": details, "annotations": held,
                "performance_details": {"skipped": False}, **more}  # fmt: skip

    def radio(value: str) -> dict[str, Any]:
        return {"name": "Tone", "value": "tone", "radio_answer": {"name": value, "value": value}}

    ticked = {"value": "issues", "checklist_answers": [{"value": "rude"}, {"value": "long"}]}
    rows = [
        [label("ann@x.org", radio("good"), ticked), label("bo@x.org", radio("bad"))],
        [label("ann@x.org", {"value": "why", "text_answer": {"content": HOSTILE}})],
        [label("bo@x.org", performance_details={"skipped": True}), label("ann@x.org")],
        [label(None, radio("good"), {"value": "tone", "radio_answer": None})],
    ]
    return [
        {"data_row": {"id": f"r{at}", "global_key": f"k{at}" if at else None, "row_data": HOSTILE},
         "projects": {"p1": {"name": "Tone", "labels": labels}}}
        for at, labels in enumerate(rows)
    ]  # fmt: skip


def batch() -> list[dict[str, Any]]:
    def chat(item: str, content: Any) -> dict[str, Any]:
        choices = [{"index": 0, "message": {"role": "assistant", "content": content}}]
        body = {"model": "acme-4", "choices": choices, "usage": {"prompt_tokens": 9}}
        return {"id": "b", "custom_id": item, "response": {"status_code": 200, "body": body},
                "error": None}  # fmt: skip

    message = {"model": "acme-5", "content": [{"type": "text", "text": "no"}]}
    return [
        chat("a", "yes"), chat("b", '{"why": "so", "verdict": "no"}'), chat("c", "{cut"),
        chat("d", None),
        {"custom_id": "e", "response": None, "error": {"code": "expired", "message": HOSTILE}},
        {"custom_id": "f", "result": {"type": "succeeded", "message": message}},
        {"custom_id": "g", "result": {"type": "expired"}},
    ]  # fmt: skip


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


#: As promptfoo 0.121.20 wrote it.
PROMPTFOO_CSV = """\
Description,name,topic,[acme-one] Hello {{name}},Status,Score,Named Scores,Metric: polite,\
Grader Reason,Comment,[acme-one] Bye {{name}},Status,Score,Named Scores,Metric: polite,\
Grader Reason,Comment
greet Ann,Ann,law,Hello Ann,PASS,0.95,"{""polite"":0.9}",0.90,All assertions passed,,Bye Ann,FAIL,\
0.45,"{""polite"":0.9}",0.90,"Expected output to contain ""Hello""\",
,Bob,med,Hello Bob,FAIL,0.00,"{""polite"":0}",0.00,Could not extract JSON from llm-rubric response\
,,Bye Bob,FAIL,0.00,"{""polite"":0}",0.00,Could not extract JSON from llm-rubric response,
,Cid,law,Hello Cid,FAIL,0.10,"{""polite"":0.1}",0.10,"because ""so"", and
more",,Bye Cid,ERROR,0.00,{},,timeout,=1+1
"""


def every_log(folder: Path) -> dict[str, Path]:
    """One log of each tool, by the importer's name."""
    folder.mkdir(exist_ok=True)
    return {
        "inspect": write_eval(folder / "log.eval", inspect_log(*inspect_samples())),
        "promptfoo": write_json(folder / "results.json", promptfoo()),
        "promptfoo-csv": _written(folder / "promptfoo.csv", PROMPTFOO_CSV),
        "mlflow": write_lines(folder / "traces.jsonl", mlflow()),
        "opik": write_lines(folder / "opik.jsonl", opik()),
        "braintrust": write_json(folder / "braintrust.json", braintrust()),
        "doccano": write_lines(folder / "kim.jsonl", doccano()),
        "labelbox": write_lines(folder / "labelbox.jsonl", labelbox()),
        "deepeval": write_json(folder / "run.json", deepeval()),
        "ragas": write_csv(folder / "ragas.csv", ragas()),
        "langfuse": write_csv(folder / "scores.csv", langfuse()),
        "langsmith": write_lines(folder / "feedback.jsonl", langsmith()),
        "phoenix": write_csv(folder / "annotations.csv", phoenix()),
        "argilla": write_json(folder / "records.json", argilla()),
        "label-studio": write_json(folder / "export.json", label_studio()),
        "openai-evals": write_lines(folder / "evals.jsonl", openai_evals()),
        "batch": write_lines(folder / "batch_output.jsonl", batch()),
        "lm-eval": write_lines(folder / "samples_sums_2026-11-01T00-00-00.000000.jsonl", lm_eval()),
        "mt-bench": write_lines(folder / "acme-4_single.jsonl", mt_bench()),
        "alpaca-eval": write_json(folder / "annotations.json", alpaca_eval()),
        "mqm": _written(folder / "mqm.tsv", MQM),
        "judge-bench": write_json(folder / "sentences.json", judge_bench()),
    }  # fmt: skip
