"""Small endpoints for tests: Anthropic's protocol, servers that speak OpenAI's each in their own
way, a reward model, and batch files."""

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

        class Server(ThreadingHTTPServer):
            request_queue_size = 128

        server = Server(("127.0.0.1", 0), Handler)
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


def _choice(body: bytes, **more: Any) -> dict[str, Any]:
    """One choice of a completion: a Likert word, or JSON where a schema was asked for."""
    asked = json.loads(body)
    words = "[[Good]]"
    if "response_format" in asked:
        schema = asked["response_format"]["json_schema"]["schema"]
        words = json.dumps({name: one["enum"][0] for name, one in schema["properties"].items()})
    message = {"role": "assistant", "content": words}
    return {"index": 0, "message": message, "finish_reason": "stop", **more}


class VLLM(Endpoint):
    """Many fields that are null, errors at the top level, and no more than 5 log-probabilities."""

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        asked = json.loads(body)
        if path != "/v1/chat/completions" or asked.get("top_logprobs", 0) > 5:
            wrong = {"object": "error", "type": "BadRequestError", "param": None, "code": 400}
            return 400, {**wrong, "message": "top_logprobs must be at most 5"}
        logprobs = None
        if asked.get("logprobs"):
            top = [{"token": one, "logprob": -0.7, "bytes": [89]} for one in ("Yes", "No")]
            logprobs = {"content": [{"token": "Yes", "logprob": -0.7, "top_logprobs": top}]}
        choice = _choice(body, logprobs=logprobs, stop_reason=None)
        choice["message"] |= {"reasoning_content": None, "tool_calls": [], "refusal": None}
        usage = {"prompt_tokens": 10, "total_tokens": 14, "completion_tokens": 4}
        return 200, {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": asked["model"],
            "choices": [choice],
            "usage": {**usage, "prompt_tokens_details": None},
            "prompt_logprobs": None,
            "kv_transfer_params": None,
        }


class Ollama(Endpoint):
    """Ignores what it does not know, gives no log-probabilities, errors are bare texts."""

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        asked = json.loads(body)
        if path != "/v1/chat/completions" or asked["model"] != "llama3.2:1b":
            return 404, {"error": f"model '{asked['model']}' not found"}
        return 200, {
            "id": "chatcmpl-2",
            "object": "chat.completion",
            "created": 1,
            "model": "llama3.2:1b",
            "system_fingerprint": "fp_ollama",
            "choices": [_choice(body)],
            "usage": {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14},
        }


class Azure(Endpoint):
    """A deployment in the path, `api-version` in the query, the key in a header of its own."""

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        headers = self.seen[-1][2]
        if path != "/openai/deployments/mine/chat/completions?api-version=2024-10-21":
            return 404, {"error": {"code": "404", "message": "Resource not found"}}
        if headers.get("api-key") != "secret-of-azure" or "authorization" in headers:
            return 401, {"error": {"code": "401", "message": "Access denied"}}
        if b"forbidden words" in body:
            inner = {"code": "ResponsibleAIPolicyViolation"}
            wrong = {"code": "content_filter", "message": "filtered", "innererror": inner}
            return 400, {"error": {**wrong, "status": 400}}
        safe = {"hate": {"filtered": False, "severity": "safe"}}
        return 200, {
            "choices": [_choice(body, content_filter_results=safe, logprobs=None)],
            "model": "gpt-4o-mini-2024-07-18",
            "object": "chat.completion",
            "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": safe}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14},
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
        #: Statuses to answer with before all is well, by the beginning of the path.
        self.troubles: dict[str, list[int]] = {}
        self.content = "[[Good]]"
        #: Lines that nobody asked for.
        self.stray: list[str] = []

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        if path.endswith("/chat/completions"):
            return 400, {"error": {"message": "no probing here"}}
        for beginning, statuses in self.troubles.items():
            if path.startswith(beginning) and statuses:
                return statuses.pop(), {"error": {"message": "trouble"}}
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
                    "message": {"role": "assistant", "content": self.content},
                }
                answer = {
                    "model": request["body"]["model"],
                    "choices": [choice],
                    "usage": {"prompt_tokens": 100, "completion_tokens": 10},
                }
                response = {"status_code": 200, "body": answer}
                told = {"custom_id": request["custom_id"], "response": response}
                lines.append(json.dumps(told, ensure_ascii=False))
            lines += self.stray
            self.files[f"{name}-out"] = "\n".join(lines)
            batch |= {"status": "completed", "output_file_id": f"{name}-out"}
        return batch
