"""The page: self-contained, in the reader's order, small, and closed to hostile text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
import sample_charts
import sample_documents

from goldassay.rendering.html import content_security_policy, fragment, render_html
from goldassay.rendering.style import script

LAST = (
    "Questions that this data cannot answer",
    "How each number was made",
    "What was declared",
    "What was left out",
    "Reporting checklist",
    "Provenance",
)


class Outline(HTMLParser):
    """Tags, ids, links and headings of a page, and whether every tag closes."""

    VOID = frozenset({"meta", "br", "hr", "img", "input", "link"})

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[str] = []
        self.attributes: set[str] = set()
        self.policies: list[str | None] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        found = dict(attrs)
        if found.get("http-equiv") == "Content-Security-Policy":
            self.policies.append(found.get("content"))
        if found.get("id"):
            self.ids.append(str(found["id"]))
        if found.get("href"):
            self.links.append(str(found["href"]))
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and re.fullmatch(r"h[1-4]", self._open[-1]):
            self.headings.append(data)


def outline(page: str) -> Outline:
    parser = Outline()
    parser.feed(page)
    parser.close()
    assert parser._open == []
    return parser


def test_the_reader_meets_the_first_screen_first_and_the_provenance_last() -> None:
    page = sample_documents.report_page()
    body = page.split("</style>")[1]
    places = ['class="cards"', "You may write", "Do not write"]
    places += [f'<section id="{verb}"' for verb in sample_documents.VERBS]
    places += ['<section id="appendix"', *(f"<summary>{title}</summary>" for title in LAST)]
    order = [body.index(place) for place in places]
    assert order == sorted(order)
    first_screen = re.sub(r'<ul class="about">.*?</ul>', "", body[: order[3]])
    for word in ("kappa", "bootstrap", "interval method", "p-value"):
        assert word not in first_screen


def test_nothing_is_fetched_and_nothing_runs_but_the_pages_own_script() -> None:
    page = sample_documents.report_page()
    seen = outline(page)
    assert seen.tags.count("script") == 1
    assert f"<script>{script()}</script>" in page
    assert len(script().encode()) < 10_000
    assert not re.search(r"fetch|XMLHttpRequest|innerHTML|eval|import\b|https?:", script())
    banned = {"link", "img", "iframe", "object", "embed", "form", "base", "image", "use"}
    assert not banned & set(seen.tags)
    assert not {name for name in seen.attributes if name.startswith("on")}
    assert not {"style", "src", "srcset", "action", "ping", "background"} & seen.attributes
    assert all(link.startswith("#") for link in seen.links)
    policy = content_security_policy(script())
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert policy.count("script-src 'sha256-") == 1
    assert "unsafe" not in policy
    assert seen.policies == [policy]
    assert "url(" not in page.split("</style>")[0]


def test_links_lead_to_how_each_number_was_made() -> None:
    seen = outline(sample_documents.report_page())
    assert len(seen.ids) == len(set(seen.ids))
    for link in seen.links:
        assert link[1:] in seen.ids
    assert "#how-agree-cohen_kappa" in seen.links


def test_every_number_has_formula_assumption_and_command() -> None:
    page = sample_documents.report_page()
    how = page[page.index('id="how-agree-cohen_kappa"') :].split("</details>")[0]
    assert "(p_o − p_e) / (1 − p_e)" in how
    assert "Cohen (1960)" in how
    linked = re.findall(r'href="#(way-\d+)"', how)
    ways = [page[page.index(f'id="{one}"') :].split("</li>")[0] for one in linked]
    assert any("cluster bootstrap (percentile, 2000)" in one for one in ways)
    assert any("random draw" in one for one in ways)
    assert "goldassay agree ratings.csv --task task.toml --seed 1" in how


def test_every_number_of_a_table_has_a_way_that_the_page_tells() -> None:
    page = sample_documents.report_page()
    told = set(re.findall(r'<li id="way-(\d+)"', page))
    assert set(re.findall(r' data-way="(\d+)"', page)) <= told
    sections = page.split("</style>")[1].split('<section id="appendix"')[0]
    for table in re.findall(r"<table.*?</table>", sections, re.DOTALL):
        plain = re.findall(r'<td class="n"[^>]*>(?!<details)[^<]', table)
        assert not plain or " data-way=" in table.split(">")[0], table[:200]


def test_exclusions_undefined_results_and_reasons_are_on_the_page() -> None:
    page = sample_documents.report_page()
    assert "500 ratings were read; 488 used and 12 left out." in page
    assert "by rater: gpt 9, llama 3" in page
    assert "people used one option only" in page
    assert "the table has no column &#x27;system&#x27;" in page


def test_each_picture_has_a_sentence_and_its_numbers() -> None:
    page = sample_documents.report_page()
    for chart in sample_charts.all_kinds():
        assert chart["alt"].replace("'", "&#x27;") in page
    assert page.count("<summary>The numbers behind this picture") == 10


def test_the_page_of_a_single_verb_has_no_verdict() -> None:
    document = sample_documents.report()
    single = {**document, **document["parts"][0], "parts": None, "not_run": [], "claims": None}
    del single["first"]
    page = render_html(single)
    assert 'class="cards"' not in page
    assert "Does the judge agree with people?" in page
    outline(page)


def test_the_page_is_small_and_the_same_each_time() -> None:
    document = sample_documents.report()
    page = render_html(document)
    assert len(page.encode()) < 300_000
    assert page == render_html(document)
    for piece in fragment(document).split("\n")[1:]:
        assert piece in page


def test_a_report_of_many_judges_and_systems_stays_under_three_megabytes() -> None:
    document: dict[str, Any] = sample_documents.report()
    document["parts"][5]["charts"] = [sample_charts.heat_map(48, 63)] * 2 + [
        {**sample_charts.dot_interval(), "rows": sample_charts.dot_interval()["rows"] * 10}
    ] * 4
    document["results"] += [
        sample_documents.row(name, 0.5, "rank", judge=f"judge-{k}", aggregation=how)
        for name in ("kendall_tau", "decisiveness", "bias_delta", "win_rate_mse")
        for k in range(48)
        for how in ("mean", "median", "win_rate", "bradley_terry")
    ]
    assert len(render_html(document).encode()) < 3_000_000


@pytest.mark.parametrize("missing", ["claims", "not_run", "exclusions", "rows", "task", "results"])
def test_a_document_that_lacks_a_part_still_reads(missing: str) -> None:
    document = sample_documents.report()
    del document[missing]
    outline(render_html(document))


def test_every_link_leads_to_a_place_on_the_page() -> None:
    page = sample_documents.report_page()
    links = re.findall(r'href="#([^"]*)"', page)
    assert set(links) <= set(re.findall(r'id="([^"]*)"', page))
    claims = page[page.index('class="claims"') :].split("</section>")[0]
    assert 'href="#estimate">how?' in claims


@pytest.mark.parametrize("gone", [part["verb"] for part in sample_documents.report()["parts"]])
def test_links_lead_somewhere_where_a_question_was_not_answered(gone: str) -> None:
    document = sample_documents.report()
    document["parts"] = [part for part in document["parts"] if part["verb"] != gone]
    page = render_html(document)
    assert set(re.findall(r'href="#([^"]*)"', page)) <= set(re.findall(r'id="([^"]*)"', page))


def test_the_first_screen_has_its_numbers_and_what_may_be_written() -> None:
    page = sample_documents.report_page()
    cards = page[page.index('class="cards"') : page.index('class="claims"')]
    assert "True rate of <code>yes</code>" in cards
    assert '<span class="big">22\u00a0%</span> <span class="interval">[14,\u00a029]</span>' in cards
    assert "<code>gpt</code> says 31\u00a0%" in cards
    assert '<span class="big">2 tied</span>' in cards
    assert "First verdict." not in page  # the cards show its numbers
    assert "Second verdict." in cards
    assert "This may be said of <code>gpt</code>." in page
    assert "1 main number cannot be given and 6 warnings" in page
    assert "3 judges" not in page.split("</h1>")[0]
    assert "2 judges on 500 items, 240 labelled by people" in page.split("</h1>")[0]


def test_a_word_such_as_yes_stands_against_what_the_task_declares_alone() -> None:
    document = sample_documents.report()
    assert "Good enough?" not in render_html(document)
    assert "does not declare what is" in render_html(document)
    found = sample_documents.row("cohen_kappa", 0.71, "agree")
    use = {"metric": "cohen_kappa", "at_least": 0.6, "word": "yes", "found": found}
    document["first"]["use"] = use
    page = render_html(document)
    assert '<span class="big">yes</span>' in page
    assert "wanted: Cohen&#x27;s kappa at least 0.60" in page


def test_a_summary_is_a_row_for_each_judge_with_its_interval_drawn() -> None:
    page = sample_documents.report_page()
    table = page[page.index("data-summary") :].split("</table>")[0]
    assert table.count("<tr") == 11  # a head and ten rows; four more unfold
    assert "<summary>4 more rows</summary>" in page
    assert table.count('class="tied"') == 3
    assert table.count('class="strip"') == 10
    opened = table[table.index('<details class="number">') :].split("</details>")[0]
    assert "90\u00a0%" in opened
    assert "<b>interval:</b> 95\u00a0%, cluster bootstrap" in opened
    assert "goldassay agree ratings.csv --task task.toml --seed 1" in opened


def test_what_is_long_opens_on_demand() -> None:
    page = sample_documents.report_page()
    details = page[page.index('<section id="plan"') :].split("</section>")[0]
    assert "Sentence 11 of many." in details.split('<details class="more">')[1]
    assert "<summary>30 more rows</summary>" in page
    assert "<summary>The whole picture, 40 rows</summary>" in page
    assert "The first 10 are shown here, 30 more below." in page
    figure = page[page.index("A long chart") :].split("<details>")[0]
    assert figure.count("<circle") == 2 * 10  # for screens and for telephones


def test_many_points_are_one_faint_cloud() -> None:
    page = sample_documents.report_page()
    figure = page[page.index("A cloud") :].split("</figure>")[0]
    assert figure.count('class="cloud c0"') == 2
    assert figure.count("<circle") == 0
    assert "400 more rows are in the JSON document." in figure


def test_a_confusion_matrix_and_coverage_are_pictures() -> None:
    page = sample_documents.report_page()
    figure = page[page.index("<figcaption>Confusion matrix: gpt") :].split("</figure>")[0]
    assert "<title>yes, no: 12 (12 %)</title>" in figure
    assert "On the diagonal they agree: 200.5 of 221.5." in figure
    assert "<figcaption>Coverage, abstentions and invalid verdicts" in page
    assert "<code>gpt</code> does on 95\u00a0% of them" in page


def test_a_hostile_source_makes_no_link() -> None:
    document = sample_documents.report()
    document["claims"]["may"][0]["facts"]["verb"] = '"><script>.x'
    claims = render_html(document).split('class="claims"')[1].split("</section>")[0]
    assert "<script" not in claims
    assert "how?" not in claims


@pytest.mark.parametrize("names", [["accuracy"], [f"m{n}" for n in range(10)]])
def test_of_many_results_the_first_are_shown_and_the_others_counted(names: list[str]) -> None:
    """A row for each subject, or for each result where there are many names."""
    several = [
        sample_documents.row(name, 0.4 + n / 1000, "plan", judge=f"j{n}", criterion=f"c{n}")
        for n in range(400)
        for name in names
    ]
    page = render_html({**sample_documents.report(), "results": several})
    table = page[page.index(f"<summary>All {len(several):,} results</summary>") :]
    table = table[: table.index("</details>")]
    assert table.count("<tr") == 1 + 300
    assert f"{len(several) - 300:,} more rows are in the JSON document." in table
