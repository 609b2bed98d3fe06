"""Finds the modules that hold cases and contenders: by their place, not by a list."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

HERE = Path(__file__).parent
FOLDERS = ("cases", "rivals")
ALONE = ("words",)  # a case with its contenders in one module beside this one


def discover() -> None:
    """Import them all; importing enters what they hold in case.CASES and case.CONTENDERS."""
    for folder in FOLDERS:
        for module in pkgutil.iter_modules([str(HERE / folder)]):
            importlib.import_module(f"bench.{folder}.{module.name}")
    for name in ALONE:
        if (HERE / f"{name}.py").exists():
            importlib.import_module(f"bench.{name}")
