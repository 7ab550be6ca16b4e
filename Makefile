# Every target works from a fresh clone. `make help` lists them.

PYTHON ?= python3
ARGS ?=
TASK ?= copy
# Added to every pip install, for instance an --extra-index-url that has torch without CUDA (README, "Install").
PIP_ARGS ?=
# The suite runs in this many processes, each with one thread: two threads of torch on two cores get in each other's way.
WORKERS ?= 2
TSC ?= tsc

VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install $(PIP_ARGS) -c constraints.txt
RUN_STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
TYPES := build/types/glassformer

# Scripts that write a page of docs/, and with --check only say whether it is up to date.
WRITERS := $(wildcard docs/*.py)
BENCHES := $(filter-out bench/browser.py bench/screenshots.py bench/train.py,$(wildcard bench/*.py))

export OMP_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.PHONY: help run test unit check format types tsc train bench load screenshots docs clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(RUN_STAMP)  ## install if need be, start the server, open the page (ARGS="--port 9000 --no-browser")
	@$(BIN)/python -m glassformer $(ARGS)

test: $(DEV_STAMP)  ## the whole suite: unit, properties, integration, JavaScript, browser (ARGS are pytest's)
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

unit: $(DEV_STAMP)  ## the quick tests of Python only
	@$(BIN)/python -m pytest -n $(WORKERS) tests/unit $(ARGS)

check: $(DEV_STAMP) types tsc  ## format, lint, types, Dockerfile, generated docs
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/hadolint Dockerfile
	@set -e; for file in $(WRITERS); do $(BIN)/python $$file --check; done

format: $(DEV_STAMP)  ## lay out the Python files
	@$(BIN)/ruff check --fix --select I .
	@$(BIN)/ruff format .

# The folders at the root are one package, which mypy finds through links (docs/decisions/0001-set-up.md).
types: $(DEV_STAMP)
	@mkdir -p $(TYPES)
	@ln -sfn ../../../app $(TYPES)/app
	@ln -sfn ../../../model $(TYPES)/model
	@ln -sfn ../../../glassformer/serving $(TYPES)/serving
	@for file in glassformer/*.py; do ln -sf ../../../$$file $(TYPES)/; done
	@MYPYPATH=build/types $(BIN)/mypy -p glassformer

tsc:
	@if command -v $(TSC) >/dev/null; \
	then $(TSC) --noEmit --allowJs --checkJs --strict --target es2022 --module es2022 --moduleResolution bundler --lib es2022,dom,dom.iterable $$(find static/js -name '*.js'); \
	else echo "no TypeScript compiler here: the types of static/js are not checked"; fi

train: $(DEV_STAMP)  ## train a model that comes with the program (TASK=copy or pig-latin)
	@$(BIN)/python -m glassformer train $(TASK) $(ARGS)

bench: $(DEV_STAMP)  ## measure, one file of bench/ after the other, on an otherwise idle machine
	@set -e; for file in $(BENCHES); do $(BIN)/python $$file; done

load: $(DEV_STAMP)  ## a class at work, overload, slow clients and more, about 12 minutes on an idle machine (ARGS="A B --seconds 10")
	@$(BIN)/python -m bench.load $(ARGS)

screenshots: $(DEV_STAMP)  ## take the README's pictures
	@$(BIN)/python bench/screenshots.py

docs: $(DEV_STAMP)  ## write the generated pages of docs/
	@set -e; for file in $(WRITERS); do $(BIN)/python $$file; done

clean:  ## remove what make and the tools made, .venv too
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUN_STAMP): pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing Glassformer into $(VENV): once, about a minute …"
	@$(INSTALL) -e .
	@touch $@

$(DEV_STAMP): pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing Glassformer and what its tests need into $(VENV): once, about a minute …"
	@$(INSTALL) -e '.[dev]'
	@touch $(RUN_STAMP) $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	{ echo "Glassformer needs Python 3.11 or later; $(PYTHON) is `$(PYTHON) --version 2>&1`. Name a newer one: make run PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	{ rm -rf $(VENV); echo "$(PYTHON) cannot make an environment (Debian: apt-get install python3-venv)" >&2; exit 1; }
