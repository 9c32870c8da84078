"""The drift report as Markdown, for an issue, a wiki or a pull request."""

from __future__ import annotations

import re

from kb.report import words
from kb.report.summary import Summary
from kb.report.text import why_unread
from kb.store import ClaimNow

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&])")
_OPENING = re.compile(r"^(\d{1,9})([.)])(?=\s|$)|^([-+#=])")  # what begins a list or a heading


def render_markdown(summary: Summary) -> str:
    """The whole report; a heading and one line where there is nothing to tell."""
    lines = [f"# Drift report: {_safe(summary.kb)}", "", f"**{_safe(words.headline(summary))}**"]
    lines += _confirmed(summary)
    lines += _doubtful("Suspected", summary.suspected)
    lines += _doubtful("Unclear", summary.unclear)
    lines += _unread(summary)
    lines += _stale(summary)
    lines += _accepted(summary)
    lines += ["", f"{_safe(words.first_up(str(summary.coverage)))}.", ""]
    lines += ["| verdict | claims |", "|---|---|"]
    lines += [f"| {word} | {n} |" for word, n in summary.counts.items()]
    lines += ["", f"Made {words.when(summary.now.isoformat())} UTC."]
    return "\n".join(lines)


def _confirmed(summary: Summary) -> list[str]:
    lines = ["", "## Confirmed changes"] if summary.confirmed else []
    for claim in summary.confirmed:
        event = summary.open[claim.id]
        lines += ["", f"### {_safe(words.statement(claim))}", ""]
        found = words.value_text(event.found) or f"nothing ({event.verdict})"
        lines += _stated_beside_found(claim, words.stated(claim, event.stated), found)
        lines += [f"{_safe(words.first_up(words.reason_sentence(event.reason)))}."]
        newer = words.newer_value(claim, event)
        lines += [f"But {_safe(newer)}."] if newer else []
        lines += _evidence(claim)
        facts = [("Changed", words.changed_between(claim)), ("Told", f"{words.when(event.opened)} UTC")]
        users = summary.dependents.get(claim.id, ())
        facts += [("Used by", ", ".join(f"{u.id} ({words.value_text(u.stated)})" for u in users))]
        lines += ["", *(f"- {label}: {_safe(text)}" for label, text in facts if text)]
        if claim.kind == "formula":
            lines.append(f"- To do: settle its inputs, {_safe(', '.join(claim.inputs))}")
        elif event.found:
            lines.append(
                f"- To do: `kb accept {claim.id} --why TEXT` to state the page's value from now on, "
                "with `--keep` to keep ours knowingly, or cite another source"
            )
        else:
            lines.append(f"- To do: cite another source in `claims/{claim.source}.yaml`")
    return lines


def _doubtful(title: str, claims: list[ClaimNow]) -> list[str]:
    lines = ["", f"## {title}"] if claims else []
    for claim in claims:
        lines += ["", f"### {_safe(words.statement(claim))}", ""]
        lines += _stated_beside_found(claim, words.stated(claim), words.value_text(claim.found) or "nothing")
        detail = f" ({_safe(words.plain(claim.detail))})" if claim.detail else ""
        lines += [f"{_safe(words.first_up(words.reason_sentence(claim.reason)))}{detail}."]
        lines += _evidence(claim)
    return lines


def _stated_beside_found(claim: ClaimNow, stated: str, found: str) -> list[str]:
    title = words.plain(claim.title or claim.source)
    return [
        "| claim | stated | found | source |",
        "|---|---|---|---|",
        f"| `{claim.id}` | {_safe(stated)} | {_safe(found)} | {_safe(title)} |",
        "",
    ]


def _evidence(claim: ClaimNow) -> list[str]:
    pieces = words.passage(claim)
    lines = []
    if pieces:
        quote = "".join(_bold(_safe(t)) if m else _safe(t) for t, m in pieces)
        lines += ["", f"> {quote}"]
    where, link = words.place(claim.evidence), (claim.evidence or {}).get("link") or claim.url
    if where or link:
        lines += ["", _safe(where) + (" " if where and link else "") + (_link(link) if link else "")]
    return lines


def _bold(text: str) -> str:
    inner = text.strip()
    return text.replace(inner, f"**{inner}**", 1) if inner else text


def _link(address: str) -> str:
    """A link, or the bare words where the address is none that a browser should follow."""
    address = words.plain(address)
    if not address.lower().startswith(("https://", "http://")):
        return _safe(address)
    return (
        "[open at the spot](<" + address.replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C") + ">)"
    )


def _unread(summary: Summary) -> list[str]:
    claims = summary.unread
    lines = ["", "## Unread", "", "| source | why | claims |", "|---|---|---|"] if claims else []
    for first, group in words.by_source(claims):
        title = _safe(words.plain(first.title or first.source))
        lines.append(f"| {title} | {_safe(why_unread(first))} | {len(group)} |")
    if summary.unseen:
        lines += ["", "## Stated, not checked here yet", ""]
    for first, group in words.by_source(summary.unseen):
        title = _safe(words.plain(first.title or first.source))
        lines.append(f"- {title}: {words.count(len(group), 'claim')}")
    return lines


def _stale(summary: Summary) -> list[str]:
    claims = summary.stale
    lines = ["", "## Stale", ""] if claims else []
    for first, group in words.by_source(claims):
        title = _safe(words.plain(first.title or first.source))
        lines.append(
            f"- {title}: last read {words.when(first.captured)} UTC, {words.count(len(group), 'claim')}"
        )
    return lines


def _accepted(summary: Summary) -> list[str]:
    lines = ["", "## Accepted", ""] if summary.accepted else []
    for claim in summary.accepted:
        why = f": {_safe(words.plain(claim.accepted['why']))}" if claim.accepted else ""
        lines.append(
            f"- `{claim.id}` {_safe(words.stated(claim))}, the page has "
            f"{_safe(words.value_text(claim.found))}{why}"
        )
    return lines


def _safe(text: str) -> str:
    """`text` so that Markdown shows it as it is: scraped words make no link, table, list or tag."""
    text = _SPECIAL.sub(r"\\\1", text)
    return _OPENING.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", text)
