"""`steepest.v1` under the name ``tensorflow``, for programs that are run as they are."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from .graph import left_out, log, missing
from .graph.missing import told
from .graph.other_paths import Alias, full_name, is_here

__all__ = ["install"]

_TOP = "steepest.v1"


class _TensorFlow(Alias):
    """Finds ``tensorflow`` and what is below it in `steepest.v1`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of an alias; ModuleNotFoundError, which says why, for a module that is not here."""
        package, _, inside = fullname.partition(".")
        if package != self.package:
            return None
        if left_out.folder(inside) is None and not is_here(full_name(inside)):
            raise ModuleNotFoundError(f"No module named {fullname!r}: {told(inside)}", name=fullname)
        return self.spec(fullname)

    def module(self, inside: str) -> ModuleType:
        """Return the module of a path below ``tensorflow``; a folder that is left out is there, with nothing in it."""
        return left_out.folder(inside) or super().module(inside)


def install() -> None:
    """Let ``import tensorflow`` give `steepest.v1` in this process, whether TensorFlow is installed or not.

    Raises:
        RuntimeError: where another ``tensorflow`` has been imported.
    """
    if "tensorflow" in sys.modules and sys.modules["tensorflow"] is not sys.modules.get(_TOP):
        raise RuntimeError("steepest: tensorflow must not have been imported before, got another module of that name")
    if not any(isinstance(finder, _TensorFlow) for finder in sys.meta_path):
        sys.meta_path.insert(0, _TensorFlow("tensorflow"))
    importlib.import_module("tensorflow")
    missing.stand_in = left_out.stand_in  # asking for one is no error yet: a program may not use it
    log.rename("tensorflow")
