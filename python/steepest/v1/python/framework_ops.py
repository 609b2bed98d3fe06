"""Functions of TensorFlow's internal module ``framework.ops`` that take more than their public forms."""

from __future__ import annotations

import itertools
from typing import Any

from ..functions.body_exits import add_exit_callback_to_default_func_graph
from ..graph.composites import is_composite
from ..graph.conversion_registry import converted
from ..graph.default_session import default_session
from ..graph.default_session import entered_sessions as _default_session_stack
from ..graph.devices import DeviceSpec
from ..graph.dtypes import as_dtype
from ..graph.graph import _stack as _default_graph_stack
from ..graph.graph_def import NodeDef
from ..graph.mode import enable_eager_execution as enable_eager_execution_internal
from ..graph.scopes import name_scope_v2
from ..ops.internal_names import get_name_scope as get_current_name_scope
from ..ops.sparse_ops import convert_to_tensor as _public

__all__ = [
    "_NodeDef",
    "_default_graph_stack",
    "_default_session_stack",
    "add_exit_callback_to_default_func_graph",
    "convert_to_tensor",
    "convert_to_tensor_or_composite",
    "default_session",
    "enable_eager_execution_internal",
    "get_collection_proto_type",
    "get_current_name_scope",
    "get_from_proto_function",
    "get_to_proto_function",
    "name_scope_v2",
    "register_proto_function",
    "uid",
]

_numbers = itertools.count(1)


def convert_to_tensor(
    value: Any,
    dtype: Any = None,
    name: str | None = None,
    as_ref: bool = False,
    preferred_dtype: Any = None,
    dtype_hint: Any = None,
    **options: Any,
) -> Any:
    """Return a node for a value. Registered functions that convert are given ``as_ref``, and may pass it on."""
    del as_ref, options
    return _public(value, dtype, name, preferred_dtype, dtype_hint)


def convert_to_tensor_or_composite(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Return a node for a value; what has several tensors as its parts, or becomes it, is returned as it is.

    Raises ValueError where it is of another type than ``dtype``. Source: ``ops.convert_to_tensor_or_composite``.
    """
    if not is_composite(value):
        made = converted(value, None if dtype is None else as_dtype(dtype), name)
        if made is None or not is_composite(made):
            return convert_to_tensor(value if made is None else made, dtype, name)
        value = made
    if dtype is not None and not as_dtype(dtype).is_compatible_with(value.dtype):
        raise ValueError(
            f"Tensor conversion requested dtype {as_dtype(dtype).name} for Tensor with dtype {value.dtype.name}: "
            f"{value!r}"
        )
    return value


def uid() -> int:
    """Return a number that no call of this process returned before."""
    return next(_numbers)


_proto_functions: dict[str, tuple[Any, Any, Any]] = {}


def register_proto_function(
    collection_name: str, proto_type: Any = None, to_proto: Any = None, from_proto: Any = None
) -> None:
    """Note how the members of a collection become messages, for who asks; a graph's file does without them.

    Raises TypeError for functions that are not callable.
    """
    for function in (to_proto, from_proto):
        if function is not None and not callable(function):
            raise TypeError("to_proto and from_proto must be callable.")
    _proto_functions[collection_name] = (proto_type, to_proto, from_proto)


def get_collection_proto_type(collection_name: str) -> Any:
    """Return the type of messages that was noted for a collection, or None."""
    return _proto_functions.get(collection_name, (None,) * 3)[0]


def get_to_proto_function(collection_name: str) -> Any:
    """Return the function to messages that was noted for a collection, or None."""
    return _proto_functions.get(collection_name, (None,) * 3)[1]


def get_from_proto_function(collection_name: str) -> Any:
    """Return the function from messages that was noted for a collection, or None."""
    return _proto_functions.get(collection_name, (None,) * 3)[2]


def _NodeDef(op_type: str, name: str, device: Any = None, attrs: dict[str, Any] | None = None) -> NodeDef:
    """Return the message of an operation of a type."""
    where = device.to_string() if isinstance(device, DeviceSpec) else device or ""
    return NodeDef(name, op_type, [], where, None, dict(attrs or {}))
