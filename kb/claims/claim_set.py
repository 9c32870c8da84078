"""All claims of a knowledge base, found by id."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kb.claims.claim import Claim
from kb.claims.formula import formula_inputs
from kb.claims.source import Source
from kb.errors import UsageError


@dataclass(frozen=True, init=False, eq=False)
class ClaimSet:
    """Sources and their claims, in the order of the files.

    Looking up is by dictionary; what depends on what is worked out once.
    """

    sources: tuple[Source, ...]
    claims: tuple[Claim, ...]

    def __init__(self, sources: Iterable[Source]) -> None:
        all_sources = tuple(sources)
        claims = tuple(c for s in all_sources for c in s.claims)
        by_id = {c.id: c for c in claims}
        dependents: dict[str, list[Claim]] = {}
        for claim in claims:
            if claim.formula is not None:
                for needed in formula_inputs(claim.formula):
                    dependents.setdefault(needed, []).append(claim)
        for name, value in (
            ("sources", all_sources),
            ("claims", claims),
            ("_sources", {s.id: s for s in all_sources}),
            ("_claims", by_id),
            ("_dependents", dependents),
        ):
            object.__setattr__(self, name, value)

    def __contains__(self, id: object) -> bool:
        return id in self._claims  # type: ignore[attr-defined]

    def __len__(self) -> int:
        return len(self.claims)

    def claim(self, id: str) -> Claim:
        """The claim with this full id.

        Raises:
            UsageError: there is none; the message names the nearest.
        """
        found: Claim | None = self._claims.get(id)  # type: ignore[attr-defined]
        if found is None:
            raise UsageError(f'no claim has the id "{id}"{_near(id, self._claims)}')  # type: ignore[attr-defined]
        return found

    def source(self, id: str) -> Source:
        """The source with this id.

        Raises:
            UsageError: there is none; the message names the nearest.
        """
        found: Source | None = self._sources.get(id)  # type: ignore[attr-defined]
        if found is None:
            raise UsageError(f'no source has the id "{id}"{_near(id, self._sources)}')  # type: ignore[attr-defined]
        return found

    def dependents(self, id: str) -> tuple[Claim, ...]:
        """The formula claims that name this claim themselves."""
        return tuple(self._dependents.get(id, ()))  # type: ignore[attr-defined]


def _near(id: str, known: Iterable[str]) -> str:
    near = nearest_id(id, known)
    if near:
        return f'; did you mean "{near}"?'
    return "; an id begins with the name of its file in claims/: aws-p5, aws-p5.instance"


def nearest_id(id: str, known: Iterable[str]) -> str | None:
    """The id most like another; among very many, only those that share a part are looked at."""
    import difflib  # start-up time

    ids = [k for k in known if k]
    if len(ids) > 5000:
        file, _, name = id.rpartition(".")
        ids = [k for k in ids if k.startswith(f"{file}.") or k.endswith(f".{name}")][:5000]
    near = difflib.get_close_matches(id, ids, 1, 0.6)
    if near:
        return near[0]
    name = id.rpartition(".")[2]
    alike = [k for k in ids if k.rpartition(".")[2] == name]
    return alike[0] if alike else None
