PYTHON ?= python3
BIN := .venv/bin
# Bytecode is kept: each process that a test starts would compile the whole house anew.
export PYTHONDONTWRITEBYTECODE :=
# what opens a page, starts workers or takes seconds is of `make test`
QUICK := --ignore=tests/browser --ignore=tests/pages --ignore=tests/jobs --ignore=tests/test_wheel.py \
	-m 'not slow and not worker and not heavy'
.PHONY: setup app test fast lint bench trust sbom lock

setup: .venv/.app  ## make .venv with everything the app needs
app: setup  ## serve the app on 127.0.0.1:8501
	$(BIN)/cacviz app
# three processes on two cores: those of the browser wait most of their time
test: .venv/.test  ## the whole suite, browser tests included
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder -q
fast: lint  ## what a developer runs before each commit
	$(BIN)/pytest -n 2 --dist worksteal -q -x --durations=3 $(QUICK)
lint: .venv/.test  ## style and types
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy
trust: .venv/.test  ## every promise in its long form, hours; prints the table of docs/trust.md
	$(BIN)/python -m benchmarks.trust
lock: .venv/.test  ## .lock/ anew from constraints.txt; needs uv
	$(BIN)/python -m tests.trust.lock
sbom: .venv/.app  ## what cacviz is made of, as sbom.json
	$(BIN)/python -m tests.trust.sbom > sbom.json
bench: .venv/.test  ## the speed figures of the README
	$(BIN)/python benchmarks/cac_speed.py

# each file is checked by its hash; where the lock does not fit (another torch), by version alone, and that is said
LOCKED = $(BIN)/pip install -q --require-hashes -r .lock/$(1).txt && $(BIN)/pip install -q --no-deps --no-build-isolation -e .
LOOSE = echo "The files here are not those of .lock/$(1).txt (see above): installing by version alone." && $(BIN)/pip install -q -c constraints.txt -e '.$(2)'

.venv/.app: pyproject.toml constraints.txt .lock/app.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	{ $(call LOCKED,app); } || { $(call LOOSE,app,); }
	$(BIN)/python -m cacviz.jobs.compiling
	touch $@
.venv/.test: pyproject.toml constraints.txt .lock/test.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	{ $(call LOCKED,test); } || { $(call LOOSE,test,[test]); }
	touch .venv/.app $@
