# One environment, a few commands. `make help` lists them.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: help setup demo test mutations lab docs slides export outputs picture clean-venv
help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(READY) ## create .venv and install everything; skipped when nothing changed
$(READY): settings.ini setup.py pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "rate_nb needs Python 3.11 or newer; this is %s. Name another one: make PYTHON=python3.12 ..." % sys.version.split()[0])'
	@echo "Installing into $(VENV) (a few minutes the first time) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,lab,hub,scale,train,benchmarks,docs]'
	@touch $@

demo: $(READY) ## run the audit on the embedded defaults and say where the report is
	@$(BIN)/rate_nb demo

test: $(READY) ## run everything that can fail: notebooks, exports, README, tests
	@$(BIN)/python -m pytest

mutations: $(READY) ## break thirty functions of papers.ipynb and see their rows' tests turn red (minutes)
	@$(BIN)/python tests/test_paper_mutations.py

lab: $(READY) ## open JupyterLab on the rooms and their notebooks
	@$(BIN)/jupyter lab --ServerApp.root_dir=$(CURDIR) --ServerApp.preferred_dir=$(CURDIR)/nbs nbs/index.ipynb

docs: $(READY) ## build the documentation site into _docs, readable offline
	@$(BIN)/python docs/build.py

slides: $(READY) ## turn the lessons into slides in _slides, shown without a network
	@$(BIN)/python docs/slides.py

export: $(READY) ## after editing notebooks: export the modules, clean the notebooks, render README.md
	@$(BIN)/nbdev_export && $(BIN)/nbdev_clean && $(BIN)/python tests/readme.py

outputs: $(READY) ## run the notebooks and keep their outputs (NB=nbs/06_estimators/01_effects.ipynb for one)
	@$(BIN)/jupyter execute --inplace --timeout=1200 $(or $(NB),$(wildcard nbs/index.ipynb nbs/[0-9]*/*.ipynb nbs/lessons/*.ipynb)) && $(BIN)/python tests/outputs.py && $(MAKE) export

picture: $(READY) ## take the README's picture of the demo's report anew (after `make demo`)
	@$(BIN)/python tests/picture.py

clean-venv: ## remove .venv
	@rm -rf $(VENV)
