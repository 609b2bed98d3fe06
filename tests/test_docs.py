"""Pages that are written by programs agree with what the programs write now."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np

DOCS = Path(__file__).parent.parent / "docs"


def test_the_page_of_differentiable_functions_is_current():
    spec = importlib.util.spec_from_file_location("functions", DOCS / "functions.py")
    assert spec is not None
    assert spec.loader is not None
    functions = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(functions)
    # Not the whole text: NumPy's versions differ in which names they have.
    written, now = functions.PAGE.read_text(), functions.page()
    names, names_now = (set(re.findall(r"`((?:np|nn)\.[\w.]+)`", text)) for text in (written, now))
    known = {name for name in names if name.startswith("nn.") or hasattr(np, name.split(".")[1])}
    assert names_now == known, "run: python docs/functions.py"
