"""``tensorflow.python.eager.execute``: operations by the names of their types, and their inputs as tensors."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ...ops.tensor import Tensor
from ..graph.dimension import Dimension
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError, NotFoundError
from ..graph.op_defs import AttrDef
from ..graph.shape_protos import TensorShapeProto
from ..graph.shapes import TensorShape
from .framework_ops import convert_to_tensor
from .op_attributes import checked_attribute
from .raw_ops import candidates

__all__ = [
    "ATTRIBUTES",
    "args_to_matching_eager",
    "convert_to_mixed_eager_tensors",
    "execute",
    "make_bool",
    "make_float",
    "make_int",
    "make_shape",
    "make_str",
    "make_tensor",
    "make_type",
    "must_record_gradient",
    "operation_of",
    "record_gradient",
]

# What attributes of these names are, in all of TensorFlow's definitions.
_OF_KIND = {
    "type": (
        "T dtype DstT SrcT Tidx Tshape Tindices Tparams Taxis Tdim Tlen Tperm Index out_type out_idx "
        "output_type tensor_type index_type Tmultiples Tin"
    ),
    "int": "N num num_split seed seed2 axis batch_dims capacity k",
    "bool": "transpose_a transpose_b adj_x adj_y keep_dims sorted exclusive reverse",
    "string": "message container shared_name description display_name padding data_format",
    "float": "tolerance alpha epsilon rate",
    "list(int)": "squeeze_dims strides ksize dilations",
    "list(string)": "labels",
    "list(float)": "boundaries",
    "list(type)": "component_types",
    "list(shape)": "shapes",
    "shape": "shape",
}
_KINDS = {name: kind for kind, names in _OF_KIND.items() for name in names.split()}
ATTRIBUTES = frozenset(_KINDS)
"""The names of attributes that may follow the inputs of an operation."""
# The inputs of types whose functions take them in another order.
_INPUTS = {
    "Concat": ("axis", "values"),
    "Split": ("axis", "value"),
    "SplitV": ("value", "num_or_size_splits", "axis"),
}
_LISTS = ("data", "indices", "inputs", "values")
_TOLD_BY_INPUTS = ("N", "num_split")


def execute(
    op_name: Any, num_outputs: int, inputs: Sequence[Any], attrs: Any, ctx: Any, name: str | None = None
) -> Any:
    """Compute an operation, and return the list of its results.

    Args:
        op_name: the name of its type.
        num_outputs: at least as many as it has results.
        inputs: tensors, or what becomes tensors, in the order of the type's definition.
        attrs: names of attributes, each with its value behind it; those that inputs tell are checked alone.
        ctx: accepted for TensorFlow's sake.

    Raises:
        TypeError: for another ``num_outputs`` than a number.
        NotFoundError: for a type that is not here.
        InvalidArgumentError: for attributes of other kinds, or that the type does not have, and for fewer results.

    Source: ``execute.execute``.
    """
    del ctx
    if not isinstance(num_outputs, int):
        raise TypeError(f"execute: num_outputs must be an int, got {num_outputs!r}")
    kind = op_name.decode() if isinstance(op_name, bytes) else op_name
    given = dict(zip(attrs[::2], attrs[1::2], strict=True)) if attrs else {}
    return _listed(kind, num_outputs, operation_of(kind, list(inputs), given, name))


def operation_of(kind: str, inputs: list[Any], given: dict[str, Any], name: str | None = None) -> Any:
    """Return what an operation of a type gives, as its function does; errors are those of `execute`."""
    _check(kind, given)
    found = candidates(kind)
    if not found:
        raise NotFoundError(None, None, f"Op type not registered '{kind}' in binary running on this machine")
    refused = None
    for function, others in found:
        try:
            arguments = _arguments(kind, function, others, list(inputs), given)
        except InvalidArgumentError as error:
            refused = refused or error
        else:
            return _called(function, arguments, name)
    assert refused is not None
    raise refused


def _called(function: Callable[..., Any], arguments: dict[str, Any], name: str | None) -> Any:
    try:
        return function(**arguments, **({} if name is None else {"name": name}))
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(None, None, str(error)) from error


def _listed(kind: str, num_outputs: int, results: Any) -> list[Any]:
    several = list(results) if isinstance(results, (list, tuple)) else [] if results is None else [results]
    if len(several) > num_outputs:
        raise InvalidArgumentError(
            None, None, f"Expecting {len(several)} outputs, but *num_retvals is {num_outputs} [Op:{kind}]"
        )
    return several


def _check(kind: str, given: dict[str, Any]) -> None:
    """Raise InvalidArgumentError for a value of an attribute that is of another kind."""
    for name, value in given.items():
        try:
            kinds = _KINDS.get(name, "")
            for shape in [value] if kinds == "shape" else value if kinds == "list(shape)" else ():
                _check_shape(name, shape)
            if kinds:
                checked_attribute(kind, AttrDef(name=name, type=kinds), value)
        except (TypeError, ValueError) as error:
            raise InvalidArgumentError(None, None, f"{kind}: {error}") from error


def _check_shape(name: str, value: Any) -> None:
    """Raise TypeError for no list of sizes: a single number would be taken for one elsewhere."""
    if value is None or isinstance(value, (TensorShape, TensorShapeProto)):
        return
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"Expecting a list of sizes for attr {name}, got {type(value).__name__}")
    for size in value:
        if size is not None and not isinstance(size, (int, Dimension)):
            raise TypeError(f"Expecting a Dimension for attr {name}, got {type(size).__name__}")


def _arguments(
    kind: str, function: Callable[..., Any], others: dict[str, str], inputs: list[Any], given: dict[str, Any]
) -> dict[str, Any]:
    """Return the arguments by which a function makes the operation; InvalidArgumentError where it cannot."""
    words = inspect.signature(inspect.unwrap(function)).parameters
    attributes = {}
    for key, value in given.items():
        if key in words or others.get(key) in words:
            attributes[others.get(key, key)] = value
        elif key == "seed2" and hasattr(function, "first_form"):
            attributes["seed2"] = value
        elif _KINDS.get(key) != "type" and key not in _TOLD_BY_INPUTS and (value or key not in _KINDS):
            raise InvalidArgumentError(None, None, f"NodeDef mentions attr '{key}' not in Op<name={kind}>")
    if "seed" in attributes and not given.get("seed2") and not attributes["seed"]:
        del attributes["seed"]  # both zero: drawn anew
    if "dtype" in attributes:
        attributes["dtype"] = as_dtype(attributes["dtype"])
    order = [word for word in _INPUTS.get(kind, words) if word not in attributes and word != "name"]
    arguments = {}
    for word in order:
        if not inputs:
            break
        several = "N" in given and word in _LISTS and not isinstance(inputs[0], list)
        arguments[word] = [inputs.pop(0) for _ in range(given["N"])] if several else inputs.pop(0)
    if inputs:
        raise InvalidArgumentError(None, None, f"{kind}: expected {len(order)} inputs, got {len(inputs)} more")
    return {**arguments, **attributes}


def convert_to_mixed_eager_tensors(values: Sequence[Any], ctx: Any = None) -> tuple[list[Any], list[Any]]:
    """Return the types of values, and the values as tensors."""
    del ctx
    tensors = [convert_to_tensor(value) for value in values]
    return [as_dtype(tensor.dtype) for tensor in tensors], tensors


def args_to_matching_eager(
    l: Sequence[Any],  # noqa: E741  # TensorFlow's name for it
    ctx: Any = None,
    allowed_dtypes: Sequence[Any] = (),
    default_dtype: Any = None,
) -> tuple[Any, list[Any]]:
    """Return the type of the first tensor, else of the first value, and the values as tensors of it.

    Args:
        l: the values.
        ctx: accepted for TensorFlow's sake.
        allowed_dtypes: what the type may be that a value has by itself; else ``default_dtype`` is tried.
        default_dtype: the type where there are no values, too.

    Raises TypeError for a value that cannot be of the type.
    """
    del ctx
    if not l:
        return default_dtype, []
    dtype: Any = next((value.dtype for value in l if isinstance(value, Tensor)), None)
    tensors = []
    for value in l:
        tensor = convert_to_tensor(value) if dtype is None and allowed_dtypes else None
        if tensor is None or (dtype is None and tensor.dtype not in allowed_dtypes):
            tensor = convert_to_tensor(value, dtype, preferred_dtype=default_dtype if dtype is None else None)
        dtype = tensor.dtype if dtype is None else dtype
        tensors.append(tensor)
    return dtype, tensors


def _maker(kind: str) -> Callable[[Any, str], Any]:
    field = {"int": "i", "float": "f", "bool": "b", "type": "type"}[kind]

    def make(v: Any, arg_name: str) -> Any:
        if kind == "bool" and not isinstance(v, bool):
            raise TypeError(f"Expected bool for argument '{arg_name}' not {v!r}.")
        return getattr(checked_attribute("", AttrDef(name=arg_name, type=kind), v), field)

    make.__name__ = make.__qualname__ = f"make_{kind}"
    make.__doc__ = f"Return the value of an attribute that is a {kind}; TypeError for another."
    return make


make_bool, make_float, make_int, make_type = map(_maker, ("bool", "float", "int", "type"))


def make_str(v: Any, arg_name: str) -> Any:
    """Return the value of an attribute that is a text, or bytes; TypeError for another."""
    checked_attribute("", AttrDef(name=arg_name, type="string"), v)
    return v


def make_shape(v: Any, arg_name: str) -> Any:
    """Return the sizes of a shape, None for one that is not known; TypeError or ValueError for no shape."""
    shape = checked_attribute("", AttrDef(name=arg_name, type="shape"), v).shape
    return None if shape.unknown_rank else [None if dim.size < 0 else dim.size for dim in shape.dim]


def make_tensor(v: Any, arg_name: str) -> Any:
    """Return the value of an attribute that is a message of a tensor; TypeError for another."""
    return checked_attribute("", AttrDef(name=arg_name, type="tensor"), v).tensor


def must_record_gradient() -> bool:
    """Return False: operations record themselves."""
    return False


def record_gradient(op_name: str, inputs: Any, attrs: Any, outputs: Any) -> None:
    """Do nothing: operations record themselves."""
