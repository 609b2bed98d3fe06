"""What ``tf.Variable`` makes in eager mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...variables.variable import Variable
from ..graph.dtypes import as_dtype

__all__ = ["eager_variable"]


def eager_variable(
    initial_value: Any = None,
    trainable: bool = True,
    collections: Sequence[str] | None = None,
    validate_shape: bool = True,
    caching_device: Any = None,
    name: str | None = None,
    variable_def: Any = None,
    dtype: Any = None,
    **accepted: Any,
) -> Variable:
    """Return a variable of the core, for the arguments of TensorFlow's in their order."""
    del validate_shape, caching_device, variable_def, accepted
    dtype = None if dtype is None else as_dtype(dtype).dtype
    return Variable(initial_value, True if trainable is None else trainable, name, dtype, collections)
