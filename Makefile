# Two commands matter: `make table` opens a room, `make test` proves. Both set up what they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One more than there are cores: browsers and disks make tests wait.
WORKERS := $(shell echo $$(( $$(nproc) + 1 )))

.PHONY: table terminal test quick lint bench lock chromium clean

table: $(VENV)/.ready ## a room of tables in the browser
	$(BIN)/croupier room

terminal: $(VENV)/.ready ## a table in the terminal
	$(BIN)/croupier play

test: $(VENV)/.ready-test chromium ## every test, slow proofs included
	$(MAKE) --jobs 2 lint kernels
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

quick: $(VENV)/.ready-test chromium ## everything but the slow proofs
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m "not slow"

lint: $(VENV)/.ready-test
	$(BIN)/ruff check src tests hatch_build.py
	$(BIN)/ruff format --check src tests hatch_build.py
	$(BIN)/mypy

bench: $(VENV)/.ready ## measure beside the peers
	$(BIN)/pip install --quiet --editable ".[bench,room]"
	$(BIN)/croupier bench evaluator
	$(BIN)/croupier bench table
	$(BIN)/croupier bench solve
	$(BIN)/croupier bench simulate
	$(BIN)/croupier bench ledger
	$(BIN)/croupier bench room
	$(BIN)/croupier bench room --hostile

# What a server installs, every file with its hash, for all platforms and Python 3.11 or later.
LOCK := requirements/room.lock
lock: $(VENV)/bin/python ## the server's dependencies, resolved anew
	$(BIN)/pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
	  --extra room --extra postgres --extra par --custom-compile-command "make lock" \
	  --output-file $(LOCK) pyproject.toml

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: $(VENV)/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[room,par]"
	touch $@

$(VENV)/.ready-test: $(VENV)/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[test]"
	touch $@ $(VENV)/.ready

# Compiled once, before many processes ask for them at the same time.
.PHONY: kernels
kernels: $(VENV)/.ready-test
	@for game in uth caribbean ride pikit; do \
	  $(BIN)/croupier solve $$game > /dev/null && \
	  $(BIN)/croupier simulate $$game --rounds 1000 > /dev/null || exit 1; done
	@$(BIN)/croupier solve uth --rulebook ma-ultimate-texas-holdem > /dev/null
	@$(BIN)/croupier advise uth --chart > /dev/null

# The pages are tested in Debian's own browser, as it comes without windows: a third less work.
# Where that cannot be had, the one with windows will do, and nobody is asked for a password.
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo $$(command -v chromium >/dev/null && echo --non-interactive))
chromium:
	@command -v chromium-headless-shell >/dev/null || { $(SUDO) apt-get update -q && \
	  $(SUDO) apt-get install -y -q --no-install-recommends chromium-headless-shell; } || \
	  command -v chromium >/dev/null

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
