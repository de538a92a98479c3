"""Connections before they have asked anything: how many there are, and how long they may take.

A request that is whole is the guard's to judge. Until then a connection costs a place: one that
does not ask in time is ended, one that is not read from likewise, and where a peer has many that
wait, a new one takes the place of the oldest. So nobody can fill the places by asking nothing. What
is no HTTP is answered with the headers that every answer carries.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from goldassay.web.guard import HEADERS, Limits

__all__ = ["Connection"]


class Connection(H11Protocol):
    """One connection: uvicorn's, with a deadline and a place among its peer's."""

    def __init__(self, limits: Limits, **options: Any) -> None:
        super().__init__(**options)
        self.limits = limits
        self._opened = 0.0
        self._deadline: asyncio.TimerHandle | None = None
        self._unsent = 0
        self._refused = False

    @property
    def busy(self) -> bool:
        """Whether something was asked that is not answered yet."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def waiting(self) -> bool:
        """Whether nothing was asked yet, or nothing more."""
        return not self.busy and not self.transport.is_closing()

    @property
    def peer(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._opened = self.loop.time()
        self._expect()
        others = [one for one in self.connections if isinstance(one, Connection)]
        mine = [one for one in others if one.waiting and one.peer == self.peer]
        if len(mine) > self.limits.waiting:
            _oldest(mine).transport.abort()
        elif len(others) > self.limits.connections:
            # There is always one that waits: this one.
            _oldest([one for one in others if one.waiting]).transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return  # read, and not heeded: else the refusal would be lost with what is unread
        super().data_received(data)
        if self.busy and not self.flow.write_paused:
            self._forget()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._expect()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.busy:
            self._forget()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.busy:  # else the next request was in the pipe already
            self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        headers = {**HEADERS, "content-type": "text/plain; charset=utf-8", "connection": "close"}
        answer = h11.Response(status_code=400, headers=list(headers.items()), reason=b"Bad Request")
        self._refused = True
        try:
            for event in (answer, h11.Data(data=f"{msg}\n".encode()), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
            self.transport.write_eof()
            self._expect()
        except h11.LocalProtocolError:  # another answer is on its way
            self.transport.abort()

    def _expect(self) -> None:
        """From now on the peer is to ask something, or to read what was answered, in time."""
        self._forget()
        self._unsent = self.transport.get_write_buffer_size()
        self._deadline = self.loop.call_later(self.limits.header_seconds, self._late)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _late(self) -> None:
        if 0 < self.transport.get_write_buffer_size() < self._unsent:
            self._expect()  # a slow reader, but one that reads
        else:
            self.transport.abort()


def _oldest(connections: list[Connection]) -> Connection:
    return min(connections, key=lambda one: one._opened)
