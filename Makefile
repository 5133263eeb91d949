PYTHON ?= python3
BIN := .venv/bin
.PHONY: setup app test lint bench

setup: .venv/.app  ## make .venv with everything the app needs
app: setup  ## serve the app on 127.0.0.1:8501
	$(BIN)/cacviz app
test: .venv/.test  ## the whole suite, browser tests included
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/pytest -n 2 --dist loadfile -q
lint: .venv/.test
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy
bench: .venv/.test  ## the speed figures of the README
	$(BIN)/python benchmarks/cac_speed.py

.venv/.app: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install -q -c constraints.txt -e . && touch $@
.venv/.test: .venv/.app
	$(BIN)/pip install -q -c constraints.txt -e '.[test]' && touch $@
