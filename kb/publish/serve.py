"""Serving kb.db: Datasette with this plugin, on one address, until it is told to stop."""

from __future__ import annotations

import asyncio
import json
import socket
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kb.errors import InputError, MachineError, Problem
from kb.publish.allowed import check_allowed
from kb.publish.site import site_of
from kb.store.query import check_file

METADATA = "datasette-metadata.json"


def make_datasette(database: Path, metadata: Path | None = None, settings: Path | None = None) -> Any:
    """The Datasette that serves `database`, as `datasette kb.db -m datasette-metadata.json` makes it.

    `settings` is the kb.toml that says what may be shown; None: the one beside the database.

    Raises:
        StoreError: `database` is missing, or not kb's, or holds more than the settings allow.
        InputError: `metadata` is no JSON.
    """
    from datasette.app import Datasette

    check_file(database)
    check_allowed(database, settings)
    datasette = Datasette([str(database)], metadata=_read(metadata) if metadata else None)
    site_of(datasette).settings = settings
    return datasette


def serve(
    database: Path,
    host: str = "127.0.0.1",
    port: int = 8001,
    metadata: Path | None = None,
    settings: Path | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve `database` until interrupted; with `port` 0 on any free one.

    `ready` is told the address once the socket listens.

    Raises:
        StoreError: `database` is missing, or not kb's, or holds more than the settings allow.
        MachineError: the address is taken or cannot be listened on.
    """
    import uvicorn

    # Datasette starts two questions side by side, and where the first fails never asks the other.
    warnings.filterwarnings("ignore", r"coroutine '(TableView|\w+Facet)\.", RuntimeWarning)
    datasette = make_datasette(database, metadata, settings)
    listening = _listen(host, port)
    asyncio.run(datasette.invoke_startup())
    config = uvicorn.Config(
        datasette.app(), log_level="warning", access_log=False, server_header=False, lifespan="off"
    )
    with listening:
        if ready is not None:
            shown = f"[{host}]" if ":" in host else host
            ready(f"http://{shown}:{listening.getsockname()[1]}/")
        uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise MachineError(
            f"cannot listen on {host}:{port} ({error.strerror or error}); "
            "choose another with --port N (0: any free one)"
        ) from error
    return listening


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        line, column = getattr(error, "lineno", 0), getattr(error, "colno", 0)
        raise InputError([Problem(path.name, line, column, f"is no JSON ({error})", "repair it")]) from error
