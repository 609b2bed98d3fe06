"""TensorFlow's operations on resources, under its internal names: ``read_variable_op``, ``resource_scatter_add``.

They take the handle of a variable, or the variable itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

from ...base.errors import must
from ...variables.variable import Variable as EagerVariable
from ..graph.dtypes import as_dtype, name_in_messages
from ..graph.errors import InvalidArgumentError, NotFoundError
from ..graph.graph import Graph, get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.session import Session
from ..graph.session_values import no_resource
from ..graph.shapes import TensorShape, as_shape
from ..ops.array_ops import identity
from ..ops.array_ops import shape as shape_of
from ..ops.creation_ops import zeros
from ..ops.gather_ops import gather
from ..ops.position_ops import gather_nd
from ..ops.sparse_ops import convert_to_tensor
from . import scatter_ops, state_ops
from .empty_variable import EmptyVariable
from .handles import handle_that_keeps, is_kept, variable_of
from .variables import Variable
from .variables_initializer import is_variable_initialized
from .write_op import target_of, write_operation

__all__: list[str] = []  # filled below


def _operation(kind: str) -> Callable[..., Any]:
    function = getattr(scatter_ops, f"scatter_{kind}")

    def operation(resource: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
        done = function(variable_of(resource), indices, updates, name=name)
        return None if executing_eagerly() else done.op

    operation.__name__ = operation.__qualname__ = f"resource_scatter_{kind}"
    operation.__doc__ = f"Return the operation that does what ``tf.scatter_{kind}`` does; in eager mode None."
    return operation


for _kind in ("add", "div", "max", "min", "mul", "nd_add", "nd_max", "nd_min", "nd_sub", "nd_update", "sub", "update"):
    _made = _operation(_kind)
    globals()[_made.__name__] = _made
    __all__.append(_made.__name__)

ANONYMOUS = "cd2c89b7-88b7-44c8-ad83-06c2a9158347"  # TensorFlow's shared name of what is shared with nobody
_shared: WeakValueDictionary[Any, Any] = WeakValueDictionary()
"""What `var_handle_op` made under a shared name, by graph (None: eager mode), container and name."""


def var_handle_op(dtype: Any, shape: Any, container: str = "", shared_name: str = "", name: str | None = None) -> Any:
    """Return the handle of a variable that has no value until `assign_variable_op` gives it one.

    With ``shared_name`` it is that of the variable that has this name, in this container, already.
    """
    graph = None if executing_eagerly() else get_default_graph()
    key = (graph, container, shared_name)
    shared_name = "" if shared_name == ANONYMOUS else shared_name
    known = (_shared.get(key) or _named(*key)) if shared_name else None
    if known is not None:
        return handle_that_keeps(known)
    sizes, kind = as_shape(shape), as_dtype(dtype).base_dtype
    begins = zeros([size or 0 for size in sizes or ()], kind)
    own_name = name or shared_name or "VarHandleOp"
    made = Variable(begins, False, [], name=own_name, use_resource=True, shape=TensorShape(sizes))
    if graph is None:
        EmptyVariable.empty(made)
    if shared_name:
        _shared[key] = made
    return handle_that_keeps(made)


def _named(graph: Graph | None, container: str, name: str) -> Any:
    op = None if graph is None else graph._operations.get(name)
    found = op is not None and op.type == "VariableV2" and op._attributes.get("container", b"") == container.encode()
    return op.get_attr("owner") if op is not None and found else None


def read_variable_op(resource: Any, dtype: Any, name: str | None = None) -> Any:
    """Return the value of a variable; ValueError for another type, in eager mode InvalidArgumentError."""
    variable = variable_of(resource)
    _check_dtype("read_variable_op", variable, dtype)
    return identity(variable, name or "ReadVariableOp")


def _writer(op_type: str, change: Callable[..., Any]) -> Callable[..., Any]:
    def operation(resource: Any, value: Any, name: str | None = None) -> Any:
        variable, value = variable_of(resource), convert_to_tensor(value)
        _check_dtype(operation.__name__, variable, value.dtype)
        done = change(variable, value, name=name or op_type)
        return None if executing_eagerly() else done.op

    return operation


def _assign(variable: Any, value: Any, name: str) -> Any:
    """Overwrite a variable; in eager mode no shape is asked for, as a handle's kernel does not know one."""
    if isinstance(variable, EagerVariable):
        variable._replace(value)
        return None
    return state_ops.assign(variable, value, name=name)


assign_variable_op = _writer("AssignVariableOp", _assign)
assign_add_variable_op = _writer("AssignAddVariableOp", state_ops.assign_add)
assign_sub_variable_op = _writer("AssignSubVariableOp", state_ops.assign_sub)
for _kind in ("assign", "assign_add", "assign_sub"):
    _made = globals()[f"{_kind}_variable_op"]
    _made.__name__ = _made.__qualname__ = f"{_kind}_variable_op"
    _made.__doc__ = f"Return the operation that does what ``tf.{_kind}`` does; in eager mode None."


def resource_gather(
    resource: Any, indices: Any, dtype: Any, batch_dims: int = 0, validate_indices: bool = True, name: str | None = None
) -> Any:
    """Return rows of a variable; ValueError for another type."""
    variable = variable_of(resource)
    _check_dtype("resource_gather", variable, dtype)
    if batch_dims < 0:
        said = f"batch_dims is negative ({batch_dims})"
        raise InvalidArgumentError(None, None, said) if executing_eagerly() else ValueError(said)
    return gather(variable, indices, name=name or "ResourceGather", batch_dims=batch_dims)


def resource_gather_nd(resource: Any, indices: Any, dtype: Any, name: str | None = None) -> Any:
    """Return elements, or parts, of a variable; ValueError for another type."""
    variable = variable_of(resource)
    _check_dtype("resource_gather_nd", variable, dtype)
    return gather_nd(variable, indices, name=name or "ResourceGatherNd")


def variable_shape(handle: Any, out_type: Any = "int32") -> Any:
    """Return the shape of a variable as a tensor."""
    return shape_of(variable_of(handle), out_type=out_type)


def var_is_initialized_op(resource: Any, name: str | None = None) -> Any:
    """Tell whether a variable has a value."""
    return is_variable_initialized(variable_of(resource))


def destroy_resource_op(resource: Any, ignore_lookup_error: bool = True, name: str | None = None) -> Any:
    """Return the operation that takes a variable's value away; in eager mode do it, and return None.

    Without ``ignore_lookup_error`` it raises NotFoundError where there is no value.
    """
    try:
        variable = variable_of(resource)
    except NotFoundError:
        if ignore_lookup_error:
            return None
        raise
    if isinstance(variable, EagerVariable):
        if not is_kept(resource):  # a variable keeps its value as long as it is there itself
            return None
        if isinstance(variable, EmptyVariable) and not ignore_lookup_error:
            raise NotFoundError(None, None, no_resource(variable._name))
        EmptyVariable.empty(variable)
        return None
    op = target_of("destroy_resource_op", variable)

    def destroy(session: Session) -> None:
        if session._variables.pop(op, None) is None and not ignore_lookup_error:
            raise NotFoundError(op, op, no_resource(op.name))

    return write_operation("DestroyResourceOp", destroy, (), op, name, op.outputs[0]._shape).op


def copy_to_graph_uninitialized(var: Any) -> Any:
    """Return a variable of the default graph that is as another is, and has no initial value.

    Source: ``resource_variable_ops.copy_to_graph_uninitialized``.
    """
    kind = var.dtype.base_dtype
    begins = zeros([size or 0 for size in as_shape(var.shape) or ()], kind)
    name, keep = var._shared_name, var.trainable
    made: Any = Variable(
        begins, keep, name=name, constraint=var.constraint, use_resource=True, shape=TensorShape(var.shape)
    )
    made._initializer = made._initial_value = None
    return made


def is_resource_variable(var: Any) -> bool:
    """Tell whether something is a variable that optimizers take by its methods for resources."""
    return bool(getattr(var, "_is_resource", False))


def _check_dtype(who: str, variable: Any, dtype: Any) -> None:
    own, asked = as_dtype(variable.dtype).base_dtype, as_dtype(dtype).base_dtype
    if own != asked and executing_eagerly():
        done = who.split("_")[0]
        said = [name_in_messages(each) for each in (own, asked)]
        expected, got = reversed(said) if done == "read" else said
        raise InvalidArgumentError(
            None, None, f"Trying to {done} variable with wrong dtype. Expected {expected} got {got}."
        )
    if own != asked:
        raise ValueError(must(who, "dtype", f"be that of the variable, {own.name}", asked.name))


__all__ += [
    "assign_add_variable_op",
    "assign_sub_variable_op",
    "assign_variable_op",
    "copy_to_graph_uninitialized",
    "destroy_resource_op",
    "is_resource_variable",
    "read_variable_op",
    "resource_gather",
    "resource_gather_nd",
    "var_handle_op",
    "var_is_initialized_op",
    "variable_shape",
]
