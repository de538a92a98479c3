"""Calls of a run beside a bare asyncio + openai loop, and memory as items grow.

The server answers at once, in a process of its own. Both sides make the same requests with the same
concurrency, one or many at a time; goldassay also plans, parses and commits each call durably.
Seconds are of the CPU; calls a second, which wait for the server and the disk, are by the clock.

Run it: python benchmarks/bench_run.py [--memory]
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from timing import TOLD

ROOT = Path(__file__).resolve().parents[1]
SERVER = ROOT / "tests" / "support" / "judge_server.py"
#: How many calls are made, at most so many at a time.
RUNS = ((300, 1), (1500, 32))

JUDGE = """
name = "j"
model = "m"
base_url = "{url}"
realization = "likert"
concurrency = {concurrency}
"""

#: Reads a judge without a network (a column), so that only goldassay's own memory is measured.
MEMORY = (
    TOLD
    + """
import sys
from goldassay.judges.run import run_judges
from goldassay.judges.spec import judge_from_mapping
from goldassay.judges.items import Item, Items
number, out = int(sys.argv[1]), sys.argv[2]
def stream():
    for i in range(number):
        yield Item(f"q{i}", "in", "out", raw={"item": f"q{i}", "x": i % 7}, line=i)
judge = judge_from_mapping({"name": "j", "column": "x", "concurrency": 64}, place="j")
run_judges([judge], Items("items", stream), out)
print(told().split()[1])
"""
)


def items(folder: Path, number: int) -> Path:
    path = folder / "items.jsonl"
    with path.open("w") as stream:
        for i in range(number):
            row = {"item": f"q{i}", "input": f"question {i}", "output": f"answer {i}"}
            stream.write(json.dumps(row) + "\n")
    return path


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of the CPU, and by the clock."""
    cpu, clock = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - cpu, time.perf_counter() - clock


def bare(path: Path, url: str, concurrency: int) -> tuple[float, float]:
    """The same requests, with nothing kept."""
    import httpx2
    import openai

    from goldassay.judges.items import read_items
    from goldassay.judges.prompts import requests
    from goldassay.judges.spec import judge_from_mapping

    raw = {"name": "j", "model": "m", "base_url": url, "realization": "likert"}
    judge = judge_from_mapping(raw, place="j")
    prompts = [one.prompt for item in read_items(path) for one in requests(judge, item)]

    async def main() -> None:
        limits = httpx2.Limits(max_connections=concurrency)
        client = openai.AsyncOpenAI(
            api_key="none", base_url=url, http_client=httpx2.AsyncClient(limits=limits)
        )
        gate = asyncio.Semaphore(concurrency)

        async def one(prompt: str) -> str | None:
            async with gate:
                answer = await client.chat.completions.create(
                    model="m",
                    messages=[{"role": "user", "content": prompt}],
                    temperature=0,
                    max_tokens=1024,
                )
            return answer.choices[0].message.content

        await asyncio.gather(*(one(prompt) for prompt in prompts))
        await client.close()

    return timed(lambda: asyncio.run(main()))


def ours(path: Path, url: str, out: Path, concurrency: int) -> tuple[float, float]:
    from goldassay.judges.run import run_judges
    from goldassay.judges.spec import read_judge

    judge = path.parent / "judge.toml"
    judge.write_text(JUDGE.format(url=url, concurrency=concurrency))
    return timed(lambda: run_judges([read_judge(judge)], path, out))


def memory(number: int) -> float:
    """Peak resident memory, in MB, of a run over so many items."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", MEMORY, str(number), f"{folder}/r.db"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout)


def run() -> list[dict[str, Any]]:
    server = subprocess.Popen([sys.executable, str(SERVER)], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            ours(items(folder, 50), url, folder / "warm.db", 32)
            return [_compared(folder, url, *one) for one in RUNS]
    finally:
        server.terminate()
        server.wait()


def _compared(folder: Path, url: str, calls: int, concurrency: int) -> dict[str, Any]:
    path = items(folder, calls)
    times = [  # the best of three: other work on the machine only adds time
        (ours(path, url, folder / f"{calls}-{turn}.db", concurrency), bare(path, url, concurrency))
        for turn in range(3)
    ]
    (cpu, clock), (their_cpu, their_clock) = (
        [min(turn[side][kind] for turn in times) for kind in (0, 1)] for side in (0, 1)
    )
    work = f"{calls:,} calls to a server that answers at once, {concurrency} at a time: "
    return {
        "work": work + f"{calls / clock:.0f} a second, the loop {calls / their_clock:.0f}",
        "goldassay_seconds": cpu,
        "peer": "a bare asyncio + openai loop, nothing kept",
        "peer_seconds": their_cpu,
        "ratio": their_cpu / cpu,
        "target": "at least 1" if concurrency == 1 else 0.8,
    }


if __name__ == "__main__":
    for row in run():
        print(row)
    if "--memory" in sys.argv:
        for number in (10_000, 100_000, 1_000_000):
            print(f"{number:>9,} items: peak {memory(number):.0f} MB", flush=True)
