"""Finished calls: an answer with its verdicts, or a failure; and the tally of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import field, replace

from goldassay.frozen import dataclass
from goldassay.judges.answers import read_response
from goldassay.judges.clients.registry import kind_of
from goldassay.judges.declaration import Declaration
from goldassay.judges.request import Asked
from goldassay.judges.responses import FailureError, Response
from goldassay.judges.text import quotations
from goldassay.judges.verdicts import Answer, Format, Verdict

__all__ = ["Call", "Tally", "answered", "bare", "failed", "said"]

#: Failures that no other item will be spared, and after how many of them a judge is given up.
HOPELESS = ("unauthorized", "forbidden", "not_found", "redirected", "out_of_quota")
GIVE_UP = 3
#: After how many failures in a row, with no answer between, a judge is given up.
GIVE_UP_ANY = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A finished call, as the journal writes it."""

    key: str
    judge: str
    form: Format
    verdicts: dict[str, Verdict]
    #: Tries that it took, and seconds.
    attempt: int = 1
    latency: float = 0.0
    response: str | None = None
    quoted: tuple[tuple[int, int], ...] = ()
    failure: str | None = None
    http_status: int | None = None
    model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None


def said(judge: Declaration, body: str) -> Response:
    """What a body says. One of the protocol that cannot be read was paid for, and is kept."""
    try:
        return kind_of(judge).read(body)
    except FailureError:
        raise
    except Exception:  # `read_response` finds it invalid, and says so
        return Response(Answer(None))


def answered(judge: Declaration, asked: Asked, body: str, response: Response) -> Call:
    """A call that was answered, with the verdicts in it."""
    quoted = tuple(quotations(response.answer.text or "", asked.texts))
    return Call(
        key=asked.key,
        judge=judge.name,
        form=asked.form,
        verdicts=read_response(judge, asked.form, body, quoted),
        response=body,
        quoted=quoted,
        http_status=200,
        model=response.model,
        prompt_tokens=response.prompt_tokens,
        completion_tokens=response.completion_tokens,
    )


def failed(judge: Declaration, asked: Asked, failure: FailureError) -> Call:
    """A call that failed for good; the next run tries it again."""
    verdict = Verdict("failed", reason=str(failure))
    return Call(
        key=asked.key,
        judge=judge.name,
        form=asked.form,
        verdicts=dict.fromkeys(asked.form.criteria, verdict),
        failure=str(failure),
        http_status=failure.http_status,
    )


def bare(call: Call, error: Exception) -> Call:
    """A call that could not be stored, with its response and nothing else that came with it."""
    reason = f"the call could not be stored ({type(error).__name__})"
    return replace(
        call,
        verdicts=dict.fromkeys(call.form.criteria, Verdict("invalid", reason=reason)),
        quoted=(),
        model=None,
        prompt_tokens=None,
        completion_tokens=None,
        cost=None,
    )


@dataclass(slots=True)
class Tally:
    """What happened with one judge in this run."""

    judge: str
    planned: int = 0
    known: int = 0
    calls: int = 0
    attempts: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    #: Failed calls by kind, and the first of each kind in its own words.
    failures: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    models: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    cost: float = 0.0
    unpriced: bool = False
    notes: list[str] = field(default_factory=list)
    given_up: str | None = None
    in_a_row: int = 0

    def note(self, call: Call) -> None:
        """Count a call that is on the disk."""
        self.calls += 1
        self.statuses.update(verdict.status for verdict in call.verdicts.values())
        if call.failure is not None:
            self._note_failure(call.failure)
            return
        self.in_a_row = 0
        self.tokens += (call.prompt_tokens or 0) + (call.completion_tokens or 0)
        self.cost += call.cost or 0.0
        self.unpriced |= call.cost is None
        self.models[call.model or ""] += 1

    def _note_failure(self, failure: str) -> None:
        kind = failure.partition(":")[0]
        self.in_a_row += 1
        self.failures[kind] += 1
        self.examples.setdefault(kind, failure)
        if (kind in HOPELESS and self.in_a_row >= GIVE_UP) or self.in_a_row >= GIVE_UP_ANY:
            self.given_up = failure
