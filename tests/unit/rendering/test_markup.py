from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.rendering.markup import Markup, block, document, el, joined, text
from goldassay.words import spelled


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.data = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.data += data


anything = st.text(st.characters(), max_size=200)


@given(anything, anything)
def test_no_text_becomes_a_tag_or_leaves_its_attribute(body: str, attribute: str) -> None:
    parser = Tags()
    parser.feed(el("p", {"title": attribute}, body))
    parser.close()
    assert parser.tags == [("p", {"title": spelled(attribute)})]
    assert parser.data == spelled(body)


@given(anything)
def test_what_is_shown_is_ordinary_text(value: str) -> None:
    shown = spelled(value)
    shown.encode("utf-8")  # no lone surrogates are left
    assert not set(shown) & set("\x00\x1b\x7f\x85\u202e\u2066\u200b\u2028\ufeff\U000e0041")


def test_invisible_characters_are_shown_and_joiners_kept() -> None:
    assert spelled("pass\u202ecod") == "pass⟨U+202E⟩cod"
    assert spelled("a\r\nb\tc\rd") == "a\nb\tc⟨U+000D⟩d"
    assert spelled("👩\u200d🔬 ❤\ufe0f") == "👩\u200d🔬 ❤\ufe0f"
    assert spelled("\ud800") == "⟨U+D800⟩"


def test_only_markup_passes_as_it_is() -> None:
    assert el("b", None, Markup("<i>")) == "<b><i></b>"
    assert el("b", None, "<i>", None, ["a", ["b"]], 3) == "<b>&lt;i&gt;ab3</b>"
    assert text(Markup("<i>")) == "<i>"
    assert el("input", {"checked": True, "value": None, "hidden": False, "n": 0}) == (
        '<input checked n="0">'
    )


def test_a_long_text_is_cut_and_the_rest_is_linked() -> None:
    found = block("x" * 50, limit=10, rest="/text/1")
    assert "x" * 10 in found
    assert "x" * 11 not in found
    assert "40 more characters" in found
    assert 'href="/text/1"' in found
    assert "(empty)" in block("", limit=10)


def test_a_style_sheet_stands_as_it_is_and_cannot_end_early() -> None:
    assert el("style", None, "a > b { content: '&' }") == "<style>a > b { content: '&' }</style>"
    with pytest.raises(ValueError, match="no end tag"):
        el("style", None, "a {} </style><script>")


def test_a_shape_without_content_ends_at_once() -> None:
    assert el("line", {"x1": 0}, None) == '<line x1="0"/>'
    assert el("rect", None, el("title", None, "a<b")) == "<rect><title>a&lt;b</title></rect>"


def test_a_page_and_its_parts() -> None:
    assert document(el("p", None, "a")) == '<!doctype html>\n<html lang="en"><p>a</p></html>'
    assert joined("a", None, ["<", [Markup("<br>")]]) == "a&lt;<br>"
