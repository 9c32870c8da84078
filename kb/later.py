"""Names of a package that are loaded on first use (PEP 562), as much of kb starts slowly."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def later(package: str, homes: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """A `__getattr__` for `package`.

    Args:
        package: its full name.
        homes: each module below it, with the names that come from there. No such name may be
            that of a module, which would take its place once it is imported.

    Returns:
        A function that loads a name and leaves it in the package. Raises AttributeError for
        any other name.
    """
    of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> Any:
        home = of.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{home}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
