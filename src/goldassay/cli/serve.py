"""`goldassay serve`: label and explore in a browser."""

from __future__ import annotations

import shlex
from contextlib import ExitStack
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any

import typer

from goldassay.cli.common import ExcludeOption, OnlyOption, SeedOption, TaskOption
from goldassay.errors import MissingExtraError, SourceError, UsageError, shown
from goldassay.questions.asking import SEED, task_or_guess
from goldassay.ratings.narrowing import narrowing_of
from goldassay.sources.opening import ordinary, read_bytes
from goldassay.words import bare, visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldassay.ratings.table import Ratings
    from goldassay.web.live import Reporter
    from goldassay.web.study import Study

__all__ = ["command"]


def command(
    ratings: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RATINGS...]",
            help="Tables of ratings, a folder of them, or the store of `goldassay run`.",
        ),
    ] = None,
    task: TaskOption = None,
    only: OnlyOption = None,
    exclude: ExcludeOption = None,
    items: Annotated[
        str | None, typer.Option("--items", metavar="FILE", help="The items' texts.")
    ] = None,
    images: Annotated[
        str | None,
        typer.Option("--images", metavar="FOLDER", help="The one folder pictures come from."),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option("--labels", metavar="DB", help="Where labels are kept [RATINGS.labels.db]."),
    ] = None,
    sides: Annotated[
        str | None,
        typer.Option(
            "--sides",
            metavar="FIRST,SECOND",
            help="The items' fields with the two answers of a pair, the first system's first.",
        ),
    ] = None,
    rater: Annotated[
        list[str] | None,
        typer.Option("--rater", metavar="NAME", help="Who may label; again for several."),
    ] = None,
    order: Annotated[
        str,
        typer.Option(
            "--order", metavar="ORDER", help="plan, random, given, or a file with a list."
        ),
    ] = "",
    per_item: Annotated[
        int, typer.Option("--per-item", min=0, help="People per unit; 0: everybody labels all.")
    ] = 0,
    elicitation: Annotated[
        str, typer.Option("--elicitation", help="forced_choice or response_set [as the task says].")
    ] = "",
    question: Annotated[str, typer.Option("--question", help="What people are asked.")] = "",
    guide: Annotated[
        str | None, typer.Option("--guide", metavar="FILE", help="A text beside the question.")
    ] = None,
    batch: Annotated[
        int, typer.Option("--batch", min=0, help="Labels before verdicts are shown; 0: all.")
    ] = 50,
    never_show: Annotated[
        bool, typer.Option("--never-show-verdicts", help="Keep judges' verdicts hidden for good.")
    ] = False,
    judge: Annotated[
        str, typer.Option("--judge", metavar="NAME", help="The judge to plan for and watch.")
    ] = "",
    target: Annotated[
        float | None,
        typer.Option("--target", min=0.001, max=1.0, help="Length of the interval wanted, as 0.1."),
    ] = None,
    anytime: Annotated[
        bool, typer.Option("--anytime", help="A band under which one may stop at any moment.")
    ] = False,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port; 0 takes a free one.")
    ] = 0,
    expose: Annotated[
        bool, typer.Option("--expose", help="Allow a --host that others can reach.")
    ] = False,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="A name under which an exposed server is reached."),
    ] = None,
    token_file: Annotated[
        str | None,
        typer.Option("--token-file", metavar="FILE", help="Keep the token, and the link, here."),
    ] = None,
    browse: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in the browser.")
    ] = False,
    seed: SeedOption = SEED,
) -> None:
    """Label and explore in a browser, on this machine, behind a random token.

    Labels are saved as they are given, in a SQLite store that every verb reads as ratings.

    Examples:

        goldassay serve ratings.db --task task.toml --items items.jsonl

        goldassay serve --items items.jsonl --task task.toml --rater anna --rater ben --per-item 2

        goldassay serve run.db people.csv --task task.toml --items items.jsonl --images pictures
    """
    for package in ("starlette", "uvicorn", "markdown_it", "nh3", "latex2mathml"):
        if find_spec(package) is None:
            raise MissingExtraError(package, "serve")
    from goldassay.web.content import Pictures
    from goldassay.web.desk import Settings
    from goldassay.web.server import Address, handed_over, link, listen, new_token, serve
    from goldassay.web.sides import two_fields
    from goldassay.web.study import Study, open_site

    if elicitation not in ("", "forced_choice", "response_set"):
        raise UsageError(
            "--elicitation", "is forced_choice or response_set", found=shown(elicitation)
        )
    if items is not None:
        ordinary(items, "items", next_step="Give --items FILE.jsonl")
    given = tuple(ratings or ())
    narrowing = narrowing_of(only or (), exclude or ())
    declared, assumed = task_or_guess(task, list(given), narrowing)
    study = Study(
        ratings=given,
        items=items,
        labels=labels,
        order=order,
        judge=judge,
        seed=seed,
        narrowing=narrowing,
    )
    settings = Settings(
        elicitation=elicitation,
        question=question,
        guide=_read(guide),
        never_show=never_show,
        per_item=per_item,
        raters=tuple(rater or ()),
        target=target,
        anytime=anytime,
        batch=batch,
        pictures=Pictures.of(images),
        sides=two_fields(sides),
        command=shlex.join((*_read_by(study), *(("--task", task) if task else ()))),
    )
    address = Address(host=host, port=port, expose=expose, names=tuple(name or ()))
    address.check()
    site = open_site(study, declared, settings, reporter=_reporter(study, task, seed))
    desk = site.desk
    sock = listen(address)
    token = new_token(token_file)
    where = link(address, sock.getsockname()[1], token)
    for guess in assumed:
        print(f"assumed: {visible(bare(guess), 400)}")
    print(f"Units:  {len(desk.order):,} to label, {len(desk.labels()):,} labels so far")
    print(f"Labels: {study.store}")
    print(f"Open:   {where}", flush=True)
    if expose:
        print("Exposed: whoever has this link can read every text and label; not encrypted.")
    print("Stop with Ctrl-C. Every label is saved as it is given.", flush=True)
    with ExitStack() as stack:
        if browse:
            import webbrowser

            webbrowser.open(stack.enter_context(handed_over(where)))
        serve(site, address, sock, token=token)
    print(f"\nStopped. {len(desk.labels()):,} labels in {study.store}")


def _reporter(study: Study, task: str | None, seed: int) -> Reporter:
    """What makes the document of `goldassay report`; its commands read the labels too."""
    from goldassay.questions.report.ask import Named, report_of
    from goldassay.questions.report.stages import stages

    names = Named(_read_by(study), task or "")

    def report(table: Ratings, tell: Callable[[str], None]) -> dict[str, Any]:
        with stages(tell):
            return report_of(table, names, seed=seed).document()

    return report


def _read_by(study: Study) -> tuple[str, ...]:
    """The files that a command reads to see what the pages show: tables, and the labels."""
    store = str(study.store)
    return (*study.sources, *(() if store in study.sources else (store,)))


def _read(path: str | None) -> str:
    if path is None:
        return ""
    try:
        return read_bytes(path, "guide").decode("utf-8-sig")[:100_000]
    except UnicodeDecodeError:
        raise SourceError(path, "the guide cannot be read (it is not UTF-8)") from None
