"""``tf.flags``: command-line flags, which are absl's where absl-py is installed, and else this package's own."""

from __future__ import annotations

from typing import Any

from .command_line import defining, flag, flag_errors, flag_parsers, flag_values, validators
from .command_line.defining import *
from .command_line.of_absl import FLAGS, FlagsOf, absl_module
from .command_line.validators import *
from .graph.missing import namespace

__all__ = ["FLAGS", *defining.__all__, *validators.__all__]

_missing, __dir__ = namespace(__name__)
_KINDS = (flag, flag_errors, flag_parsers, flag_values)
_FlagValuesWrapper = FlagsOf


def __getattr__(name: str) -> Any:
    """Return a class: of flags, of their errors and of what reads their texts."""
    absl = absl_module("flags") if not name.startswith("_") else None
    if absl is not None and name in absl.__all__:
        return getattr(absl, name)
    for kinds in _KINDS:
        if absl is None and name in kinds.__all__:
            return getattr(kinds, name)
    return _missing(name)
