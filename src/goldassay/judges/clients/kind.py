"""A kind of endpoint, as one record: who answers, how a client is opened, how a body is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from goldassay.frozen import dataclass
from goldassay.judges.declaration import Declaration
from goldassay.judges.request import Request
from goldassay.judges.responses import Response

__all__ = ["BatchClient", "Client", "Kind", "RemoteBatch"]


class Client(Protocol):
    """Who answers requests: a body that can be read (and stored), or a typed `FailureError`."""

    async def ask(self, request: Request) -> str: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class RemoteBatch:
    """A batch as the provider describes it."""

    id: str
    status: str
    #: The mark that was given to it.
    mark: str | None = None
    completed: int = 0
    #: Files with what was answered, and what was refused.
    files: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        return self.status in ("completed", "expired", "cancelled", "failed")


class BatchClient(Protocol):
    """Who answers files of requests."""

    def line(self, request: Request) -> str: ...

    async def submit(self, mark: str, lines: list[str]) -> RemoteBatch: ...

    async def known(self) -> list[RemoteBatch]: ...

    async def look(self, batch: str) -> RemoteBatch: ...

    async def download(self, file: str) -> str: ...

    async def close(self) -> None: ...


def _nothing(judge: Declaration) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of endpoint. A new one is a file of this folder with a record, and a line in the
    registry."""

    #: The `provider` of a model; the key's own name for any other judge.
    name: str
    #: The key of the judge file that says who answers.
    declared_by: str
    #: What is asked, without anything secret.
    address: Callable[[Declaration], str]
    #: A client with its keys; the network is not touched yet.
    open: Callable[[Declaration], Client]
    #: What a body of its protocol says; one that is none is a `FailureError`.
    read: Callable[[str], Response]
    #: The digest of what answers where that is on this machine: a program, its files, a table.
    source: Callable[[Declaration], str] = _nothing
    #: Whether it is sent a prompt and answers in words.
    chat: bool = False
    #: Whether it is told by which criterion to judge.
    asks_criteria: bool = True
    #: What an endpoint may offer and has to be asked about: fields of `Capabilities`.
    offers: tuple[str, ...] = ()
    #: A client for batch files, where the protocol has them.
    open_batches: Callable[[Declaration], BatchClient] | None = None
