"""How notebooks show what Boxstep returns: HTML without scripts or files of its own, which every notebook shows."""
from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Iterable, Sequence

if TYPE_CHECKING:
    from .run import Run
    from .tools import Finding

__all__ = ["of_conversation", "of_drawing", "of_findings", "of_run", "of_text"]

_CELL = "text-align:left;vertical-align:top;padding:2px 12px 2px 0"
_NOTE = "color:#777"
# More would make a page heavy; the trace has everything.
_MOST = 200


def of_text(text: str) -> str:
    return "<pre>%s</pre>" % escape(text)


def of_drawing(svg: str) -> str:
    return "<div style='max-width:100%%;overflow:auto'>%s</div>" % svg


def _table(head: "Sequence[str]", rows: "Iterable[Sequence[str]]") -> str:
    def cells(kind: str, texts: "Sequence[str]") -> str:
        return "<tr>%s</tr>" % "".join("<%s style='%s'>%s</%s>" % (kind, _CELL, escape(text), kind) for text in texts)
    return "<table>%s%s</table>" % (cells("th", head), "".join(cells("td", row) for row in rows))


def of_findings(findings: "Sequence[Finding]") -> str:
    if not findings:
        return of_text("nothing found")
    rows = [(found.severity, found.code, "%s:%d" % (found.file, found.line) if found.line else found.file, found.box,
             found.message) for found in findings]
    return _table(("", "code", "file", "box", "finding"), rows)


def of_conversation(lines: "Sequence[tuple[str, str]]") -> str:
    bubbles = []
    for who, text in lines:
        side, color = ("right", "#d9ecff") if who == "person" else ("left", "#ececec")
        bubbles.append(
            "<div style='text-align:%s;margin:4px'><span style='display:inline-block;max-width:75%%;padding:4px 10px;"
            "border-radius:10px;background:%s;color:#000'>%s</span></div>" % (side, color, escape(text)))
    return "<div style='max-width:40em'>%s</div>" % "".join(bubbles)


def of_run(run: "Run") -> str:
    """The diagram, and the account: what the robot did, what scripts printed, and what went wrong, with times."""
    told = [row for row in map(_row, run.events()) if row is not None]
    left = len(told) - _MOST
    state = "over: %s" % run.footer["reason"] if run.footer else "%.3f s" % run.time
    more = "<p style='%s'>and %d more events</p>" % (_NOTE, left) if left > 0 else ""
    return "<div><p style='%s'>%s, %s</p>%s%s%s</div>" % (
        _NOTE, escape(repr(run)[1:-1]), escape(state), _diagram(run), _table(("seconds", "box", ""), told[:_MOST]), more)


def _diagram(run: "Run") -> str:
    from .base import Error
    from .tools import show
    file = run.file
    if file is None:
        return ""
    try:
        return of_drawing(show(file, run.header.get("options", {}).get("behavior")).svg)
    except Error:
        return ""


def _row(event: "dict[str, Any]") -> "tuple[str, str, str] | None":
    """Returns time, box and words for an event that a person would want to see."""
    kind, words = event["kind"], None
    if kind == "act":
        words = "says “%s”" % event["text"] if event["act"] == "say" else "%s: %s" % (event["act"], event.get("text") or "")
    elif kind in ("print", "log", "warning"):
        words = event["text"].rstrip("\n")
    elif kind == "raised":
        words = "%(kind)s: %(message)s" % event["error"]
    elif kind == "event":
        words = "event %s %r" % (event["key"], event["value"])
    elif kind == "control":
        words = "from outside: %s" % event["what"]
    elif kind == "box" and event["phase"] == "starting":
        words = "starts"
    if words is None:
        return None
    return "%.3f" % (event["t"] / 1e9), event.get("path", ""), words
