# Kibitz sets itself up: the first run of a target makes the environment it needs.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
OLDEST := .venv-oldest

# Raspberry Pi OS ships picamera2 with the system's Python; let the environment see it where it is there.
SYSTEM := $(shell $(PYTHON) -c "import picamera2" 2>/dev/null && echo --system-site-packages)

.PHONY: run test rulings check format bench test-oldest clean

run: $(VENV)/.runs
	@$(BIN)/kibitz serve $(ARGS)

test: $(VENV)/.tests
	$(BIN)/python -m pytest $(ARGS)

# Every irregularity through each of its exits, through the pictures: minutes.
rulings: $(VENV)/.tests
	$(BIN)/python -m pytest -m exhaustive $(ARGS)

check: $(VENV)/.tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.tests
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Other libraries to measure beside, each in an environment of its own; where one cannot be had, it is skipped.
BENCH := .venv-bench
PEERS := py-draughts pydraughts dame-rs

bench: $(VENV)/.tests
	@for peer in $(PEERS); do \
		[ -x $(BENCH)/$$peer/bin/python ] && continue; \
		echo "Setting up $$peer to measure beside (once)..."; \
		$(PYTHON) -m venv $(BENCH)/$$peer && \
		$(BENCH)/$$peer/bin/python -m pip install --quiet --disable-pip-version-check $$peer || \
		{ echo "$$peer cannot be installed here; it is skipped"; rm -rf $(BENCH)/$$peer; }; \
	done
	@KIBITZ_BENCH_DIR=$(BENCH) $(BIN)/kibitz bench $(ARGS)

# The oldest libraries promised: Raspberry Pi OS Bookworm's OpenCV and numpy.
test-oldest: $(OLDEST)/.tests
	$(OLDEST)/bin/python -m pytest $(ARGS)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "saw Python %d.%d, Kibitz needs 3.11 or newer: make PYTHON=python3.11 ..." % sys.version_info[:2])'
	$(PYTHON) -m venv $(SYSTEM) $(VENV)

$(VENV)/.runs: pyproject.toml | $(VENV)/bin/python
	@echo "Setting up Kibitz (once, a minute or two)..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.tests: pyproject.toml | $(VENV)/bin/python
	@echo "Setting up Kibitz and its test tools (once, a minute or two)..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@ $(VENV)/.runs

$(OLDEST)/.tests: pyproject.toml
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check \
		"opencv-python==4.6.0.66" "numpy==1.24.4" "numba==0.57.1" "flask==2.2.5" "werkzeug==2.2.3" "waitress==2.1.2" \
		"pillow==10.1.0" platformdirs pytest hypothesis setuptools wheel
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

clean:
	rm -rf $(VENV) $(OLDEST) $(BENCH) build *.egg-info
