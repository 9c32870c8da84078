"""Which claims a command is about: `--only` and `--tag`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from kb.claims import Claim, Source


@dataclass(frozen=True, slots=True)
class Selection:
    """Patterns over ids of claims and sources, and tags; empty selects all."""

    only: Sequence[str] = ()
    tags: Sequence[str] = ()

    def takes(self, source: Source, claim: Claim) -> bool:
        """Whether the claim is selected: by any pattern, and by any tag (its own or its source's)."""
        by_id = not self.only or any(
            fnmatchcase(claim.id or "", p) or fnmatchcase(source.id, p) for p in self.only
        )
        return by_id and (not self.tags or bool({*claim.tags, *source.tags} & {*self.tags}))

    def claim_ids(self, sources: Iterable[Source]) -> set[str]:
        """The ids of all claims selected."""
        return {c.id for s in sources for c in s.claims if c.id and self.takes(s, c)}
