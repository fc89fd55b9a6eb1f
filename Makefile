# Two commands matter: `make demo` and `make test`. Both set up all they need in .venv.
SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
PROPERTIES := tests/verifier/test_verifier_contract.py tests/verifier/test_verifier_formula.py \
	tests/verifier/test_verifier_submissions.py tests/pipeline/test_numbers.py tests/pipeline/test_curves.py tests/traces/test_traces_sse.py

.PHONY: demo test check soak mutation bench lock schemas clean

demo: $(VENV)/.demo
	@if docker version >/dev/null 2>&1; then bash docker/build-base.sh || true; fi
	@$(BIN)/reproducegym demo --out runs

# Command-line agents that tests run; where their registry is out of reach those tests skip and name what is missing.
AGENTS ?= codex
CONSUMERS ?= harbor verifiers inspect trl

test: $(VENV)/.dev
	@$(BIN)/reproducegym agents install $(AGENTS) || echo "tests of $(AGENTS) will skip" >&2
	@bash requirements/consumers/install.sh $(VENV) $(CONSUMERS) || true
	@bash requirements/consumers/install-compose.sh $(VENV)/consumers/docker || true
	@bash tests/nodes/install-sshd.sh || true
	@bash tests/web/install-chromium.sh || true
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not soak and not docs" -q

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q -m docs tests/docs
	$(BIN)/python -m pytest -q -n $(JOBS) tests/verifier -k "not million and not starts_fast" \
		--cov=reproducegym.verifier --cov-branch --cov-report=term --cov-fail-under=100

soak: $(VENV)/.dev
	$(BIN)/python -m pytest -m soak -q --junit-xml=build/soak.xml; ended=$$?; \
		$(BIN)/python -m benchmarks.soak_page build/soak.xml; exit $$ended
	$(BIN)/python -m pytest -q --hypothesis-profile=soak $(PROPERTIES)

mutation: $(VENV)/.dev
	$(BIN)/python -m benchmarks.mutants $(COUNT)

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

lock: $(VENV)/.dev
	$(BIN)/pip-compile -q --generate-hashes --strip-extras --allow-unsafe --no-emit-index-url --no-emit-find-links --no-header \
		--extra docker --extra build -o requirements/base.lock pyproject.toml
	$(BIN)/pip-compile -q --generate-hashes --strip-extras --allow-unsafe --no-emit-index-url --no-emit-find-links --no-header \
		--extra docker --extra llm --extra agents --extra ray --extra samples --extra dashboard --extra auditor --extra openenv --extra datasets --extra remote --extra service --extra build --extra dev -o requirements/dev.lock pyproject.toml

schemas: $(VENV)/.dev
	$(BIN)/python -m reproducegym.schema.publish

clean:
	rm -rf runs build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: install it, or name it with make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than Python 3.11: name a newer one with make PYTHON=/path/to/python3" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: requirements/base.lock pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/base.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements/dev.lock pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/dev.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@ $(VENV)/.demo
