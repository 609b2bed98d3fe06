"""Handles of variables: tensors of the type ``resource``, which stand for the variable and not for its value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import ref

import numpy as np

from ...ops.tensor import Tensor as EagerTensor
from ...variables.variable import Variable as EagerVariable
from ..graph.devices import LOCAL_CPU
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError, NotFoundError
from ..graph.identity_dicts import ObjectIdentityWeakKeyDictionary
from ..graph.node import Node, Operation, Tensor
from ..graph.session_values import lifted, no_resource

__all__ = ["EagerHandle", "Handle", "Resource", "as_handle", "handle_of", "handle_that_keeps", "is_kept", "variable_of"]

_PASSING = frozenset(
    {"Identity", "IdentityN", "PartitionedCall", "PreventGradient", "StatefulPartitionedCall", "StopGradient"}
)
_BYTES = np.dtype([("resource", np.ubyte)])


class Handle(Tensor):
    """The handle of a graph's variable: its operation is the variable's, its type ``resource``."""

    __slots__ = ("_read", "_variable")

    def __init__(self, variable: Node) -> None:
        super().__init__(variable.op, 0, as_dtype("resource"), ())
        self._variable = variable
        self._read: Tensor | None = None

    def _tensor(self) -> Tensor:
        """Return the result of an operation of its own, for a function that takes the handle as a value."""
        if self._read is None:
            self._read = _handle_operation(self.op).outputs[0]
        return self._read


def _handle_operation(variable: Operation) -> Operation:
    """Return the operation that gives a variable's handle: the bytes of its name."""
    graph, told = variable.graph, variable.name.encode()
    with lifted(graph), graph.name_scope(f"{variable.name}/"):
        name = graph._operation_name(None, "VarHandleOp")
    results: Any = [(as_dtype("resource"), ())]

    def handle() -> Any:
        return np.frombuffer(told, _BYTES)

    return Operation(
        graph, "VarHandleOp", name, handle, (), results, differentiable=False, attributes={"target": variable}
    )


class Resource:
    """What a handle stands for."""

    __slots__ = ("__weakref__", "name")

    def __init__(self, name: str) -> None:
        self.name = name

    def told(self) -> str:
        """Return what is shown of it."""
        raise NotImplementedError

    def place(self, kind: str, more: str = "") -> str:
        where = f'device="{LOCAL_CPU}", container="localhost", type="{kind}"{more}'
        return f'<ResourceHandle(name="{self.name}", {where})>'


class _Resource(Resource):
    """Tells whose handle it is: ``variable()`` is the variable, None once nothing keeps it."""

    __slots__ = ("variable",)

    def __init__(self, name: str, variable: Callable[[], Any]) -> None:
        super().__init__(name)
        self.variable = variable

    def told(self) -> str:
        variable = self.variable()
        if variable is None:
            return self.place("tensorflow::Var")
        sizes = "<unknown>" if variable.shape.ndims is None else str(variable.shape.as_list()).replace(" ", "")
        enum = variable.dtype.base_dtype.as_datatype_enum
        return self.place("tensorflow::Var", f', dtype and shapes : "[ DType enum: {enum}, Shape: {sizes} ]"')


class NoArrayError(InvalidArgumentError, ValueError):
    """A tensor that is no array of NumPy's: TensorFlow 1 raises ValueError, TensorFlow 2 InvalidArgumentError."""


class EagerHandle(EagerTensor):
    """The handle of a variable or a table in eager mode: a tensor that has no value to show."""

    __slots__ = ()

    dtype = property(lambda self: as_dtype("resource"))

    def numpy(self) -> Any:
        """Raise NoArrayError: what a handle holds is no number."""
        raise NoArrayError(None, None, "Cannot convert a Tensor of dtype resource to a NumPy array.")

    _numpy = numpy

    def __getitem__(self, index: Any) -> Any:
        """Return the handle with more axes, or one of it without them."""
        return EagerHandle(np.asarray(self.value)[index])

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape=(), dtype=resource, value={self._shown()}>"

    def __str__(self) -> str:
        return f"tf.Tensor({self._shown()}, shape=(), dtype=resource)"

    def __format__(self, format_spec: str) -> str:
        return format(self._shown(), format_spec)

    def _shown(self) -> str:
        return " ".join(held.told() for held in np.ravel(np.asarray(self.value)))


_handles = ObjectIdentityWeakKeyDictionary()
"""Those of eager variables, of which ``==`` may compare elements; a graph's variable keeps its own."""


def handle_of(variable: Any) -> Any:
    """Return the handle of a variable, always the same one."""
    if not isinstance(variable, EagerVariable):
        return variable.__dict__.setdefault("_own_handle", Handle(variable))
    handle = _handles.get(variable)
    if handle is None:
        handle = _handles[variable] = _eager_handle(variable._name, ref(variable))
    return handle


def handle_that_keeps(variable: Any) -> Any:
    """Return a handle that keeps its variable, which nothing else may know."""
    if isinstance(variable, EagerVariable):
        return _eager_handle(variable._name, lambda: variable)
    return handle_of(variable)


def is_kept(handle: Any) -> bool:
    """Tell whether a handle of eager mode keeps its variable, as `handle_that_keeps` makes them."""
    return not isinstance(np.asarray(handle.value).item().variable, ref)


def _eager_handle(name: str, variable: Callable[[], Any]) -> EagerHandle:
    return EagerHandle(np.array(_Resource(name, variable), object))


def as_handle(value: Any) -> Any:
    """Return what a graph or an operation gives for handles as a tensor again, any other value as it is."""
    if isinstance(value, Resource):
        return EagerHandle(np.array(value, object))
    handles = isinstance(value, np.ndarray) and value.dtype == object and value.size
    return EagerHandle(value) if handles and isinstance(value.flat[0], Resource) else value


def variable_of(resource: Any) -> Any:
    """Return the variable that a handle, or what was passed on of it, stands for; what is no handle as it is.

    Raises NotFoundError for the handle of a variable of eager mode that is gone.
    """
    if isinstance(resource, Handle):
        return resource._variable
    if isinstance(resource, EagerTensor):
        value = np.asarray(resource.value)
        held = value.item() if value.dtype == object and value.ndim == 0 else None
        if not isinstance(held, _Resource):
            return resource
        variable = held.variable()
        if variable is None:
            raise NotFoundError(None, None, no_resource(held.name))
        return variable
    if isinstance(resource, Tensor) and resource.dtype.name == "resource":
        tensor: Tensor = resource
        while tensor.op.type in _PASSING:
            tensor = tensor.op.operands[tensor.value_index]
        if tensor.op.type == "VarHandleOp":
            return tensor.op.get_attr("target").get_attr("owner")
    return resource
