"""Pages that are written by programs agree with what the programs write now."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np

DOCS = Path(__file__).parent.parent / "docs"


def _program(name: str):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_differentiable_functions_is_current():
    functions = _program("functions")
    # Not the whole text: NumPy's versions differ in which names they have.
    written, now = functions.PAGE.read_text(), functions.page()
    names, names_now = (set(re.findall(r"`((?:np|nn)\.[\w.]+)`", text)) for text in (written, now))
    known = {name for name in names if name.startswith("nn.") or hasattr(np, name.split(".")[1])}
    assert names_now == known, "run: python docs/functions.py"


def test_the_page_of_tensorflows_names_is_current():
    names = _program("v1")
    assert names.PAGE.read_text() == names.page(), "run: python docs/v1.py"
