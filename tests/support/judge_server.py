"""An endpoint for tests: speaks the OpenAI protocol, answers at once, and fails as it is told.

The answer is a function of the prompt, so that two undisturbed runs agree. Faults are drawn per
request by a seeded generator at the given rate. Runs in a thread, or in a process of its own:

    python tests/support/judge_server.py --port 0 --rate 0.1 --faults reset,status_500
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import random
import socket
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from patience import PATIENCE

FAULTS = (
    "status_429_after",
    "status_429",
    "status_500",
    "status_503",
    "hang",
    "reset",
    "truncated",
    "late",
    "garbage",
    "empty_choices",
    "other_model",
)


def steady_answer(prompt: str, body: dict[str, Any]) -> str:
    """A verdict that depends on the prompt alone."""
    number = int(hashlib.sha256(prompt.encode()).hexdigest()[:8], 16)
    if "response_format" in body:
        schema = body["response_format"]["json_schema"]["schema"]["properties"]
        return json.dumps({name: one["enum"][number % 2] for name, one in schema.items()})
    if "Rating (0-100)" in prompt:
        return str(number % 101)
    if "[[A>>B]]" in prompt:
        return f"[[{('A>>B', 'A>B', 'A=B', 'B>A', 'B>>A')[number % 5]}]]"
    if "[[rating]]" in prompt:
        return f"[[{('Very Bad', 'Bad', 'Mediocre', 'Good', 'Very Good')[number % 5]}]]"
    if "(Yes/No)" in prompt:
        return ("Yes", "No")[number % 2]
    if "Select ALL" in prompt:
        return ("A", "AB", "BC", "ABC")[number % 4]
    if "Select the ONE" in prompt:
        return "ABC"[number % 3]
    if "<response A" in prompt:
        return ("[[A]]", "[[B]]", "[[tie]]")[number % 3]
    return ("[[MET]]", "[[UNMET]]", "[[CANNOT_ASSESS]]")[number % 3]


class JudgeServer:
    """The endpoint. `requests` counts by prompt, `log` notes every request's time and fault."""

    def __init__(
        self,
        *,
        rate: float = 0.0,
        faults: tuple[str, ...] = FAULTS,
        seed: int = 1,
        delay: float = 0.0,
        logprobs: bool = True,
        json_schema: bool = True,
        answer: Callable[[str, dict[str, Any]], str] = steady_answer,
        hang: float = 30.0,
        keep: bool = True,
        retry_after: float = 1,
    ) -> None:
        self.rate, self.faults, self.delay, self.hang = rate, faults, delay, hang
        self.logprobs, self.json_schema, self.answer, self.keep = (
            logprobs,
            json_schema,
            answer,
            keep,
        )
        self.retry_after = retry_after
        self.rng = random.Random(seed)
        self.requests: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.log: list[tuple[float, str]] = []
        self.at_once = 0
        self.most_at_once = 0
        self.total = 0
        self.port = 0
        self.location = ""
        self.error = "no"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self, port: int = 0) -> asyncio.Server:
        server = await asyncio.start_server(self._connection, "127.0.0.1", port, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        return server

    @contextlib.contextmanager
    def running(self) -> Iterator[JudgeServer]:
        ready = threading.Event()
        loop = asyncio.new_event_loop()

        async def main() -> None:
            self._stop = asyncio.Event()
            server = await self.serve()
            ready.set()
            await self._stop.wait()
            server.close()
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()

        def work() -> None:
            with contextlib.suppress(asyncio.CancelledError):
                loop.run_until_complete(main())
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        ready.wait(PATIENCE)
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(self._stop.set)
            thread.join(PATIENCE)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._request(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            with contextlib.suppress(Exception):
                writer.close()

    async def _request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        lines = head.split("\r\n")
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        self.total += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self._respond(lines[0].split(" ")[1], headers, raw, writer)
        finally:
            self.at_once -= 1

    async def _respond(
        self, path: str, headers: dict[str, str], raw: bytes, writer: asyncio.StreamWriter
    ) -> bool:
        body = json.loads(raw or b"{}")
        prompt = body["messages"][-1]["content"] if "messages" in body else ""
        if self.keep:
            self.requests[prompt] += 1
            self.bodies.append(body)
            self.headers.append({**headers, ":path": path})
        fault = self.rng.choice(self.faults) if self.rng.random() < self.rate else ""
        if self.keep:
            self.log.append((time.monotonic(), fault))
        if self.delay:
            await asyncio.sleep(self.delay)
        if (body.get("logprobs") and not self.logprobs) or (
            "response_format" in body and not self.json_schema
        ):
            return self._send(writer, 400, {"error": {"message": "not supported here"}})
        return await self._faulty(fault, prompt, body, writer)

    async def _faulty(
        self, fault: str, prompt: str, body: dict[str, Any], writer: asyncio.StreamWriter
    ) -> bool:
        if fault == "status_429_after":
            return self._send(writer, 429, {"error": {"message": "slow"}}, after=self.retry_after)
        if fault.startswith("status_"):
            code = int(fault.removeprefix("status_"))
            return self._send(writer, code, {"error": {"message": self.error}})
        if fault in ("hang", "late"):  # late: the answer was made, the client is gone
            await asyncio.sleep(self.hang)
        if fault == "reset":
            sock: socket.socket = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return False
        answer = self._completion(prompt, body, other=fault == "other_model")
        if fault == "empty_choices":
            answer["choices"] = []
        data = b'{"choices": [{"mess' if fault == "garbage" else json.dumps(answer).encode()
        if fault == "truncated":
            writer.write(_head(200, len(data) + 100) + data[: len(data) // 2])
            await writer.drain()
            return False
        writer.write(_head(200, len(data)) + data)
        return True

    def _completion(self, prompt: str, body: dict[str, Any], *, other: bool) -> dict[str, Any]:
        text = self.answer(prompt, body)
        choice: dict[str, Any] = {
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": "stop",
        }
        if body.get("logprobs"):
            other_word = "No" if text == "Yes" else "Yes"
            top = [{"token": text, "logprob": -0.2}, {"token": " " + other_word, "logprob": -2.0}]
            choice["logprobs"] = {
                "content": [{"token": text, "logprob": -0.2, "top_logprobs": top}]
            }
        return {
            "id": "x",
            "object": "chat.completion",
            "model": "another-model" if other else body.get("model"),
            "choices": [choice],
            "usage": {"prompt_tokens": len(prompt) // 4, "completion_tokens": 3},
        }

    def _send(
        self, writer: asyncio.StreamWriter, code: int, body: Any, *, after: float | None = None
    ) -> bool:
        data = json.dumps(body).encode()
        extra = f"Retry-After: {after}\r\n" if after is not None else ""
        extra += f"Location: {self.location}\r\n" if self.location else ""
        writer.write(_head(code, len(data), extra) + data)
        return True


def _head(code: int, length: int, extra: str = "") -> bytes:
    return (
        f"HTTP/1.1 {code} X\r\nContent-Type: application/json\r\n"
        f"Content-Length: {length}\r\n{extra}\r\n"
    ).encode()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--rate", type=float, default=0.0)
    parser.add_argument("--faults", default=",".join(FAULTS))
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--count", help="append one line per request to this file")
    options = parser.parse_args()
    server = JudgeServer(
        rate=options.rate, faults=tuple(options.faults.split(",")), delay=options.delay, keep=False
    )
    if options.count:
        log = open(options.count, "a", buffering=1)  # noqa: PTH123, SIM115
        plain = server.answer

        def counted(prompt: str, body: dict[str, Any]) -> str:
            log.write(hashlib.sha256(prompt.encode()).hexdigest() + "\n")
            return plain(prompt, body)

        server.answer = counted

    async def serve() -> None:
        started = await server.serve(options.port)
        print(server.port, flush=True)
        await started.serve_forever()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve())


if __name__ == "__main__":
    sys.exit(main())
