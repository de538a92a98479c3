"""Texts as people see them, and what a hostile text cannot do."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from payloads import PAYLOADS

from goldassay.errors import InputError
from goldassay.web.content import NO_PICTURES, Pictures, content, turns

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


def test_markdown_is_rendered() -> None:
    found = content("# Head\n\n**bold** and `x < y`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n")
    assert '<p class="md-h md-h1">Head</p>' in found
    assert "<strong>bold</strong> and <code>x &lt; y</code>" in found
    assert "<td>1</td>" in found
    assert "<li>one</li>" in found
    assert "<pre><code>a  b\n" in content("```python\na  b\n```")


@pytest.mark.parametrize(
    ("text", "display"),
    [("so $x^2$ is", "inline"), (r"so \(x^2\) is", "inline"), (r"\[x^2\]", "block"),
     ("$$\nx^2\n$$", "block"), ("$$x^2$$", "block")],
)  # fmt: skip
def test_mathematics_is_mathml(text: str, display: str) -> None:
    found = content(text)
    assert f'<math display="{display}">' in found
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in found


def test_prices_are_no_mathematics_and_broken_formulas_stay_readable() -> None:
    assert "<math" not in content("It costs $5, or $6 with milk.")
    assert '<code class="md-math">\\frac{</code>' in content(r"\(\frac{\)")
    assert "<math" not in content("`$x$` is code")


def test_links_are_words_and_pictures_come_from_the_folder_alone(tmp_path: Path) -> None:
    found = content("[here](http://a.b/c) ![p](http://a.b/p.png) ![d](data:image/png;base64,AA)")
    assert "here (http://a.b/c)" in found
    assert "[picture: p (http://a.b/p.png)]" in found
    assert not re.search(r"<(a|img)\b", found)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "cat.png").write_bytes(PNG)
    (tmp_path / "secret.png").write_bytes(PNG)
    (tmp_path / "in" / "link.png").symlink_to(tmp_path / "secret.png")
    (tmp_path / "in" / "page.svg").write_text("<svg/>")
    (tmp_path / "in" / "false.png").write_text("<svg/>")
    pictures = Pictures.of(str(tmp_path / "in"))
    assert 'src="/image?name=cat.png"' in content("![a cat](cat.png)", pictures)
    assert 'alt="a cat"' in content("![a cat](cat.png)", pictures)
    assert 'src="/image?name=cat.png"' in content("cat.png", pictures)
    assert pictures.read("cat.png") == (PNG, "image/png")
    for name in (
        "../secret.png",
        "link.png",
        "page.svg",
        "false.png",
        "/etc/passwd",
        "",
        "a\0.png",
    ):
        assert pictures.read(name) is None, name
    assert NO_PICTURES.read("cat.png") is None
    with pytest.raises(InputError, match="--images"):
        Pictures.of(str(tmp_path / "none"))


def test_conversations_are_turns() -> None:
    said = [
        {"role": "user", "content": "Hi **you**"},
        {"role": "assistant", "content": [{"type": "text", "text": "Yes"}]},
    ]
    assert [one.role for one in turns(json.dumps(said))] == ["user", "assistant"]
    assert [one.text for one in turns(json.dumps({"messages": said}))] == ["Hi **you**", "Yes"]
    found = content(json.dumps(said))
    assert found.count('class="turn') == 2
    assert "<strong>you</strong>" in found
    for other in ("[1]", "[]", '{"a": 1}', '[{"role": 1}]', "[" * 100_000):
        assert turns(other) == ()


TAG = re.compile(r"<\s*([a-zA-Z][a-zA-Z0-9]*)([^>]*)>")
PLAIN = {"class", "start", "display", "mathvariant", "stretchy", "fence", "form", "separator"}


def test_nothing_of_a_hostile_text_is_markup_of_its_own() -> None:
    for payload in PAYLOADS:
        found = content(payload)
        for tag, attributes in TAG.findall(found):
            assert tag not in ("a", "img", "script", "style", "svg", "iframe"), payload[:80]
            names = re.findall(r"([\w-]+)=", attributes)
            assert set(names) <= PLAIN, (payload[:80], tag, names)


@pytest.mark.parametrize(
    "text",
    ["[" * 20_000, "$a" * 10_000, "\\[\n" * 7_000, "*a " * 7_000, "> " * 10_000, "`a" * 10_000,
     "$" + "{" * 900 + "$", "[a](" * 5_000],
    ids=lambda text: text[:4],
)  # fmt: skip
def test_a_text_made_to_take_long_does_not(text: str) -> None:
    began = time.process_time()
    content(text)
    assert time.process_time() - began < 5
