"""One verdict judged again from the archive, offline."""

from __future__ import annotations

from kb.app.base import KnowledgeBase
from kb.engine import Unit, judge_unit
from kb.errors import ArchiveError, UsageError
from kb.judging import Verdict


def replay(kb: KnowledgeBase, digest: str, id: str) -> Verdict:
    """Judge claim `id` on the first capture of its source with this digest, as a build does.

    All earlier captures are judged too, as they decide from where a change is measured.

    Args:
        kb: the knowledge base.
        digest: `sha256:…`, or the first characters of its hexadecimal part.
        id: a claim that is no formula.

    Raises:
        UsageError: no such claim, or no capture of its source has such a digest.
        ArchiveError: the archive cannot give the body.
    """
    claim = kb.claims.claim(id)
    source = kb.claims.source(claim.source_id or "")
    if claim.kind == "formula" or source.url is None:
        raise UsageError(f"{id} is judged on no capture; replay one of the claims that it rests on")
    wanted = digest.removeprefix("sha256:").lower()
    captures = kb.archive.captures(source.url)
    hits = [
        n for n, c in enumerate(captures) if wanted and c.digest.removeprefix("sha256:").startswith(wanted)
    ]
    at = hits[0] if hits else None
    if at is None:
        known = ", ".join(sorted({c.digest[:19] for c in captures if c.digest}))
        if not known:
            raise UsageError(f"{source.url} has no capture with a body yet; kb check makes one")
        raise UsageError(f"no capture of {source.url} has the digest {digest}; name one of: {known}")
    judged = judge_unit(Unit(source.url, (claim,), tuple(captures[: at + 1])), kb.archive.read)
    for one in judged:
        if one.capture == captures[at]:
            return one.verdicts[0]
    raise ArchiveError(f"the body of {captures[at].digest} cannot be read; see kb snapshots verify")
