"""TensorFlow's ``error_codes_pb2``: the numbers of the kinds of errors, as an enumeration too."""

from __future__ import annotations

from ..graph import errors
from .numbered_types import Enumeration

# Protobuf's compiler wants a last one, which nobody uses.
_LAST = "DO_NOT_USE_RESERVED_FOR_FUTURE_EXPANSION_USE_DEFAULT_IN_SWITCH_INSTEAD_"
_NUMBERS = {name: getattr(errors, name) for name in errors.__all__ if name.isupper()}
_NUMBERS = {**dict(sorted(_NUMBERS.items(), key=lambda item: item[1])), _LAST: 20}

Code = Enumeration("Code", _NUMBERS)
globals().update(_NUMBERS)
__all__ = ["Code", *_NUMBERS]
