"""Variables as operations, under TensorFlow's internal names: they have no value until one is assigned."""

from __future__ import annotations

from typing import Any

from ..graph.dtypes import as_dtype
from ..graph.node import Tensor
from ..graph.shapes import as_shape
from ..ops.creation_ops import zeros
from .variables import Variable

__all__ = ["variable", "variable_op", "variable_op_v2", "variable_v2"]


def variable(shape: Any, dtype: Any, container: str = "", shared_name: str = "", name: str | None = None) -> Tensor:
    """Return the tensor of a new variable, which is in no collection and has no value.

    Source: ``gen_state_ops.variable``.
    """
    return _raw(as_shape(shape), dtype, name or shared_name or "Variable", container)


def variable_op(
    shape: Any,
    dtype: Any,
    name: str = "Variable",
    set_shape: bool = True,
    container: str = "",
    shared_name: str = "",
) -> Tensor:
    """Return `variable`; without ``set_shape`` its shape is not known. Source: ``state_ops.variable_op``."""
    del shared_name
    return _raw(as_shape(shape) if set_shape else None, dtype, name, container)


def variable_op_v2(
    shape: Any, dtype: Any, name: str = "Variable", container: str = "", shared_name: str = ""
) -> Tensor:
    """Return `variable`. Source: ``state_ops.variable_op_v2``."""
    return variable_op(shape, dtype, name, True, container, shared_name)


variable_v2 = variable


def _raw(shape: Any, dtype: Any, name: str, container: str) -> Tensor:
    known = shape is not None and None not in shape
    first = zeros([size or 0 for size in shape or ()], as_dtype(dtype).base_dtype)
    made = Variable(first, False, [], known, name=name)
    if container:
        made.op._attributes["container"] = container.encode()
    return made._tensor()
