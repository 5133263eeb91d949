PYTHON ?= python3
BIN := .venv/bin
# Bytecode is kept: each process that a test starts would compile the whole house anew.
export PYTHONDONTWRITEBYTECODE :=
# what opens a page, starts workers or takes seconds is of `make test`
QUICK := --ignore=tests/browser --ignore=tests/pages --ignore=tests/jobs --ignore=tests/test_wheel.py \
	-m 'not slow and not worker and not heavy'
.PHONY: setup app test fast lint bench trust sbom

setup: .venv/.app  ## make .venv with everything the app needs
app: setup  ## serve the app on 127.0.0.1:8501
	$(BIN)/cacviz app
test: .venv/.test  ## the whole suite, browser tests included
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder -q
fast: lint  ## what a developer runs before each commit
	$(BIN)/pytest -n 2 --dist worksteal -q -x --durations=3 $(QUICK)
lint: .venv/.test  ## style and types
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy
trust: .venv/.test  ## every promise in its long form, hours; prints the table of docs/trust.md
	$(BIN)/python -m benchmarks.trust
sbom: .venv/.app  ## what cacviz is made of, as sbom.json
	$(BIN)/python -m tests.trust.sbom > sbom.json
bench: .venv/.test  ## the speed figures of the README
	$(BIN)/python benchmarks/cac_speed.py

.venv/.app: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install -q -c constraints.txt -e . && touch $@
.venv/.test: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install -q -c constraints.txt -e '.[test]' && touch .venv/.app $@
