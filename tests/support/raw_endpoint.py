"""An endpoint that writes whatever bytes it is told to: endless, packed, slow, half a character."""

from __future__ import annotations

import contextlib
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

#: Given the number of the request: the status, more headers, and the pieces of the body.
Answer = Callable[[int], tuple[int, dict[str, str], Iterator[bytes]]]


@contextlib.contextmanager
def raw_endpoint(answer: Answer) -> Iterator[tuple[str, list[bytes]]]:
    """Serve on loopback; gives the address and the bodies of the requests, as they come."""
    seen: list[bytes] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            with lock:
                seen.append(body)
                number = len(seen)
            status, headers, pieces = answer(number)
            with contextlib.suppress(OSError):  # the client may have had enough
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for piece in pieces:
                    self.wfile.write(piece)
            self.close_connection = True

        def log_message(self, *arguments: object) -> None:
            return None

    class Server(ThreadingHTTPServer):
        request_queue_size = 128
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def endless(piece: bytes = b" " * 65536, most: int = 20_000) -> Iterator[bytes]:
    """More than anybody should read (but not for ever: it is a test)."""
    for _ in range(most):
        yield piece


def bomb(megabytes: int) -> bytes:
    """Zeros, packed a thousand to one."""
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    packed = b"".join(packer.compress(bytes(2**20)) for _ in range(megabytes))
    return packed + packer.flush()


def dripping(seconds: float) -> Iterator[bytes]:
    """A byte now and then."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        yield b" "
        time.sleep(0.05)
