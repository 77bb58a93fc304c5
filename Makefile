# make app    install into .venv and open the app on 127.0.0.1:7860
# make test   install and run every test (linting and types first)
#
# TORCH_INDEX=URL   take torch from this package index (PyTorch's CPU index saves 2.7 GB on Linux)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TORCH := $(shell sed -n 's/^\(torch==[^ ]*\).*/\1/p' requirements.txt)

.PHONY: app test lint evaluate benchmark clean

app: $(VENV)/.installed
	$(BIN)/python app.py

test: $(VENV)/.installed-dev lint
	$(BIN)/python -m pytest

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

evaluate: $(VENV)/.installed-dev
	$(BIN)/python examples/evaluation.py

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'Python 3.11 or newer is needed: make app PYTHON=python3.11'; exit 1; }
	$(PYTHON) -m venv $(VENV)

# torch first, so that no other package pulls in a build of its own choice
$(VENV)/.installed: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) $(TORCH)
	$(BIN)/python -m pip install --quiet -r requirements.txt
	touch $@

$(VENV)/.installed-dev: requirements-dev.txt $(VENV)/.installed
	$(BIN)/python -m pip install --quiet -r requirements-dev.txt
	touch $@

clean:
	rm -rf $(VENV) .venv-*
