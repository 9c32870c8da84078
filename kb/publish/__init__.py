"""kb.db as a public site: a Datasette plugin."""
