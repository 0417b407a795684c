# make run: from a fresh clone to a tree on the screen and a report.   make test: every check there is.
# uv is used where it is on PATH, pip otherwise. Stamps in .venv make the second run quick.

VENV   := .venv
BIN    := $(VENV)/bin
PYTHON ?= python3
PEERS  := .venv-peers
UV     := $(shell command -v uv 2>/dev/null)
pip     = $(if $(UV),$(UV) pip install --quiet --python $(1)/bin/python,$(1)/bin/pip install --quiet)
venv    = $(if $(UV),$(UV) venv --quiet --python $(PYTHON) $(1),$(PYTHON) -m venv $(1))
PIP    := $(call pip,$(VENV))
DAYS   := src/clearwood/datasets/tennis_numeric.csv

BUILT_FROM := pyproject.toml CMakeLists.txt $(wildcard native/core/*/* native/bind/*)
TESTED     := $(wildcard native/core/*/* native/tests/*) CMakeLists.txt

.PHONY: run test pytest lint native fuzz bench docs clean
.DELETE_ON_ERROR:

run: $(VENV)/installed
	$(BIN)/clearwood fit $(DAYS) --target Play --learner c45 --rules --cross-validate 7
	$(BIN)/clearwood report $(DAYS) --target Play --learner c45 -o report.html

test: lint native pytest

pytest: $(VENV)/dev $(VENV)/browser
	$(BIN)/pytest -n 2

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

native: build/asan/passed build/tsan/passed

# Odd inputs by chance: SECONDS for each subject, another SEED for other ones.
SECONDS := 60
SEED    := 0
fuzz: $(VENV)/dev
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --seed $(SEED)

bench: $(VENV)/bench $(PEERS)/installed
	$(BIN)/python -m benchmarks

docs: $(VENV)/dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

clean:
	rm -rf $(VENV) $(PEERS) build dist site report.html .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

$(BIN)/python:
	$(call venv,$(VENV))

$(VENV)/installed: $(BUILT_FROM) | $(BIN)/python
	$(PIP) --editable '.[pictures]'
	@touch $@

$(VENV)/dev: $(BUILT_FROM) | $(BIN)/python
	$(PIP) --editable '.[dev]'
	@touch $@ $(VENV)/installed

# Pages are looked at in Chromium: the machine's own, else Debian's, else the one that playwright brings.
APT     := DEBIAN_FRONTEND=noninteractive apt-get
BROWSER := command -v chromium || command -v chromium-browser || command -v google-chrome || command -v google-chrome-stable
$(VENV)/browser: | $(VENV)/dev
	@if $(BROWSER) \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get && { $(APT) install -y -qq chromium \
	       || { $(APT) update -qq && $(APT) install -y -qq chromium; }; } && $(BROWSER); } \
	  || $(BIN)/playwright install chromium; \
	then touch $@; \
	else echo "No Chromium is here, and none could be installed: the tests that look at pages are skipped."; fi

$(VENV)/bench: $(VENV)/dev
	$(PIP) --editable '.[bench]'
	@touch $@

# Peers that need older libraries than ours. Without them the benchmarks still run, and say who is absent.
$(PEERS)/installed: benchmarks/apart/requirements.txt
	-$(call venv,$(PEERS)) && $(call pip,$(PEERS)) -r $< && touch $@

# The C++ tests, once for memory and undefined behaviour, once for races.
build/asan/passed: SANITIZE := address,undefined
build/tsan/passed: SANITIZE := thread
build/%/passed: $(TESTED) | $(VENV)/dev
	$(BIN)/cmake -S . -B $(@D) -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DCLEARWOOD_TESTS=ON -DCLEARWOOD_SANITIZE=$(SANITIZE) > /dev/null
	$(BIN)/cmake --build $(@D) -- -j 2 --quiet
	$(@D)/clearwood_tests
	@touch $@
