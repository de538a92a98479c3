"""The moving picture of `goldassay serve` in docs/images: four items labelled by keys, then the
watch page.

    python scripts/serve_animation.py [FOLDER]

needs the extras `serve` and `pdf`, and Chromium. The screenshots are real, of the example study;
they become an animated PNG, one light and one dark, which plays twice and stops at its last
picture. In a README it moves, and where a reader cannot show that, the first picture stands.
"""

from __future__ import annotations

import shutil
import struct
import sys
import tempfile
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "support"), str(ROOT / "scripts")]

import chromium  # noqa: E402
import numpy as np  # noqa: E402
from serve_screenshots import BAD, STUDY, enter, label  # noqa: E402
from serving import served  # noqa: E402

SIZE = (960, 620)
SIGNATURE = b"\x89PNG\r\n\x1a\n"
PLAYS = 2


def pixels(png: bytes) -> np.ndarray:
    """The picture as [height, width, 3]; Chromium writes 8 bits, red, green, blue."""
    width, height, depth, colour = struct.unpack(">IIBB", png[16:26])
    assert (depth, colour) in ((8, 2), (8, 6))
    each = 3 if colour == 2 else 4
    data, at = b"", len(SIGNATURE)
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + size]
        at += size + 12
    lines = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + width * each)
    found = np.zeros((height, width * each), np.uint8)
    before = np.zeros(width * each, np.uint8)
    for row in range(height):
        found[row] = before = _unfiltered(int(lines[row, 0]), lines[row, 1:], before, each)
    return found.reshape(height, width, each)[:, :, :3]


def _unfiltered(kind: int, line: np.ndarray, above: np.ndarray, each: int) -> np.ndarray:
    """A line without its filter (PNG specification, section 9)."""
    if kind == 0:
        return line
    if kind == 1:
        return np.cumsum(line.reshape(-1, each), axis=0, dtype=np.uint8).reshape(-1)
    if kind == 2:
        return line + above
    out = bytearray(each) + bytearray(line.tobytes())
    up = bytes(each) + above.tobytes()
    for k in range(each, len(out)):
        a, b, c = out[k - each], up[k], up[k - each]
        if kind == 3:
            guess = (a + b) // 2
        else:
            far = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            guess = a if far[0] <= far[1] and far[0] <= far[2] else b if far[1] <= far[2] else c
        out[k] = (out[k] + guess) & 255
    return np.frombuffer(bytes(out[each:]), np.uint8)


def changed(before: np.ndarray, after: np.ndarray) -> tuple[slice, slice]:
    """The rectangle in which two pictures differ."""
    differs = (before != after).any(axis=2)
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return slice(0, 1), slice(0, 1)
    return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)


def palette(frames: list[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
    """At most 256 colours for all pictures, each pixel the nearest: the most frequent ones of a
    grid, which for a page of text on plain ground are nearly all there are."""
    every = np.concatenate([frame.reshape(-1, 3) for frame in frames]).astype(np.int64)
    coarse = (every // 6) @ np.array([1 << 16, 1 << 8, 1])
    _, where, numbers = np.unique(coarse, return_inverse=True, return_counts=True)
    sums = [np.bincount(where, weights=every[:, channel]) for channel in range(3)]
    means = np.stack(sums, axis=1) / numbers[:, None]
    colours = means[np.argsort(-numbers)[:256]]
    nearest = np.array([int(np.argmin(((colours - one) ** 2).sum(axis=1))) for one in means])
    coded = nearest[where].astype(np.uint8)
    sizes = np.cumsum([frame.shape[0] * frame.shape[1] for frame in frames])[:-1]
    parts = np.split(coded, sizes)
    codes = [part.reshape(frame.shape[:2]) for part, frame in zip(parts, frames, strict=True)]
    return np.round(colours).astype(np.uint8), codes


def still(png: bytes) -> bytes:
    """A screenshot with at most 256 colours: a fraction of its size."""
    colours, (codes,) = palette([pixels(png)])
    height, width = codes.shape
    data = zlib.compress(b"".join(b"\0" + line.tobytes() for line in codes), 9)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"PLTE", colours.tobytes()), (b"IDAT", data), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(kind, inside) for kind, inside in chunks)


def animated(frames: list[tuple[bytes, int]]) -> bytes:
    """An animated PNG of screenshots, each with how long it stands in milliseconds.

    After the first, only the rectangle that changed is stored (Animated PNG, of the third edition
    of the PNG specification).
    """
    colours, codes = palette([pixels(png) for png, _ in frames])
    height, width = codes[0].shape
    parts = [
        SIGNATURE,
        _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        _chunk(b"PLTE", colours.tobytes()),
        _chunk(b"acTL", struct.pack(">II", len(frames), PLAYS)),
    ]
    sequence = 0
    before = None
    for code, (_, stands) in zip(codes, frames, strict=True):
        rows, columns = (slice(0, height), slice(0, width))
        if before is not None:
            rows, columns = changed(before[:, :, None], code[:, :, None])
        part = code[rows, columns]
        place = (part.shape[1], part.shape[0], columns.start, rows.start)
        control = struct.pack(">IIIIIHHBB", sequence, *place, stands, 1000, 0, 0)
        parts.append(_chunk(b"fcTL", control))
        data = zlib.compress(b"".join(b"\0" + line.tobytes() for line in part), 9)
        if before is None:
            parts.append(_chunk(b"IDAT", data))
        else:
            sequence += 1
            parts.append(_chunk(b"fdAT", struct.pack(">I", sequence) + data))
        sequence += 1
        before = code
    return b"".join([*parts, _chunk(b"IEND", b"")])


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def screenshots(scheme: str) -> list[tuple[bytes, int]]:
    """Items with the key about to be pressed, and what comes of it."""
    frames: list[tuple[bytes, int]] = []
    with tempfile.TemporaryDirectory() as work:
        for name in ("ratings.csv", "items.jsonl", "task.toml"):
            shutil.copy(STUDY / name, work)
        files = [Path(work) / name for name in ("ratings.csv", "task.toml", "items.jsonl")]
        question = "Does the answer resolve the question?"
        with served(*files, question=question, target=0.4) as server, chromium.browser() as browser:
            size = {"width": SIZE[0], "height": SIZE[1]}
            page = browser.new_context(viewport=size, color_scheme=scheme).new_page()
            enter(page, server.link)
            label(page, server.base, "anna", 14, 0.0)
            for _ in range(4):
                frames.append((page.screenshot(), 1100))
                key = "2" if page.locator("h1 bdi").inner_text() in BAD else "1"
                with page.expect_navigation():
                    page.keyboard.press(key)
            frames.append((page.screenshot(), 1100))
            page.goto(f"{server.base}/watch?rater=anna")
            page.locator("svg").first.evaluate("chart => chart.scrollIntoView({block: 'end'})")
            page.wait_for_timeout(300)
            frames.append((page.screenshot(), 4000))
    return frames


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images"
    for scheme in ("light", "dark"):
        out = folder / f"labelling-{scheme}.png"
        out.write_bytes(animated(screenshots(scheme)))
        print(f"{out}: {out.stat().st_size:,} bytes")
