"""Labelling and exploring 100,000 items, half of them labelled: pages, bytes, and labels.

    python benchmarks/bench_serve.py [ITEMS]

The peer is the same server with 1,000 items: what a person waits for should not grow with the pool.
CPU seconds of the server, which answers on a thread of this process.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

TASK = 'scale = "binary"\noptions = ["MET", "UNMET"]\npositive = "MET"\n'
LABELS = 40


def study(folder: Path, items: int) -> None:
    """Two judges' verdicts and a text for each item."""
    lines = ["item,rater,kind,value"]
    for k in range(items):
        lines += [
            f"q{k:06d},{judge},judge,{'MET' if (k * step) % 7 < 4 else 'UNMET'}"
            for judge, step in (("large", 1), ("small", 3))
        ]
    (folder / "ratings.csv").write_text("\n".join(lines) + "\n")
    (folder / "task.toml").write_text(TASK)
    with (folder / "items.jsonl").open("w") as stream:
        for k in range(items):
            one = {"item": f"q{k:06d}", "input": f"Question {k}?", "output": "An answer. " * 20}
            stream.write(json.dumps(one) + "\n")


def half_labelled(folder: Path, items: int) -> None:
    """Labels of a rater for every second item, as a long study has them."""
    from goldassay.store import Label, add_labels, open_store

    store = open_store(folder / "ratings.labels.db", create=True)
    add_labels(
        store,
        [
            Label(
                item=f"q{k:06d}",
                rater="anna",
                value="MET" if k % 5 else "UNMET",
                elicitation="forced_choice",
                seconds=9.0,
            )
            for k in range(0, items, 2)
        ],
    )
    store.close()


def timed(ask: Callable[..., Any], *words: Any) -> tuple[float, Any]:
    start = time.process_time()
    answer = ask(*words)
    return time.process_time() - start, answer


def measured(items: int) -> dict[str, float]:
    """CPU seconds by what was asked, and the first page's bytes."""
    from serving import served_site

    from goldassay.ratings.task import read_task
    from goldassay.web.desk import Settings
    from goldassay.web.study import Study, open_site

    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        study(folder, items)
        half_labelled(folder, items)
        began = time.process_time()
        site = open_site(
            Study(ratings=f"{place}/ratings.csv", items=f"{place}/items.jsonl"),
            read_task(folder / "task.toml"),
            Settings(target=0.1),
        )
        found["start"] = time.process_time() - began
        with served_site(site) as server:
            page = server.get("/label?rater=anna")
            found["bytes"] = float(len(page.body))
            for name in ("/static/goldassay.css", "/static/top.css", "/static/goldassay.js"):
                found["bytes"] += len(server.get(name).body)
            shown, saved = [], []
            for _ in range(LABELS):
                took, answer = timed(server.get, "/label?rater=anna")
                shown.append(took)
                key = answer.text.split('name="unit" value="')[1].split('"')[0]
                fields = {"rater": "anna", "unit": key, "choice": "0"}
                saved.append(timed(server.post, "/label", fields)[0])
            found["page"], found["label"] = statistics.median(shown), statistics.median(saved)
            server.get("/explore")  # the index is made once
            asked = {
                "watch": "/watch",
                "explore": "/explore?rater=anna",
                "search": "/explore?q=question+99&relation=differ",
                "table": "/explore?rater=anna&view=table&relation=same",
                "mine": "/mine?rater=anna",
            }
            for name, path in asked.items():
                times = [timed(server.get, path)[0] for _ in range(5)]
                found[name] = statistics.median(times)
    return found


def run(items: int = 100_000) -> list[dict[str, Any]]:
    few, many = measured(1_000), measured(items)
    targets = {
        "start": 20.0,
        "page": 0.05,
        "label": 0.02,
        "watch": 1.0,
        "explore": 0.2,
        "search": 0.2,
        "table": 0.2,
        "mine": 0.2,
    }
    words = {
        "start": "start",
        "page": "next item",
        "label": "label saved",
        "watch": "watch page",
        "explore": "explore page",
        "search": "explore, a search",
        "table": "explore, as a table",
        "mine": "list of my labels",
    }
    rows: list[dict[str, Any]] = [
        {
            "work": f"serve, {items:,} items: {words[name]}",
            "goldassay_seconds": many[name],
            "peer": "itself with 1,000 items",
            "peer_seconds": few[name],
            "ratio": few[name] / many[name],
            "target": f"{target:g} s",
            "met": many[name] <= target,
        }
        for name, target in targets.items()
    ]
    size = many["bytes"] / 1000
    rows.append(
        {
            "work": f"serve, {items:,} items: first page with style and script, {size:.0f} KB",
            "goldassay_seconds": many["page"],
            "peer": "itself with 1,000 items",
            "peer_seconds": few["page"],
            "ratio": few["bytes"] / many["bytes"],
            "target": "100 KB",
            "met": size < 100,
        }
    )
    return rows


if __name__ == "__main__":
    for row in run(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000):
        print(
            f"{row['work']}: {row['goldassay_seconds']:.3f} s ({row['peer_seconds']:.3f} with "
            "1,000 "
            f"items), target {row['target']}{'' if row['met'] else ': NOT MET'}"
        )
