# Each target that needs Python builds its own virtual environment from the lock file.
PYTHON ?= python3
DEV := .venv
DEMO := .venv-demo
REPLAY := .venv-replay
CRATE := .venv-crate
KB_DEMO_ARGS ?=

.PHONY: help demo test lint bench docs lock replay crate clean

help:  ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

demo: $(DEMO)/.ready  ## the main job end to end on a small site of our own, then a page to browse
	@$(DEMO)/bin/kb demo $(KB_DEMO_ARGS)

test: $(DEV)/.ready  ## all tests, on loopback alone
	$(if $(wildcard $(REPLAY)/.ready),KB_REPLAY_TOOLS=$(CURDIR)/$(REPLAY)/bin KB_PYWB=$(CURDIR)/$(REPLAY)/bin/pywb) \
	  $(if $(wildcard $(CRATE)/.ready),KB_CRATE_TOOLS=$(CURDIR)/$(CRATE)/bin) \
	  $(DEV)/bin/python -m pytest

replay: $(REPLAY)/.ready  ## other tools that replay archives, in an environment of their own, for the tests

crate: $(CRATE)/.ready  ## a validator of RO-Crates, likewise

lint: $(DEV)/.ready  ## format, lint, types, layers
	$(DEV)/bin/ruff format --check .
	$(DEV)/bin/ruff check .
	$(DEV)/bin/mypy
	$(DEV)/bin/lint-imports
	$(DEV)/bin/kb lint

bench: $(DEV)/.ready  ## speed as ratios and accuracy, as tables
	$(DEV)/bin/python -m bench

docs: $(DEV)/.ready  ## rewrite what the documentation takes from the code
	$(DEV)/bin/python -m cogapp -r README.md docs/*.md
	$(DEV)/bin/kb lint --schema > docs/claims.schema.json

lock: $(DEV)/.ready  ## resolve the dependencies anew
	$(DEV)/bin/uv pip compile -q pyproject.toml --group dev --all-extras --generate-hashes --universal --no-annotate \
	  --no-header --no-emit-index-url --no-emit-find-links --upgrade -o requirements-dev.lock
	$(DEV)/bin/uv pip compile -q pyproject.toml --group build --generate-hashes --universal --no-annotate \
	  --no-header --no-emit-index-url --no-emit-find-links -c requirements-dev.lock -o requirements.lock

clean:  ## remove what these commands made
	rm -rf $(DEV) $(DEMO) $(REPLAY) $(CRATE) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(DEV)/.ready: requirements-dev.lock pyproject.toml
	$(PYTHON) -m venv $(DEV)
	$(DEV)/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(DEV)/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(DEMO)/.ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(DEMO)
	$(DEMO)/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	$(DEMO)/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(REPLAY)/.ready:
	$(PYTHON) -m venv $(REPLAY)
	$(REPLAY)/bin/python -m pip install -q --disable-pip-version-check pywb wacz "setuptools<81"
	touch $@

$(CRATE)/.ready:
	$(PYTHON) -m venv $(CRATE)
	$(CRATE)/bin/python -m pip install -q --disable-pip-version-check "roc-validator>=0.13"
	touch $@
