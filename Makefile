# Every target first sets up .venv, with the versions of constraints.txt. Python 3.11 or newer, git and make must be there.

PYTHON ?= python3
BIN := .venv/bin
PLAYABLE := .venv/.playable
READY := .venv/.ready
PYTEST := $(BIN)/pytest --numprocesses=logical --dist=loadscope --no-loadscope-reorder
PIP := $(BIN)/pip install --quiet --no-compile --constraint constraints.txt
PARTS := envs agents training benchmarks

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run test slow quick check suite lanes mutants ray examples typing goldens docs site notebooks bench warmup versions bench-guard peers
.DEFAULT_GOAL := test

# The main job. It needs neither PyTorch nor the tools of development.
run: $(PLAYABLE)
	$(BIN)/python -m alehouse.run

# The checks beside the tests.
test: $(READY)
	@$(MAKE) --no-print-directory --jobs=2 check suite

# The tests that take long; CI runs them after the others.
slow: $(READY)
	$(PYTEST) -m slow

# After each change: the checks, then core and the rules of the games.
quick: check
	$(PYTEST) tests/envs

suite: $(READY)
	$(PYTEST)

# Format, lint, types.
check: $(READY) typing
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	MYPYPATH=.typing $(BIN)/mypy -p alehouse

# A few tests without the JIT, and with bounds checks.
lanes: $(READY)
	$(BIN)/pytest -m slow tests/test_lanes.py

# Break rules one at a time; the tests of the rules must notice each.
mutants: $(READY)
	$(BIN)/python tools/mutants.py --check

# The arena and the balance lab on a Ray cluster of two nodes on this machine; Ray is large, so nothing else installs it.
ray: $(READY)
	$(PIP) --no-build-isolation --editable '.[ray]'
	$(BIN)/pytest -rs tests/benchmarks/arena/test_arena_ray.py tests/benchmarks/balance/test_balance_ray.py

# The scripts of examples/, each in an environment of its own; the versions that ran go into docs/integrations.md.
examples: $(READY)
	$(PIP) uv
	$(BIN)/python examples/run.py

# Signatures, playthroughs and pictures as the games play and look now.
goldens: $(READY)
	$(BIN)/python -m tests.goldens

# The pages and pictures of docs/ that follow from the games.
docs: $(READY)
	$(BIN)/python -m alehouse.docs docs

# The site of docs/, into site/.
site: $(READY) typing
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# Run the notebooks, and write what they print into them; half an hour on two cores.
notebooks: $(READY)
	$(PIP) nbclient ipykernel
	$(BIN)/python tools/run_notebooks.py

bench: $(READY)
	$(BIN)/alehouse bench

# Is the working tree slower than a revision? `make bench-guard BASE=HEAD~3`
BASE ?= main
bench-guard: $(READY) typing
	$(BIN)/python -m alehouse.benchmarks.guard $(BASE)

# The environments of other simulators, for `alehouse bench --peers`; what cannot be installed is left out.
peers: $(READY)
	$(BIN)/python -m alehouse.benchmarks.peers.environments

warmup: $(READY)
	$(BIN)/alehouse warmup --jobs 2

# The lowest and the newest versions allowed, with every Python on this machine; docs/where_it_runs.md gets the table.
versions: $(READY)
	$(BIN)/python tools/versions.py

# The package as a type checker can see it: its parts stand beside it, not in it.
typing:
	@rm -rf .typing && mkdir -p .typing/alehouse
	@cd .typing/alehouse && ln -s ../../alehouse/* . && for part in $(PARTS); do \
		if [ -e ../../$$part/__init__.py ]; then ln -s ../../$$part .; fi; done

$(PLAYABLE): EXTRAS := cli,study,web
$(READY): EXTRAS := cli,dev,docs,study,train
$(PLAYABLE) $(READY): pyproject.toml setup.py constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=..." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(PIP) setuptools
	$(PIP) --no-build-isolation --editable '.[$(EXTRAS)]'
	@touch $@
