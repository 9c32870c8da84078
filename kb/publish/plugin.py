"""The hooks by which Datasette shows kb.db; each does nothing where no kb.db is served."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, TypeVar

from datasette import Response, hookimpl
from datasette.utils.asgi import BadRequest
from datasette.views.base import DatasetteError

from kb.publish import pages
from kb.publish.allowed import WithheldError
from kb.publish.canned import CANNED
from kb.publish.cells import cell
from kb.publish.gate import gated
from kb.publish.generations import SwappedDatabase
from kb.publish.inline import without_inline
from kb.publish.reachable import reachable
from kb.publish.refusals import refusal
from kb.publish.site import is_ours, metadata, site_of
from kb.store.schema import APPLICATION_ID, TABLES, VIEWS, marks

# There is no public way to set these from a plugin; a test pins that this one works.
SETTINGS = {
    "default_allow_sql": False,
    "allow_download": False,
    "allow_csv_stream": False,
    "suggest_facets": False,
    "max_returned_rows": 1000,
    "sql_time_limit_ms": 1000,
    "facet_time_limit_ms": 200,
    "facet_suggest_time_limit_ms": 50,
    "truncate_cells_html": 300,
}

_STATIC = "citedrift"

F = TypeVar("F", bound=Callable[..., Any])


def hook(function: F) -> F:
    """Datasette's mark for a hook, with the function's own type."""
    marked: F = hookimpl(function)
    return marked


def wrapping_hook(function: F) -> F:
    """The same, for a hook that stands around the others and may put its answer in place of theirs."""
    marked: F = hookimpl(hookwrapper=True)(function)
    return marked


@hook
def startup(datasette: Any) -> None:
    """Put databases that follow swaps in place of Datasette's own, and set the limits."""
    site = site_of(datasette)
    if not site.serves_kb:
        return
    import datasette.handle_exception as datasette_errors  # loads all plugins: see __init__.py

    # Where rich is installed, Datasette prints each error with all locals, and answers 500 for 404.
    datasette_errors.rich = None
    if site.alone:
        datasette._settings.update(SETTINGS)
        datasette.max_returned_rows = SETTINGS["max_returned_rows"]
        datasette.sql_time_limit_ms = SETTINGS["sql_time_limit_ms"]
    for name, database in list(datasette.databases.items()):
        found = marks(Path(database.path)) if database.path else None
        if found is not None and found[0] == APPLICATION_ID:
            datasette.remove_database(name)
            database.close()
            datasette.add_database(SwappedDatabase(datasette, database.path, site.settings), name=name)


@hook
def asgi_wrapper(datasette: Any) -> Any:
    """Let in what is read-only and public, and send the headers."""
    return lambda app: gated(datasette, app)


@hook
def prepare_jinja2_environment(env: Any, datasette: Any) -> None:
    """Tell the templates whether the site is kb's, and give them their filters."""
    env.globals["kb_site"] = site_of(datasette).alone
    env.filters |= {"without_inline": without_inline, "reachable": reachable}
    pages.prepare(env, datasette)


@hook
def register_routes(datasette: Any) -> list[tuple[str, Any]]:
    """The pages that are not Datasette's own."""
    site = site_of(datasette)
    if not site.serves_kb:
        return []
    return pages.ROUTES + (pages.ROUTES_ALONE if site.alone else [])


@hook
def permission_allowed(datasette: Any, action: str, resource: Any) -> bool | None:
    """Deny arbitrary SQL, downloads, and what is no data."""
    if action in ("execute-sql", "view-database-download") and is_ours(datasette, _name(resource)):
        return False
    if action == "view-table" and is_ours(datasette, _name(resource)):
        table = str(resource[1]).lower()
        return None if table in (*TABLES, *VIEWS) else False
    return None


def _name(resource: Any) -> str | None:
    return resource if isinstance(resource, str) or resource is None else str(resource[0])


@hook
def get_metadata(datasette: Any) -> dict[str, Any]:
    """Titles, facets and the description of each table and column."""
    return metadata(datasette) if site_of(datasette).serves_kb else {}


@hook
def canned_queries(datasette: Any, database: str) -> dict[str, Any]:
    """The questions that people ask most."""
    return CANNED if is_ours(datasette, database) else {}


@hook
def render_cell(value: Any, column: str, table: str | None, database: str, datasette: Any) -> Any:
    """Link ids to their pages and addresses to the web."""
    return cell(datasette, table, column, value) if is_ours(datasette, database) else None


@hook
def extra_css_urls(datasette: Any, database: str | None) -> list[str]:
    """Our colours on Datasette's tables."""
    if site_of(datasette).alone or is_ours(datasette, database):
        return [datasette.urls.static_plugins(_STATIC, "data.css")]
    return []


@hook
def extra_js_urls(datasette: Any, view_name: str) -> list[str | dict[str, Any]]:
    """Datasette's own script for tables, which the policy admits as a file only."""
    if site_of(datasette).alone and view_name == "table":
        # As a module it waits for the page, which it asks for its body at once.
        table = {"url": datasette.urls.static("table.js"), "module": True}
        return [datasette.urls.static_plugins(_STATIC, "facet.js"), table]
    return []


@hook
def menu_links(datasette: Any) -> list[dict[str, str]]:
    """The way back from the tables to the pages."""
    if not site_of(datasette).alone:
        return []
    return [{"href": datasette.urls.path(path), "label": label} for path, label in pages.MENU]


@wrapping_hook
def handle_exception(datasette: Any, request: Any, exception: Exception) -> Generator[None, Any, None]:
    """Answer what a visitor's address caused with 400, and a missing file with 503.

    It stands around Datasette's own hook, which would print a traceback for each.
    """
    found = yield
    answer = _answer(datasette, exception)
    if answer is not None:
        media_type, body = refusal(datasette, request.headers.get("accept") or "", *answer)
        found.force_result([Response(body, status=answer[0], content_type=media_type)])


def _answer(datasette: Any, exception: Exception) -> tuple[int, str] | None:
    """The status and words for an error that is not the program's; None where it is."""
    if isinstance(exception, WithheldError):
        return 503, "Less of the pages is public now; the site is back after the next build."
    here = _made_here(exception)
    if not (site_of(datasette).alone or here):
        return None
    if isinstance(exception, sqlite3.OperationalError) and "unable to open" in str(exception):
        return 503, "The database is being replaced; try again in a moment."
    if isinstance(exception, sqlite3.OperationalError) and str(exception) == "interrupted":
        return 400, "That takes too long to answer; ask for less."
    if isinstance(exception, OSError) and exception.errno == errno.ENAMETOOLONG:
        return 404, "There is no page at this address."
    if here or _is_damage(exception):
        return None  # a fault of a page of ours or of the file is no visitor's: it must be seen
    ours = isinstance(exception, DatasetteError) and exception.status >= 500
    if ours or isinstance(exception, ValueError | KeyError | sqlite3.Error) or type(exception) is BadRequest:
        return 400, "The address asks for something that does not exist."
    return None


def _is_damage(exception: Exception) -> bool:
    """Whether the file, and not the question, is at fault."""
    code: int = getattr(exception, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR)


def _made_here(exception: BaseException) -> bool:
    """Whether the code of one of our own pages raised it."""
    trace = exception.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__") == "kb.publish.pages":
            return True
        trace = trace.tb_next
    return False
