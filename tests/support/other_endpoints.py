"""Small endpoints for tests: Anthropic's protocol, a reward model, and batch files."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Endpoint:
    """An HTTP server whose `answer(method, path, headers, body)` gives (status, JSON or text)."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, dict[str, str], bytes]] = []

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        raise NotImplementedError

    @contextmanager
    def running(self) -> Iterator[str]:
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _any(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                endpoint.seen.append((self.command, self.path, headers, body))
                status, data = endpoint.answer(self.command, self.path, body)
                text = (data if isinstance(data, str) else json.dumps(data)).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = _any  # noqa: N815

            def log_message(self, *arguments: object) -> None:
                return None

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


class Anthropic(Endpoint):
    """Answers every message with a Likert word."""

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        if path != "/v1/messages":
            return 404, {"error": {"message": "no such path"}}
        return 200, {
            "model": "claude-x",
            "content": [
                {"type": "thinking", "thinking": "[[Bad]]"},
                {"type": "text", "text": "[[Good]]"},
            ],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 10, "output_tokens": 4},
        }


class Reward(Endpoint):
    """The length of the output, as a nested score."""

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        return 200, {"data": [{"score": len(json.loads(body)["output"]) / 2}]}


class Batches(Endpoint):
    """Files and batches; a batch is done at the second look."""

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, str] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.fail: set[int] = set()

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        if path.endswith("/chat/completions"):
            return 400, {"error": {"message": "no probing here"}}
        if method == "POST" and path == "/v1/files":
            name = f"file-{len(self.files)}"
            text = body.decode()
            start = text.index('{"custom_id"')
            self.files[name] = text[start : text.rindex("\n--") if "\n--" in text else None]
            return 200, {
                "id": name,
                "object": "file",
                "bytes": 1,
                "created_at": 1,
                "filename": "x",
                "purpose": "batch",
                "status": "processed",
            }
        if method == "POST":
            asked = json.loads(body)
            name = f"batch-{len(self.batches)}"
            self.batches[name] = {
                "id": name,
                "object": "batch",
                "looks": 0,
                "created_at": 1,
                "endpoint": asked["endpoint"],
                "input_file_id": asked["input_file_id"],
                "completion_window": "24h",
                "status": "in_progress",
                "metadata": asked["metadata"],
                "output_file_id": None,
                "error_file_id": None,
            }
            return 200, self.batches[name]
        if path.startswith("/v1/batches/"):
            return 200, self._looked(path.rsplit("/", 1)[1])
        if path.startswith("/v1/batches"):
            found = list(self.batches.values())
            return 200, {"object": "list", "data": found, "has_more": False}
        if match := re.match(r"/v1/files/(.+)/content", path):
            return 200, self.files[match[1]]
        return 404, {}

    def _looked(self, name: str) -> dict[str, Any]:
        batch = self.batches[name]
        batch["looks"] += 1
        if batch["looks"] >= 2 and batch["status"] == "in_progress":
            lines = []
            for number, line in enumerate(self.files[batch["input_file_id"]].splitlines()):
                if not line.startswith("{") or number in self.fail:
                    continue
                request = json.loads(line)
                choice = {
                    "index": 0,
                    "finish_reason": "stop",
                    "message": {"role": "assistant", "content": "[[Good]]"},
                }
                answer = {
                    "model": request["body"]["model"],
                    "choices": [choice],
                    "usage": {"prompt_tokens": 100, "completion_tokens": 10},
                }
                response = {"status_code": 200, "body": answer}
                lines.append(json.dumps({"custom_id": request["custom_id"], "response": response}))
            self.files[f"{name}-out"] = "\n".join(lines)
            batch |= {"status": "completed", "output_file_id": f"{name}-out"}
        return batch
