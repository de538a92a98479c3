"""The application: addresses, and what each of them does.

Handlers are plain functions on a thread of their own; a form is read from a body that the guard
has bounded already. An error that a person can mend is told on the page; any other is logged and
answered with a sentence, never with a trace.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from urllib.parse import parse_qs, parse_qsl

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from goldassay.errors import InputError, UsageError
from goldassay.rendering.markup import Markup
from goldassay.rendering.style import style
from goldassay.web.answers import read_answer
from goldassay.web.cases import Unit
from goldassay.web.compare import RELATIONS, Filters
from goldassay.web.exports import FORMATS, exported
from goldassay.web.guard import Door, Guard
from goldassay.web.pages.explore import Look, case_page, explore_page, hidden_page
from goldassay.web.pages.label import batch_page, done_page, label_page
from goldassay.web.pages.layout import address, message_page
from goldassay.web.pages.mine import mine_page
from goldassay.web.pages.report import report_page
from goldassay.web.pages.resolve import dispute_page, resolve_page
from goldassay.web.pages.start import start_page
from goldassay.web.pages.watch import watch_page
from goldassay.web.resolutions import disputes
from goldassay.web.site import Site

__all__ = ["make_app"]

LOG = logging.getLogger("goldassay.web")
STATIC = {
    "goldassay.css": "text/css",
    "top.css": "text/css",
    "report.css": "text/css",
    "goldassay.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
#: A whole text or an export is data, whatever it says.
DATA_POLICY = "default-src 'none'; sandbox"

Handler = Callable[[Site, Request], Response]
Change = Callable[[Site, Request, dict[str, list[str]]], Response]
#: Threads on which labels are saved. They may wait for a store that is locked; pages do not.
SAVES = 8


def make_app(site: Site, door: Door) -> ASGIApp:
    """The guarded application."""

    def route(path: str, handler: Handler) -> Route:
        async def endpoint(request: Request) -> Response:
            return await run_in_threadpool(handler, site, request)

        return Route(path, endpoint, methods=["GET"])

    saving = _Threads(SAVES)

    def change(path: str, handler: Change) -> Route:
        async def endpoint(request: Request) -> Response:
            body = (await request.body()).decode("utf-8", "replace")
            try:
                fields = parse_qs(body, keep_blank_values=True, max_num_fields=500)
            except ValueError:
                raise HTTPException(400) from None
            return await saving.run(partial(handler, site, request, fields))

        return Route(path, endpoint, methods=["POST"])

    routes = [
        route("/", _start),
        route("/label", _label),
        change("/label", _save),
        change("/undo", _undo),
        change("/flag", _flag),
        route("/mine", _mine),
        route("/resolve", _disputes),
        route("/resolve/{key}", _dispute),
        change("/resolve", _resolve),
        route("/image", _image),
        route("/watch", _watch),
        route("/version", _version),
        route("/explore", _explore),
        route("/explore/{key}", _case),
        route("/report", _report),
        route("/text/{key}", _text),
        route("/export/{name}", _export),
        route("/static/{name}", _static),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={HTTPException: _not_here, InputError: _wrong_input, Exception: _broken},
    )
    return Guard(app, door)


class _Threads:
    """A few threads apart from those of the pages."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._limiter: CapacityLimiter | None = None

    async def run(self, function: Callable[[], Response]) -> Response:
        self._limiter = self._limiter or CapacityLimiter(self._number)
        return await to_thread.run_sync(function, limiter=self._limiter)


def _not_here(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return _page(message_page("Not here", "There is no such page."), status)


def _wrong_input(request: Request, error: Exception) -> Response:
    if _wants_json(request):
        return PlainTextResponse(str(error), 422)
    return _page(message_page("That did not work", str(error)), 422)


def _broken(request: Request, error: Exception) -> Response:
    LOG.error("error on %s", request.url.path, exc_info=error)
    said = "Something went wrong here; the terminal of `goldassay serve` says what."
    if _wants_json(request):
        return PlainTextResponse(said, 500)
    return _page(message_page("An error", said, "What was saved before is kept."), 500)


def _page(markup: Markup, status: int = 200) -> Response:
    # Lone surrogates were made visible; nothing is left that UTF-8 cannot hold.
    return HTMLResponse(markup.encode("utf-8"), status)


def _wants_json(request: Request) -> bool:
    return request.headers.get("accept", "") == "application/json"


def _query(request: Request) -> dict[str, str]:
    try:
        return dict(parse_qsl(request.url.query, max_num_fields=20))
    except ValueError:
        raise HTTPException(400) from None


def _unit(site: Site, key: str | None) -> Unit:
    unit = site.desk.unit(key)
    if unit is None:
        raise HTTPException(404)
    return unit


def _start(site: Site, request: Request) -> Response:
    site.desk.refresh()
    return _page(start_page(site.desk))


def _label(site: Site, request: Request) -> Response:
    desk, query = site.desk, _query(request)
    if not query.get("rater"):
        return RedirectResponse("/", 303)
    try:
        rater = desk.check_rater(query["rater"])
    except InputError as error:
        return _page(start_page(desk, problem=str(error)), 422)
    before = desk.unit(query.get("done"))
    if query.get("unit"):
        unit: Unit | None = _unit(site, query["unit"])
        desk.refresh()
    else:
        unit = desk.next_for(rater, after=query.get("after"))
    if unit is None:
        return _page(done_page(desk, rater=rater, before=before))
    if before is not None and not query.get("unit"):
        batch = desk.batch_done(rater, desk.sheet(before))
        if batch is not None:
            return _page(batch_page(desk, batch, rater=rater, before=before))
    desk.open_unit(rater, unit)
    return _page(label_page(desk, unit, rater=rater, before=before))


def _save(site: Site, request: Request, fields: dict[str, list[str]]) -> Response:
    desk = site.desk
    rater = desk.check_rater(fields.get("rater", [""])[0])
    keys = list(dict.fromkeys(fields.get("unit", [""])))
    units = [_unit(site, key) for key in keys]
    try:
        answers = [
            (unit, read_answer(desk.task, desk.elicitation, fields, place=at, about=_about(unit)))
            for at, unit in enumerate(units)
        ]
    except InputError as error:
        if _wants_json(request):
            raise
        return _page(label_page(desk, units[0], rater=rater, problem=str(error)), 422)
    desk.check_page(rater, units, fields.get("shown", [""])[0])
    desk.commit_all(rater, answers)
    return _go(request, address("/label", rater=rater, done=units[0].key))


def _about(unit: Unit) -> str:
    return f"`{unit.criterion[:80]}`" if unit.criterion else "a label"


def _undo(site: Site, request: Request, fields: dict[str, list[str]]) -> Response:
    rater = site.desk.check_rater(fields.get("rater", [""])[0])
    unit = site.desk.undo(rater)
    return _go(request, address("/label", rater=rater, unit=unit.key if unit else None))


def _flag(site: Site, request: Request, fields: dict[str, list[str]]) -> Response:
    rater = site.desk.check_rater(fields.get("rater", [""])[0])
    unit = _unit(site, fields.get("unit", [""])[0])
    site.desk.flag(rater, unit, fields.get("raised", ["1"])[0] != "0")
    return _go(request, address("/label", rater=rater, unit=unit.key))


def _mine(site: Site, request: Request) -> Response:
    query, rater = _query(request), _reader(site, request)
    if not rater:
        return RedirectResponse("/", 303)
    site.desk.refresh()
    flagged = query.get("show") == "flagged"
    search = query.get("q", "")[:200]
    return _page(
        mine_page(site.desk, rater, search=search, flagged=flagged, number=_page_number(query))
    )


def _disputes(site: Site, request: Request) -> Response:
    site.desk.refresh()
    rater, query = _reader(site, request), _query(request)
    done = query.get("show") == "resolved"
    return _page(resolve_page(site.desk, rater=rater, resolved=done, number=_page_number(query)))


def _dispute(site: Site, request: Request) -> Response:
    unit, rater = _unit(site, request.path_params["key"]), _reader(site, request)
    site.desk.refresh()
    if not rater:
        return RedirectResponse("/", 303)
    if site.desk.is_open_to(rater, unit):  # independent first
        raise HTTPException(403)
    return _page(dispute_page(site.desk, unit, rater=rater))


def _resolve(site: Site, request: Request, fields: dict[str, list[str]]) -> Response:
    desk = site.desk
    rater = desk.check_rater(fields.get("rater", [""])[0])
    unit = _unit(site, fields.get("unit", [""])[0])
    if desk.is_open_to(rater, unit):
        raise HTTPException(403)
    try:
        answer = read_answer(desk.task, desk.elicitation, fields)
        if not answer.comment:
            raise UsageError("a resolution", "says why", next_step="Write it, then choose")
    except InputError as error:
        if _wants_json(request):
            raise
        return _page(dispute_page(desk, unit, rater=rater, problem=str(error)), 422)
    desk.check_page(rater, [unit], fields.get("shown", [""])[0])
    desk.resolve(rater, unit, answer)
    left = next((u for u, _ in disputes(desk, rater) if desk.resolution(u.key) is None), None)
    where = f"/resolve/{left.key}" if left else "/resolve"
    return _go(request, address(where, rater=rater))


def _image(site: Site, request: Request) -> Response:
    found = site.desk.pictures.read(_query(request).get("name", ""))
    if found is None:
        raise HTTPException(404)
    return _data(*found)


def _go(request: Request, where: str) -> Response:
    """Where the page goes next; the script is told, a plain form is sent there."""
    if _wants_json(request):
        return Response(json.dumps({"next": where}), media_type="application/json")
    return RedirectResponse(where, 303)


def _version(site: Site, request: Request) -> Response:
    site.desk.refresh()
    return Response(json.dumps({"version": site.desk.version()}), media_type="application/json")


def _watch(site: Site, request: Request) -> Response:
    site.desk.refresh()
    return _page(
        watch_page(
            site.desk,
            rater=_reader(site, request),
            judge=_chosen(site.desk.cases.judges, _query(request).get("judge")),
        )
    )


def _reader(site: Site, request: Request) -> str:
    """The rater who reads this page, or nobody."""
    name = _query(request).get("rater", "")
    return site.desk.check_rater(name) if name else ""


def _explore(site: Site, request: Request) -> Response:
    desk, query = site.desk, _query(request)
    if desk.settings.never_show:
        return _page(hidden_page(), 403)
    desk.refresh()
    filters = Filters(
        judge=_chosen(desk.cases.judges, query.get("judge")),
        system=_chosen(desk.cases.systems, query.get("system")),
        criterion=_chosen(desk.cases.criteria, query.get("criterion")),
        relation=query.get("relation", "") if query.get("relation") in RELATIONS else "",
        search=query.get("q", "")[:200],
    )
    known = {name: value for name, value in query.items() if name in Look.QUERY}
    look = Look(
        rater=_reader(site, request),
        number=_page_number(query),
        table=query.get("view") == "table",
        query=known,
    )
    return _page(explore_page(desk, site.index, filters, look))


def _page_number(query: dict[str, str]) -> int:
    number = query.get("page", "1")
    return int(number[:6]) if number.isascii() and number.isdigit() else 1


def _chosen(values: tuple[str, ...], index: str | None) -> str:
    known = (
        index is not None and index.isascii() and index.isdigit() and int(index[:6]) < len(values)
    )
    return values[int(index[:6])] if known and index else ""


def _case(site: Site, request: Request) -> Response:
    unit, rater = _visible_unit(site, request)
    return _page(case_page(site.desk, unit, rater=rater))


def _visible_unit(site: Site, request: Request) -> tuple[Unit, str]:
    """A unit whose verdicts this reader may see."""
    unit, rater = _unit(site, request.path_params["key"]), _reader(site, request)
    site.desk.refresh()
    if unit.key not in site.desk.seen_by(rater):
        raise HTTPException(403)
    return unit, rater


def _text(site: Site, request: Request) -> Response:
    """A whole text, or a judge's whole answer, as plain text."""
    query = _query(request)
    if "verdict" in query:
        unit, _ = _visible_unit(site, request)
        verdicts = site.desk.verdicts_with_answers(unit)
        texts = {str(index): one.raw for index, one in enumerate(verdicts)}
        found = texts.get(query["verdict"])
    else:
        unit = _unit(site, request.path_params["key"])
        texts = {str(index): words for index, words in enumerate(site.desk.texts(unit).values())}
        found = texts.get(query.get("field", ""))
    if found is None:
        raise HTTPException(404)
    return _data(found.encode("utf-8", "replace"), "text/plain; charset=utf-8")


def _export(site: Site, request: Request) -> Response:
    name = request.path_params["name"]
    if name not in FORMATS:
        raise HTTPException(404)
    desk = site.desk
    text = exported(name, desk.label_rows(), desk.all_texts, desk.task)
    return _data(text.encode("utf-8", "replace"), FORMATS[name], name=name)


def _data(body: bytes, kind: str, *, name: str | None = None) -> Response:
    headers = {"content-security-policy": DATA_POLICY}
    if name:
        headers["content-disposition"] = f'attachment; filename="{name}"'
    return Response(body, media_type=kind, headers=headers)


def _report(site: Site, request: Request) -> Response:
    rater = _reader(site, request)
    site.desk.refresh()
    made = site.live.report(site.desk)
    return _page(
        report_page(made, version=site.desk.version(), making=site.live.making(), rater=rater)
    )


def _static(site: Site, request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC:
        raise HTTPException(404)
    if name == "report.css":
        body = style().encode()
    else:
        body = files("goldassay.web").joinpath("static", name).read_bytes()
    return Response(body, media_type=STATIC[name], headers={"cache-control": "max-age=60"})
