# make run: from a fresh clone to a tree on the screen and a report.   make test: every check there is.
# make quick: lint and the tests that are quick, for daily work; make quick WHAT=tests/table for one folder, all of it.
# make prove: every export run in its target, on rows that hurt, for thousands of models, and every import beside its
# origin; the figures go to the docs.
# make native-dev: the native module again after a change of C++.      make wheel, make floors: before a release.
# uv is used where it is on PATH, pip otherwise; neither compiles Python that may never be imported. Stamps in .venv make
# the second run quick.

VENV   := .venv
BIN    := $(VENV)/bin
PYTHON ?= python3
PEERS  := .venv-peers
FLOORS := .venv-floors
BUILD  := build/dev
UV     := $(shell command -v uv 2>/dev/null)
pip     = $(if $(UV),$(UV) pip install --quiet --python $(1)/bin/python,$(1)/bin/pip install --quiet --no-compile)
venv    = $(if $(UV),$(UV) venv --quiet --python $(PYTHON) $(1),$(PYTHON) -m venv $(1))
PIP    := $(call pip,$(VENV))
DAYS   := src/clearwood/datasets/tennis_numeric.csv
# Each process takes neighbouring tests, which share what they made, and at the end some of the other's.
TESTS_RUN := pytest -n 2 --dist worksteal
# The package in place, built by the tools in .venv in one folder that is kept: nothing is compiled twice.
HERE   := $(PIP) --no-build-isolation --config-settings=build-dir=$(BUILD) --editable

project := import tomllib; project = tomllib.load(open('pyproject.toml', 'rb'))['project']

NATIVE  := $(shell find native/core native/bind -name '*.?pp' -o -name '*.inc')
TESTED  := $(shell find native/core native/tests -name '*.?pp' -o -name '*.inc') CMakeLists.txt
PACKAGE := pyproject.toml CMakeLists.txt

.PHONY: run test quick pytest lint types-js tools-js native native-dev wheel floors fuzz search long mutate soak prove bench docs stubs weigh lacks dev clean
.DELETE_ON_ERROR:

run: $(VENV)/native
	$(BIN)/clearwood fit $(DAYS) --target Play --learner c45 --rules --cross-validate 7
	$(BIN)/clearwood report $(DAYS) --target Play --learner c45 -o report.html

test: lint native pytest

quick: lint $(VENV)/native
	$(if $(WHAT),,CLEARWOOD_PROFILE=quick) $(BIN)/$(TESTS_RUN) $(if $(WHAT),$(WHAT),-m "not slow" --ignore tests/estimators tests)

pytest: $(VENV)/dev $(VENV)/native $(VENV)/browser tools-js
	$(BIN)/$(TESTS_RUN)

lint: $(VENV)/dev types-js
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The page's JavaScript by its JSDoc types, where there is a Node.js and a registry; dev/tsconfig.json says which files.
TSC := build/js/node_modules/.bin/tsc
types-js: tools-js
	@if [ -x $(TSC) ]; then $(TSC) -p dev; else echo "The page's JavaScript is not type-checked."; fi

# TypeScript, and axe, with which the tests look for barriers in pages.
tools-js:
	@[ -x $(TSC) ] && [ -d build/js/node_modules/axe-core ] \
	  || { mkdir -p build/js && cp dev/package.json build/js && \
	       npm install --prefix build/js --silent --no-audit --no-fund; } 2> build/js.log \
	  || echo "No Node.js is here, or no package registry."

native: build/asan/passed build/tsan/passed

# Odd inputs by chance, some ten minutes: SECONDS for each subject, then disturbed PROCESSES; another SEED for others.
SECONDS   := 45
PROCESSES := 500
SEED      := 0
fuzz: $(VENV)/dev $(VENV)/native
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --seed $(SEED)
	$(BIN)/python -m tests.fuzz --processes $(PROCESSES) --seed $(SEED)

# The properties on random examples that are new each time; a failure prints the decorator that repeats it.
search: $(VENV)/dev $(VENV)/native
	CLEARWOOD_PROFILE=search CLEARWOOD_EXAMPLES=300 $(BIN)/$(TESTS_RUN) --ignore tests/fuzz tests

# Simulations and comparisons that take minutes: whether 95 % intervals hold in 95 of 100, accuracy beside other programs.
long: $(VENV)/dev $(VENV)/native
	$(BIN)/$(TESTS_RUN) --long tests

# Damages WHAT in one place at a time, a SAMPLE of all places, and names those that its nearest TESTS do not notice:
# those of its folder, and the examples of its docstrings.
SAMPLE := 40
mutate: $(VENV)/dev $(VENV)/native
	$(BIN)/python dev/mutate.py $(WHAT) $(or $(TESTS),$(patsubst src/clearwood/%,tests/%,$(WHAT)) $(WHAT)) --sample $(SAMPLE) --seed $(SEED)

# Exports by thousands of models, then exports and imports on all reference tables; what is not here and cannot be installed is "not run".
FEEL := $(CURDIR)/build/prove/node_modules
prove: $(VENV)/dev $(VENV)/native $(VENV)/targets
	@[ -d $(FEEL)/feelin ] || { mkdir -p build/prove && npm install --prefix build/prove --no-save --no-package-lock \
	   --silent --no-audit --no-fund feelin@8 dmn-moddle@12; } || echo "feelin is not here: DMN is not run."
	NODE_PATH=$(FEEL) $(BIN)/$(TESTS_RUN) --prove -rs tests
	NODE_PATH=$(FEEL) $(BIN)/python -m tests.exporting.tables
	$(BIN)/python -m tests.importing.tables

# A server under load: a thousand rows a second beside their sender, and memory over 100,000 requests; two minutes.
soak: $(VENV)/dev $(VENV)/native
	$(BIN)/pytest --long -s -rs tests/serving/test_load.py

# Only what changed is compiled, and the module put where the package in place looks for it.
native-dev: $(VENV)/installed
	$(BIN)/cmake --build $(BUILD) -- --quiet
	@$(BIN)/cmake --install $(BUILD) --prefix "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')" > /dev/null
	@touch $(VENV)/native

# Wheels by the Pythons of this machine, each tried in an empty environment of its own.
wheel: $(VENV)/dev
	$(BIN)/python dev/wheels.py
	CLEARWOOD_WHEELS=dist $(BIN)/pytest tests/test_wheels.py

# The lowest versions that pyproject.toml allows, and the tests of the folders that use other libraries; how quick
# the command starts (test_processes.py) is measured with today's.
floors: $(FLOORS)/installed
	$(FLOORS)/bin/python -m $(TESTS_RUN) -p no:cacheprovider $(FLOORS_TEST) --ignore tests/cli/test_processes.py

bench: $(VENV)/bench $(PEERS)/installed
	$(BIN)/python -m benchmarks

# What editors and type checkers see of what is made from other source: commit it with its source.
# All that the checks need, and no check: one to three minutes on two cores.
dev: $(VENV)/dev $(VENV)/native

# What a new learner, kind of model, pruner, kind of file, format or counting engine still lacks, all at once.
lacks: $(VENV)/dev $(VENV)/native
	$(BIN)/python -m dev.lacks

# Lines, imports and files by folder beside the commit SINCE (or the one that began this version), and how far commands walk.
weigh: $(VENV)/dev $(VENV)/native
	$(BIN)/python dev/weigh.py $(SINCE)

stubs: $(VENV)/dev
	$(BIN)/python -m dev.stubs

docs: $(VENV)/dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

clean:
	rm -rf $(VENV) $(PEERS) $(FLOORS) build dist site report.html .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

FLOORS_TEST := tests/table tests/models tests/estimators tests/scoring tests/study tests/draw/charts tests/cli

$(BIN)/python:
	$(call venv,$(VENV))

# The list is its own stamp.
$(VENV)/build-tools.txt: pyproject.toml | $(BIN)/python
	@$(BIN)/python -c "import tomllib; needs = tomllib.load(open('pyproject.toml', 'rb'))['build-system']['requires']; \
	  print(*needs, 'cmake>=3.20', 'ninja>=1.11', sep='\n')" > $@
	$(PIP) -r $@

# What it stands on is fetched while it is compiled.
$(VENV)/installed: $(PACKAGE) | $(VENV)/build-tools.txt
	@$(BIN)/python -c "$(project); print(*project['dependencies'], *project['optional-dependencies']['pictures'], sep='\n')" \
	  > $(VENV)/needs.txt
	$(PIP) -r $(VENV)/needs.txt & needs=$$!; $(HERE) . --no-deps && wait $$needs
	@touch $@ $(VENV)/native

$(VENV)/native: $(NATIVE) | $(VENV)/installed
	@$(MAKE) --no-print-directory native-dev

$(VENV)/dev: $(PACKAGE) | $(VENV)/build-tools.txt
	$(HERE) '.[dev]'
	@touch $@ $(VENV)/installed $(VENV)/native

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

# The programs that exports are run in, from Debian where this is root there: command and package, side by side.
TARGETS := node:nodejs gcc:gcc javac:default-jdk-headless soffice:libreoffice-calc-nogui /usr/lib/postgresql:postgresql
$(VENV)/targets: | $(VENV)/dev
	@for each in $(TARGETS); do \
	  command -v $${each%%:*} > /dev/null || [ -d $${each%%:*} ] \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null \
	       && { $(APT) install -y -qq --no-install-recommends $${each#*:} > /dev/null \
	            || { $(APT) update -qq && $(APT) install -y -qq --no-install-recommends $${each#*:} > /dev/null; }; }; } \
	  || echo "$${each#*:} is not here and could not be installed: what it runs is not proven."; \
	done
	@touch $@

# Some peers come as source, which their own tools build: not with the package in place, which is built by those in .venv.
$(VENV)/bench: $(VENV)/dev
	@$(BIN)/python -c "$(project); print(*project['optional-dependencies']['bench'], sep='\n')" > $(VENV)/peers.txt
	$(PIP) -r $(VENV)/peers.txt
	@touch $@

# uv alone resolves to the lowest versions; the tools of the tests are today's.
$(FLOORS)/installed: $(PACKAGE) $(NATIVE)
	$(PYTHON) -m venv --clear $(FLOORS)/tools && $(call pip,$(FLOORS)/tools) uv
	$(PYTHON) -m venv $(FLOORS)
	$(FLOORS)/tools/bin/uv pip install --quiet --python $(FLOORS)/bin/python --resolution lowest-direct '.[all,frames]'
	$(FLOORS)/tools/bin/uv pip install --quiet --python $(FLOORS)/bin/python pytest pytest-xdist hypothesis jsonschema scipy altair playwright
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
