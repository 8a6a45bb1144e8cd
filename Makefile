# `make help` lists the targets. ARGS="..." goes to the command a target runs.

PYTHON ?= python3
VENV   ?= .venv
JOBS   ?= 2
ARGS   ?=
# Further pip options, for example another index for the CPU or CUDA build of torch.
PIP_FLAGS ?=

BIN   := $(VENV)/bin
STAMP := $(VENV)/.setup-done
# Numba's cache does not know whether bounds checks were on, so checked code gets a folder of its own.
CACHE := $(CURDIR)/.numba_cache
# Groups of tests that share compiled programs stay together; tests/conftest.py puts long groups first.
WORKERS = -n $(JOBS) --dist loadgroup --no-loadscope-reorder
# One thread a process for torch and BLAS: the test workers are the parallelism.
TEST_ENV := OMP_NUM_THREADS=1 MPLBACKEND=Agg SDL_VIDEODRIVER=dummy

export NUMBA_CACHE_DIR ?= $(CACHE)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help setup check train test test-fast test-nojit test-boundscheck numba-versions bench soak lint types docs clean distclean
.DEFAULT_GOAL := help

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP)  ## virtual environment with the pinned dependencies and this package, editable

# Torch comes first and pinned: a range would let pip take another build of it.
# The build backend is pinned too, so that nothing is fetched for an isolated build.
$(STAMP): pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install $(PIP_FLAGS) -q -c constraints.txt torch==2.13.0 hatchling editables
	$(BIN)/python -m pip install $(PIP_FLAGS) -q -c constraints.txt --no-build-isolation -e '.[train,render,play,video,docs,dev]'
	@touch $@

$(BIN)/python:
	@for python in "$(PYTHON)" python3.11 python3.12 python3.13 python3.14; do \
	    if $$python -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null; then \
	        echo "making $(VENV) with $$($$python --version)"; \
	        $$python -m venv $(VENV) && exit 0; \
	    fi; \
	done; \
	echo "Python 3.11 to 3.14 is needed; name one with PYTHON=..." >&2; exit 1

check: lint  ## before every commit, in two minutes: format, rules, types, and the quick tests in plain Python
	$(TEST_ENV) $(BIN)/python -m pytest --quick -n $(JOBS) $(ARGS)

train: setup  ## train an agent: make train ARGS="..."
	$(BIN)/catan train $(ARGS)

# Less optimization saves a quarter of the compile time, and games stay the same. `make soak` optimizes fully.
test: setup  ## every test but the soak tests, on JOBS processes
	$(TEST_ENV) NUMBA_OPT=1 $(BIN)/python -m pytest $(WORKERS) --durations=15 $(ARGS)

test-fast: setup  ## the tests that take seconds
	$(TEST_ENV) NUMBA_OPT=1 $(BIN)/python -m pytest $(WORKERS) -m 'not slow and not soak' $(ARGS)

test-nojit: setup  ## tests marked core, in plain Python
	$(TEST_ENV) NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n $(JOBS) -m 'core and not soak' $(ARGS)

# Not those on hand-made positions, of toys and of worlds dealt anew: they are played in plain Python, where NumPy checks
# every index as well.
IN_PLAIN_PYTHON := --ignore=tests/games $(addprefix --ignore=tests/test_,boards_graph.py determinise.py vocabulary.py)
test-boundscheck: setup  ## tests marked core that play at length, compiled with bounds checks
	$(TEST_ENV) NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 NUMBA_CACHE_DIR="$(NUMBA_CACHE_DIR)/boundscheck" \
	    $(BIN)/python -m pytest $(WORKERS) -m 'core and not soak' $(IN_PLAIN_PYTHON) $(ARGS)

numba-versions: setup  ## the same games with the oldest, the pinned and the newest Numba, with and without our patches
	$(BIN)/python tools/compare_numba.py --versions supported $(ARGS)

soak: setup  ## the long tests, and all others with every number of players
	$(TEST_ENV) EVERY_NUMBER_OF_PLAYERS=1 $(BIN)/python -m pytest $(WORKERS) $(ARGS)
	$(TEST_ENV) $(BIN)/python -m pytest $(WORKERS) -m soak $(ARGS)

bench: setup  ## steps per second
	$(BIN)/catan bench $(ARGS)

lint: setup  ## ruff and mypy: format, rules, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

types: setup  ## mypy alone
	$(BIN)/mypy

docs: setup  ## write the generated pages, run the notebooks, build the site in build/docs
	$(BIN)/catan docs --site build/docs $(ARGS)

clean:  ## remove caches and build output
	rm -rf .numba_cache .pytest_cache .ruff_cache .hypothesis build dist
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -exec rm -rf {} +

distclean: clean  ## clean, and the virtual environment
	rm -rf $(VENV)
