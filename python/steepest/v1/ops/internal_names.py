"""Functions that TensorFlow has in its internal modules alone, which programs import from there."""

from __future__ import annotations

import inspect
import re
from abc import ABC
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import Operand, apply
from ...ops.indexed_slices import IndexedSlices
from ...ops.registry import Primitive
from ...variables.names import get_default_store
from ..graph import shape_inference
from ..graph.build import call
from ..graph.constants import constant
from ..graph.dimension import Dimension
from ..graph.gradient_registry import REGISTRY
from ..graph.graph import get_default_graph, within_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation, Tensor
from ..graph.run_values import array_of
from ..graph.same_graph import _assert_same_graph, _get_graph_from_inputs
from ..graph.static_values import constant_value_as_shape
from .array_ops import identical, shape
from .control_flow_ops import with_dependencies
from .counting_ops import unique_v2, unique_with_counts_v2
from .creation_ops import range as range_
from .math_ops import add
from .rearranging_ops import reverse
from .sparse_ops import SparseTensor, convert_to_tensor
from .special_math_ops import multiply_no_nan

__all__ = [
    "_TensorLike",
    "_as_graph_element",
    "_as_indexed_slices",
    "_assert_same_graph",
    "_get_graph_from_inputs",
    "add_v2",
    "approximate_equal",
    "constant_v1",
    "constant_value_as_shape",
    "get_gradient_function",
    "get_name_scope",
    "getargspec",
    "getfullargspec",
    "has_default_graph",
    "is_dense_tensor_like",
    "mul_no_nan",
    "prepend_name_scope",
    "prevent_gradient",
    "reverse_v2",
    "shape_tensor",
    "strip_name_scope",
    "unique_v2",
    "unique_with_counts_v2",
    "with_dependencies",
]

add_v2, constant_v1, reverse_v2, mul_no_nan = add, constant, reverse, multiply_no_nan
getargspec = getfullargspec = inspect.getfullargspec


class _TensorLike(ABC):  # noqa: B024 - classes are registered as its subclasses
    """What `isinstance` takes for a tensor: results of operations, and slices or sparse tensors of them."""


for _kind in (Tensor, IndexedSlices, SparseTensor):
    _TensorLike.register(_kind)


def is_dense_tensor_like(t: Any) -> bool:
    """Tell whether something is a tensor or a variable."""
    return isinstance(t, (Node, Operand))


def shape_tensor(shape: Any) -> Any:
    """Return a shape, or a list of sizes, as a tensor: int32 where nothing says otherwise."""
    if isinstance(shape, (list, tuple)):
        shape = [size.value if isinstance(size, Dimension) else size for size in shape] or np.array([], np.int32)
    return convert_to_tensor(shape, name="shape")


def _as_graph_element(obj: Any) -> Any:
    """Return the tensor that a variable stands for; None for other objects."""
    return obj._tensor() if isinstance(obj, Node) and not isinstance(obj, Tensor) else None


def get_name_scope() -> str:
    """Return the name scope of the default graph, or eager mode's, without the last ``/``."""
    name: str = get_default_store().state.name_scope if executing_eagerly() else get_default_graph().get_name_scope()
    return name


def has_default_graph() -> bool:
    """Tell whether a program is inside ``with graph.as_default()``."""
    return within_graph()


def strip_name_scope(name: str, export_scope: str) -> str:
    """Return the name of an operation without the scope it begins with, whether ``^`` or ``loc:@`` is before it."""
    if not export_scope:
        return name
    scope = export_scope.rstrip("/")
    return re.sub(rf"([\^]|loc:@|^){re.escape(scope)}[\/]+(.*)", r"\1\2", name, count=1)


def prepend_name_scope(name: str, import_scope: str) -> str:
    """Return the name of an operation with a scope before it, behind ``^`` or ``loc:@``."""
    if not import_scope:
        return name
    scope = import_scope.rstrip("/")
    return re.sub(r"([\^]|loc:@|^)(.*)", rf"\1{scope}/\2", name, count=1)


def get_gradient_function(op: Operation) -> Callable[..., Any] | None:
    """Return the function that ``tf.RegisterGradient`` has for the type of an operation; LookupError without one."""
    given = op._attributes.get("_gradient_op_type")
    name = op.type if given is None else given.decode()
    if name in ("PyFunc", "PyFuncStateless"):
        return None
    if name not in REGISTRY:
        raise LookupError(f"gradient registry has no entry for: {name}")
    found: Callable[..., Any] | None = REGISTRY[name]
    return found


def prevent_gradient(input: Any, message: str = "", name: str | None = None) -> Any:
    """Return the same value; a gradient that would flow through it raises LookupError."""
    text = message.encode()

    def refused(g: Any, y: Any, x: Any) -> Any:
        raise LookupError(f"Gradient explicitly disabled. Reason: {text!r}")

    primitive = Primitive(lambda x: x, (refused,))
    return call(
        "PreventGradient",
        lambda value: apply(primitive, (identical(value),)),
        (input,),
        name=name,
        shape=shape_inference.same,
        attributes={"message": text},
    )


def _as_indexed_slices(x: Any, optimize: bool = True) -> IndexedSlices:
    """Return all rows of a tensor as `IndexedSlices`."""
    if isinstance(x, IndexedSlices):
        return x
    sizes = shape(x)
    return IndexedSlices(x, range_(0, sizes[0]), sizes)


def approximate_equal(x: Any, y: Any, tolerance: float = 1e-5, name: str | None = None) -> Any:
    """Tell where two tensors of one shape differ by less than ``tolerance``."""

    def shape_fn(left: Any, right: Any) -> Any:
        if left is not None and right is not None and len(left) != len(right):
            raise ValueError(f"Shapes must be equal rank, but are {len(left)} and {len(right)}")
        return shape_inference.merged(left, right)

    def near(a: Any, b: Any) -> Any:
        a, b = array_of(a), array_of(b)
        if a.shape != b.shape:
            raise ValueError(f"x and y must be of the same shape. x shape: {a.shape}. y shape: {b.shape}")
        return np.abs(a - b) < a.dtype.type(tolerance)

    return call("ApproximateEqual", near, (x, y), name=name, shape=shape_fn, dtype="bool", differentiable=False)
