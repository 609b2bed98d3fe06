"""``tf.experimental``: types of several tensors that a program makes, element types of few bits, and calls at once."""

from typing import Any

from .dtypes import _LATE, as_dtype
from .graph.missing import namespace
from .ops.extension_types import BatchableExtensionType, ExtensionType, ExtensionTypeSpec, as_dict
from .python.eager_context import async_clear_error, async_scope, function_executor_type
from .python.strict_mode import enable_strict_mode

__all__ = [
    "BatchableExtensionType",
    "ExtensionType",
    "ExtensionTypeSpec",
    "as_dict",
    "async_clear_error",
    "async_scope",
    "enable_strict_mode",
    "function_executor_type",
]

# TensorFlow has `as_dict` in `tf.experimental.extension_type`: this module stands for it.
_missing, __dir__ = namespace(__name__, "extension_type")


def __getattr__(name: str) -> Any:
    return as_dtype(name) if name in _LATE - {"bfloat16"} else _missing(name)
