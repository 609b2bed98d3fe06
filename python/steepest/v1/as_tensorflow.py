"""`steepest.v1` under the name ``tensorflow``, for programs that are run as they are."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from .graph import left_out, log, missing
from .graph.missing import told

__all__ = ["install"]

_TOP = "steepest.v1"
_FLAT = ("optimizer_v2", "summary")
"""Packages of ``tf.contrib`` whose modules are not below a package ``python``."""


class _Alias(MetaPathFinder, Loader):
    """Finds ``tensorflow`` and what is below it in `steepest.v1`."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of an alias; None for other names, and for a module that is not here."""
        package, _, inside = fullname.partition(".")
        if package != "tensorflow":
            return None
        if left_out.folder(inside) is None and _spec(_name(inside)) is None:
            raise ModuleNotFoundError(f"No module named {fullname!r}: {told(inside)}", name=fullname)
        return importlib.util.spec_from_loader(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module itself, which keeps its own spec."""
        inside = spec.name.partition(".")[2]
        module: ModuleType = left_out.folder(inside) or importlib.import_module(_name(inside))
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own spec back: the import system has put the alias's there."""
        assert module.__spec__ is not None
        module.__spec__ = self._specs.pop(module.__spec__.name)


def _spec(name: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError:  # a folder above it is missing too
        return None


# What lies in a module of its own below a part of contrib.
_OF_CONTRIB = {
    "bayesflow.monte_carlo_impl": "contrib.bayesflow.monte_carlo",
    "distributions.bijectors": "contrib.distributions.bijectors",
    **{
        f"solvers.{name}": f"contrib.solvers.{name}"
        for name in ("lanczos", "least_squares", "linear_equations", "util")
    },
}


def _name(inside: str) -> str:
    """Return the name of a module of `steepest.v1`, for the path below ``tensorflow``.

    TensorFlow's messages, ``tensorflow.core``, are below ``python`` too. What lies below
    ``tensorflow.contrib.layers.python`` has the public names of ``tf.contrib.layers``, and so on; only data sets have
    modules of their own there.
    """
    if inside == "compat.v2":
        return f"{_TOP}.python.compat_v2"
    for prefix in ("compat.v1", "_api.v1"):
        if inside == prefix or inside.startswith(f"{prefix}."):
            inside = inside[len(prefix) + 1 :]
    package, *path = inside.split(".")
    if path[:4] == ["learn", "python", "learn", "datasets"]:
        inside = ".".join(["contrib", "learn", *path[3:]])
    elif package == "contrib" and (path[1:2] == ["python"] or (len(path) > 1 and path[0] in _FLAT)):
        inside = _OF_CONTRIB.get(".".join([path[0], *path[3:4]]), f"contrib.{path[0]}")
    if package == "core":
        inside = f"python.{inside}"
    return f"{_TOP}.{inside}" if inside else _TOP


def install() -> None:
    """Let ``import tensorflow`` give `steepest.v1` in this process, whether TensorFlow is installed or not.

    Raises:
        RuntimeError: where another ``tensorflow`` has been imported.
    """
    if "tensorflow" in sys.modules and sys.modules["tensorflow"] is not sys.modules.get(_TOP):
        raise RuntimeError("steepest: tensorflow must not have been imported before, got another module of that name")
    if not any(isinstance(finder, _Alias) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Alias())
    importlib.import_module("tensorflow")
    missing.open_folder = left_out.folder  # asking for one is no error yet: a program may not use it
    log.rename("tensorflow")
