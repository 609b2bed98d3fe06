"""Functions of ``pywrap_tfe``: what TensorFlow's eager mode asks of the part that is not in Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.tensor import Tensor
from ..graph.errors import InvalidArgumentError
from ..ops.sparse_ops import convert_to_tensor
from .eager_context import Context
from .eager_core import _FallbackException
from .eager_execute import ATTRIBUTES, operation_of

__all__ = ["TFE_Py_FastPathExecute", "TFE_Py_RegisterExceptionClass", "TFE_Py_TensorShapeSlice"]


def TFE_Py_FastPathExecute(*args: Any) -> Any:
    """Compute an operation.

    Args:
        args: of TensorFlow 2 the context, the name of the type and that of the operation; of TensorFlow 1 a handle, the
            name of a device, these two names, and callbacks. Then the inputs, and names of attributes, each with its
            value behind it.

    Raises:
        ValueError: for too few arguments.
        TypeError: for another name of a type than a text.
        _FallbackException: for attributes of other kinds.
    """
    least = 3 if not args or isinstance(args[0], Context) else 5
    if len(args) < least:
        raise ValueError(
            f"There must be at least {least} items in the input tuple, got {len(args)}: the context, the name of the "
            "type and that of the operation"
        )
    if len(args) == least:
        raise ValueError(f"Tuple size smaller than intended. Expected to be at least {least + 1}, was {least}")
    kind, name = args[1:3] if least == 3 else args[2:4]
    if not isinstance(kind, (str, bytes)):
        raise TypeError(f"expected a string for op_name, got {type(kind).__name__} instead")
    inputs = list(args[least:])
    given: dict[str, Any] = {}
    while len(inputs) > 1 and isinstance(inputs[-2], str) and inputs[-2] in ATTRIBUTES:
        value = inputs.pop()
        given[inputs.pop()] = value
    try:
        return operation_of(kind.decode() if isinstance(kind, bytes) else kind, inputs, given, name)
    except InvalidArgumentError as error:
        if isinstance(error.__cause__, (TypeError, ValueError)):
            raise _FallbackException(str(error)) from error
        raise


def TFE_Py_RegisterExceptionClass(e: Any) -> None:
    """Accept a class of exceptions; TypeError for another object: errors are of their own classes from the start."""
    if not (isinstance(e, type) and issubclass(e, Exception)):
        raise TypeError("TFE_Py_RegisterExceptionClass: Registered class should be subclass of Exception.")


def TFE_Py_TensorShapeSlice(tensors: Any, slice_dim: int) -> Any:
    """Return the sizes of tensors along an axis, as a tensor of int32.

    Raises TypeError for no list of tensors, ValueError for a negative axis, IndexError for one that a tensor lacks.
    """
    if not isinstance(tensors, (list, tuple)):
        raise TypeError(f'tensors argument must be a list or a tuple. Got "{_kind(tensors)}"')
    if slice_dim < 0:
        raise ValueError(f"Slice dimension must be non-negative. Got {slice_dim}")
    for k, tensor in enumerate(tensors):
        if not isinstance(tensor, Tensor):
            raise TypeError(f'Expected a list of EagerTensors but element {k} has type "{_kind(tensor)}"')
        if slice_dim >= np.ndim(tensor.value):
            raise IndexError(
                f"Slice dimension ({slice_dim}) must be smaller than rank of all tensors, but tensor at index {k} has "
                f"rank {np.ndim(tensor.value)}"
            )
    return convert_to_tensor(np.array([np.shape(tensor.value)[slice_dim] for tensor in tensors], np.int32))


def _kind(value: Any) -> str:
    return "EagerTensor" if isinstance(value, Tensor) else type(value).__name__
