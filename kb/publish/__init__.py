"""kb.db as a public site: a Datasette plugin."""

# The entry point names this package, as Datasette finds templates and static files only beside
# one. Nothing imported here may import `datasette.plugins`: that loads all plugins, this one too,
# which would be half made and keep none of its hooks. (Pluggy looks them up without `__getattr__`.)
from kb.publish.plugin import (
    asgi_wrapper,
    canned_queries,
    extra_css_urls,
    extra_js_urls,
    get_metadata,
    handle_exception,
    menu_links,
    permission_allowed,
    prepare_jinja2_environment,
    register_routes,
    render_cell,
    startup,
)

__all__ = [
    "asgi_wrapper",
    "canned_queries",
    "extra_css_urls",
    "extra_js_urls",
    "get_metadata",
    "handle_exception",
    "menu_links",
    "permission_allowed",
    "prepare_jinja2_environment",
    "register_routes",
    "render_cell",
    "startup",
]
