"""What is installed and what runs: versions, instruction set, threads."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from .. import _core
from .errors import must

__all__ = ["config", "get_num_threads", "package_version", "set_num_threads"]

_VARIABLE = "STEEPEST_NUM_THREADS"


def package_version() -> str:
    """Return the installed version of steepest, or "unknown" for a source tree that is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and rarely needed

    try:
        return version("steepest")
    except PackageNotFoundError:
        return "unknown"


def config() -> dict[str, Any]:
    """Return what matters for a bug report or a benchmark, as a dict.

    Keys: ``version``, ``isa`` (the instruction set in use), ``isa_available``, ``threads``, ``processors`` (that this
    process may run on), ``eigen``, ``pybind11``, ``compiler``, ``numpy``.
    """
    build = _core.build_info()
    return {
        "version": package_version(),
        "isa": build["isa"],
        "isa_available": build["isa_available"],
        "threads": get_num_threads(),
        "processors": _core.available_processors(),
        "eigen": build["eigen"],
        "pybind11": build["pybind11"],
        "compiler": build["compiler"],
        "numpy": np.__version__,
    }


def get_num_threads() -> int:
    """Return how many threads large updates use."""
    return _core.get_num_threads()


def set_num_threads(threads: int) -> None:
    """Set how many threads large updates use; no result depends on it.

    The default is the environment variable ``STEEPEST_NUM_THREADS``, else the processors that this process may run on.

    Raises:
        TypeError: for what is not an integer.
        ValueError: for less than 1 or more than 1024.
    """
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)):
        raise TypeError(must("set_num_threads", "threads", "be an integer", threads))
    if not 1 <= threads <= 1024:
        raise ValueError(must("set_num_threads", "threads", "be in [1, 1024]", threads))
    _core.set_num_threads(int(threads))


def _from_environment() -> None:
    text = os.environ.get(_VARIABLE, "").strip()
    if not text:
        return
    try:
        set_num_threads(int(text))
    except ValueError as error:
        raise ValueError(must("steepest", _VARIABLE, "be an integer in [1, 1024]", repr(text))) from error


_from_environment()
