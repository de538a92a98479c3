"""The verdicts in a stored body: pure functions, so that it can be read again without a call."""

from __future__ import annotations

from dataclasses import replace

from goldassay.judges.clients.registry import kind_of
from goldassay.judges.declaration import Declaration
from goldassay.judges.local_results import read_result
from goldassay.judges.parsing import read_answer
from goldassay.judges.responses import FailureError, loads
from goldassay.judges.verdicts import Format, Verdict

__all__ = ["read_response"]


def read_response(
    judge: Declaration, form: Format, body: str, quoted: tuple[tuple[int, int], ...] = ()
) -> dict[str, Verdict]:
    """By the parser for a judge that answers in words, by the declared words for any other.

    A body that is no response of the judge's protocol is a `FailureError`. Any other that cannot be
    read is invalid, whatever it holds: it was paid for.
    """
    kind = kind_of(judge)
    try:
        if not kind.chat:
            return read_result(form, loads(body))
        return read_answer(form, replace(kind.read(body).answer, quoted=quoted))
    except FailureError:
        raise
    except Exception as error:
        reason = f"the answer could not be read ({type(error).__name__})"
        return dict.fromkeys(form.criteria, Verdict("invalid", reason=reason))
