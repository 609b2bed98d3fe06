"""Paths of TensorFlow's modules that lie elsewhere here: programs import them below ``tensorflow`` or `steepest.v1`.

``from tensorflow.core.protobuf import config_pb2`` of a program becomes ``from steepest.v1.core.protobuf import
config_pb2`` where it is changed; or it stays as it is, under ``python -m steepest tf1 program.py``.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

__all__ = ["Alias", "full_name", "is_here", "own_path"]

_TOP = "steepest.v1"
_FLAT = ("optimizer_v2", "summary")
"""Packages of ``tf.contrib`` whose modules are not below a package ``python``."""

# What lies in a module of its own below a part of contrib.
_OF_CONTRIB = {
    "bayesflow.monte_carlo_impl": "contrib.bayesflow.monte_carlo",
    "distributions.bijectors": "contrib.distributions.bijectors",
    **{
        f"solvers.{name}": f"contrib.solvers.{name}"
        for name in ("lanczos", "least_squares", "linear_equations", "util")
    },
}
# Folders of TensorFlow's, the deepest first, and where their contents are.
_FOLDERS = {
    "compat.v1": "",
    "_api.v1": "",
    "_api": "",
    "app.flags": "flags",
    "core": "python.core",
    "tensorboard": "contrib.tensorboard",
}


def own_path(inside: str) -> str:
    """Return the path of a module below `steepest.v1`, for the path below ``tensorflow``; both may be empty.

    TensorFlow's messages, ``tensorflow.core``, are below ``python`` too. What lies below
    ``tensorflow.contrib.layers.python`` has the public names of ``tf.contrib.layers``, and so on; only data sets have
    modules of their own there.
    """
    if inside == "compat.v2":
        return "python.compat_v2"
    for folder, here in _FOLDERS.items():
        if inside == folder or inside.startswith(f"{folder}."):
            inside = f"{here}{inside[len(folder) :]}".lstrip(".")
            break
    package, *path = inside.split(".")
    if path[:4] == ["learn", "python", "learn", "datasets"]:
        return ".".join(["contrib", "learn", *path[3:]])
    if package == "contrib" and (path[1:2] == ["python"] or (len(path) > 1 and path[0] in _FLAT)):
        return _OF_CONTRIB.get(".".join([path[0], *path[3:4]]), f"contrib.{path[0]}")
    return inside


def full_name(inside: str) -> str:
    """Return the name of the module for a path below ``tensorflow``."""
    return f"{_TOP}.{own}" if (own := own_path(inside)) else _TOP


def is_here(name: str) -> bool:
    """Tell whether there is a module of a name."""
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # a folder above it is missing too
        return False


class Alias(MetaPathFinder, Loader):
    """Finds modules below a package by TensorFlow's paths, in `steepest.v1`."""

    def __init__(self, package: str) -> None:
        self.package = package
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of an alias; None for other names, and for a module that is not here."""
        inside = fullname.removeprefix(f"{self.package}.")
        if inside == fullname or full_name(inside) == fullname or not is_here(full_name(inside)):
            return None
        return self.spec(fullname)

    def spec(self, fullname: str) -> ModuleSpec | None:
        """Return the spec of an alias."""
        return importlib.util.spec_from_loader(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module itself, which keeps its own spec."""
        module = self.module(spec.name.removeprefix(self.package).lstrip("."))
        self._specs[spec.name] = module.__spec__
        return module

    def module(self, inside: str) -> ModuleType:
        """Return the module of a path below the package."""
        return importlib.import_module(full_name(inside))

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own spec back: the import system has put the alias's there."""
        assert module.__spec__ is not None
        module.__spec__ = self._specs.pop(module.__spec__.name)


class _Replaced(Alias):
    """Finds modules below ``tensorflow`` where a program has put `steepest.v1` there: ``sys.modules["tensorflow"]``."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of an alias; None where ``tensorflow`` is another module, or none."""
        replaced = sys.modules.get(self.package) is sys.modules[_TOP]
        return super().find_spec(fullname, path, target) if replaced else None


sys.meta_path.insert(0, _Replaced("tensorflow"))
sys.meta_path.insert(0, Alias(_TOP))  # first: the folder of a module that has two paths holds the files of both
