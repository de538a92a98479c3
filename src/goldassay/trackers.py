"""Results back into the tools that teams look at: MLflow runs, Langfuse scores.

What is sent are the numbers that a reader of the document sees first: the summary of each question,
one line per judge, value and both ends of the interval. MLflow keeps the whole document beside
them. A result that is undefined has no number and is not made one: it is counted.

    from goldassay.trackers import log_to_mlflow

    log_to_mlflow(ga.report("ratings.csv", "task.toml").document(), "sqlite:///mlflow.db")
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from goldassay.errors import InputError, MissingExtraError, SourceError, UsageError, shown
from goldassay.frozen import dataclass
from goldassay.glossary import words
from goldassay.results import dumps
from goldassay.words import counted, result_text, visible

__all__ = [
    "SUBJECTS",
    "Tracked",
    "check_sendable",
    "langfuse_scores",
    "log_to_langfuse",
    "log_to_mlflow",
    "tracked",
    "undefined_results",
]

Document = Mapping[str, Any]
#: What a Langfuse score is about -> its field in a request.
SUBJECTS = {"dataset-run": "datasetRunId", "session": "sessionId", "trace": "traceId"}
#: What MLflow takes in a metric's name on every system.
_NOT_IN_NAMES = re.compile(r"[^\w.\- ]")


@dataclass(frozen=True, slots=True)
class Tracked:
    """A number of the summary: the question, the result's name, whom it is about."""

    verb: str
    label: str
    cell: Mapping[str, Any]

    def key(self, end: str = "") -> str:
        """Its name in a tool: `agree/accuracy/gpt`, `agree/accuracy.low/gpt`."""
        label = _NOT_IN_NAMES.sub("_", visible(self.label, 120)).strip(". ") or "_"
        return f"{self.verb}/{self.cell['name']}{end}/{label}"

    @property
    def text(self) -> str:
        """The number with its interval, in words."""
        cell = self.cell
        ends = (cell["low"], cell["high"])
        known = ends if cell["confidence_level"] else None
        said = result_text(cell["name"], cell["value"], known, self.verb)
        return f"{words(cell['name'], self.verb)} {said}, {counted(cell['n_items'], 'item')}"


def tracked(document: Document) -> tuple[Tracked, ...]:
    """The numbers of each question's summary."""
    return tuple(one for one in _cells(document) if one.cell["value"] is not None)


def undefined_results(document: Document) -> tuple[Tracked, ...]:
    """The results of the summaries that are undefined, and so are not sent."""
    return tuple(one for one in _cells(document) if one.cell["value"] is None)


def check_sendable(document: Document, place: str) -> None:
    """Refuse a document that lacks, or holds as another type, something that is sent."""
    try:
        _run(document)
        if tracked(document):
            langfuse_scores(document, "session=any")
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise SourceError(
            place,
            f"is damaged ({type(error).__name__}: {shown(str(error), 60)})",
            next_step="Make it again with: goldassay report ... --out report.json",
        ) from None


def _cells(document: Document) -> list[Tracked]:
    parts = document.get("parts") or [document]
    return [
        Tracked(str(part["verb"]), str(line["label"]), cell)
        for part in parts
        for line in (part.get("summary") or {}).get("lines", ())
        for cell in line["cells"]
        if isinstance(cell, Mapping)
    ]


def log_to_mlflow(document: Document, uri: str, *, experiment: str = "goldassay") -> str:
    """Log a document as an MLflow run: its numbers as metrics, itself and its page as artefacts.

    Parameters
    ----------
    document
        `Findings.document()`, or what `--out report.json` wrote.
    uri
        Where runs are kept: "sqlite:///mlflow.db", a server's address, a folder.
    experiment
        The experiment that the run belongs to; made where there is none.

    Returns
    -------
    The run's id.
    """
    _some(document)
    try:
        from mlflow import MlflowClient
        from mlflow.entities import Metric, Param, RunTag
        from mlflow.exceptions import MlflowException
    except ModuleNotFoundError as error:
        raise MissingExtraError("mlflow", "mlflow") from error
    from time import time_ns

    now = time_ns() // 1_000_000
    metrics, params, tags = _run(document)
    try:
        client = MlflowClient(tracking_uri=uri)
        found = client.get_experiment_by_name(experiment)
        belongs = found.experiment_id if found else client.create_experiment(experiment)
        run = str(client.create_run(belongs, run_name=f"goldassay {document['verb']}").info.run_id)
        sent = [Metric(key, value, now, 0) for key, value in metrics.items()]
        for start in range(0, len(sent), 500):  # a batch holds at most a thousand
            client.log_batch(run, metrics=sent[start : start + 500])
        client.log_batch(
            run,
            params=[Param(k, str(v)[:6000]) for k, v in params.items() if v not in (None, "")],
            tags=[RunTag(key, value) for key, value in tags.items()],
        )
        client.log_text(run, dumps(document), f"{document['verb']}.json")
        client.set_terminated(run)
    except MlflowException as error:
        said = _without_secrets(str(error).replace(uri, _without_secrets(uri)))
        raise InputError(
            f"MLflow at {shown(_without_secrets(uri))}", "took no run", found=shown(said, 300)
        ) from None
    return run


def _run(document: Document) -> tuple[dict[str, float], dict[str, Any], dict[str, str]]:
    """Metrics, parameters and tags of an MLflow run."""
    metrics: dict[str, float] = {}
    for one in tracked(document):
        for end, field in (("", "value"), (".low", "low"), (".high", "high")):
            if one.cell[field] is not None:
                metrics[_free(one.key(end), metrics)] = float(one.cell[field])
    made = document["provenance"]
    params = {
        "verb": document["verb"],
        "goldassay": made["version"],
        "seed": made["seed"],
        "scale": document["task"].get("scale"),
        "inputs": ", ".join(f"{i['name']} {i['sha256'] or ''}".strip() for i in made["inputs"]),
    }
    tags = {"goldassay.answer": "\n".join(document["answer"])[:4000]}
    tags["goldassay.provisional"] = str(bool(document.get("provisional"))).lower()
    if undefined := undefined_results(document):
        tags["goldassay.undefined"] = ", ".join(one.key() for one in undefined)[:4000]
    return metrics, params, tags


def langfuse_scores(document: Document, subject: str) -> list[dict[str, Any]]:
    """The numbers as bodies of Langfuse's score requests (`CreateScoreRequest`), as plain JSON.

    `subject` is what the scores are about: "dataset-run=ID", "session=ID" or "trace=ID". The same
    number of the same document about the same subject has the same id: sent again it is no second
    score.
    """
    kind, _, name = subject.partition("=")
    if kind not in SUBJECTS or not name:
        raise UsageError(
            "--subject",
            "is dataset-run=ID, session=ID or trace=ID",
            found=shown(subject),
            next_step="Name what the scores are about: Langfuse keeps none without it",
        )
    made = document["provenance"]
    read = [[i["name"], i["sha256"], i["rows"]] for i in made["inputs"]]
    bodies: dict[str, dict[str, Any]] = {}
    for one in _some(document):
        key = _free(one.key(), bodies)
        identity = json.dumps([subject, key, made["version"], made["seed"], read])
        kept = ("low", "high", "confidence_level", "n_items")
        bodies[key] = {
            "id": sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:32],
            SUBJECTS[kind]: name,
            "name": key,
            "value": float(one.cell["value"]),
            "dataType": "NUMERIC",
            "comment": one.text,
            "metadata": {
                **{field: one.cell[field] for field in kept},
                "verb": one.verb,
                "about": one.label,
                "goldassay": made["version"],
                "inputs": [{"name": i["name"], "sha256": i["sha256"]} for i in made["inputs"]],
            },
        }
    return list(bodies.values())


def log_to_langfuse(document: Document, host: str, *, subject: str) -> int:
    """Send the numbers as scores by Langfuse's SDK, which reads its keys itself.

    Parameters
    ----------
    document
        `Findings.document()`, or what `--out report.json` wrote.
    host
        The service's address. The keys are LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY.
    subject
        What the scores are about: "dataset-run=ID", "session=ID" or "trace=ID".

    Returns
    -------
    How many scores were sent.
    """
    bodies = langfuse_scores(document, subject)
    try:
        from langfuse import Langfuse
        from langfuse.api import CreateScoreRequest
    except ModuleNotFoundError as error:
        raise MissingExtraError("langfuse", "langfuse") from error
    from os import environ

    missing = [k for k in ("LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY") if not environ.get(k)]
    if missing:
        raise UsageError("--for langfuse", f"needs {' and '.join(missing)} in the environment")
    place = f"Langfuse at {shown(_without_secrets(host))}"
    client = Langfuse(host=host, tracing_enabled=False)
    try:
        answer = client.api.scores.create(request=[CreateScoreRequest(**one) for one in bodies])
    except Exception as error:  # the SDK raises its own, its transport's and its checker's
        found = f"{type(error).__name__} {getattr(error, 'status_code', '')}".strip()
        raise InputError(place, "took no score", found=shown(found)) from None
    if rejected := getattr(answer, "rejected", 0):
        said = "; ".join(str(one.message) for one in answer.errors[:3])
        rule = f"rejected {counted(rejected, 'score')} of {len(bodies):,}"
        raise InputError(place, rule, found=shown(said, 300))
    return len(bodies)


def _some(document: Document) -> Sequence[Tracked]:
    numbers = tracked(document)
    if not numbers:
        raise UsageError(
            f"a document of {document.get('verb')}",
            "has no summary with numbers to send",
            next_step="Make one with: goldassay report ... --out report.json",
        )
    return numbers


def _free(key: str, taken: Mapping[str, Any]) -> str:
    """The name, or the first numbered one that is free: two labels may be written alike."""
    number, free = 1, key
    while free in taken:
        number += 1
        free = f"{key} {number}"
    return free


def _without_secrets(uri: str) -> str:
    """A text without names and passwords of addresses: a password may hold @ and / itself.

    >>> _without_secrets("https://kim:p@ss/word@host/runs")
    'https://host/runs'
    """
    return re.sub(r"//\S*@", "//", uri)
