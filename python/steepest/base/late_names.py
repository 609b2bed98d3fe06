"""Public names whose modules are imported when they are first asked for, so that the package is imported sooner."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from .locks import lock_across_forks

__all__ = ["late_names"]

# In the child of a fork a module that another thread was importing is never there: a fork waits for this lock. Modules
# that have late names are not to be asked for them by modules that such a name imports, which would take it second.
_lock = lock_across_forks()


def late_names(
    package: str, modules: Mapping[str, Sequence[str]], short: Mapping[str, str], holder: str | None = None
) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package, or of a module ``holder`` that has names of its modules.

    ``modules`` has the names that each module below the package has for it; the module's own name stands for itself.
    ``short`` has second names of such names. What type checkers know is imported under ``TYPE_CHECKING`` beside it.
    """
    sources = {name: f"{package}.{module}" for module, names in modules.items() for name in names}

    def __getattr__(name: str) -> Any:
        full = short.get(name, name)
        source = sources.get(full)
        if source is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with _lock:
            module = import_module(source)
            value = module if source == f"{package}.{full}" else getattr(module, full)
        setattr(sys.modules[holder or package], name, value)
        return value

    return __getattr__
