"""Python functions, prints, and checks of one tensor, as operations."""

from __future__ import annotations

import itertools
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...ops.dispatch import Operand, is_recorded, unwrap
from ...ops.tensor import Tensor as EagerTensor
from ...variables.variable import Variable
from ..graph import shape_inference
from ..graph.build import call, convert, convert_all
from ..graph.constants import constant_array
from ..graph.dtypes import DType, as_dtype, name_in_messages, of_array
from ..graph.eager_call import eager_value
from ..graph.errors import (
    InternalError,
    InvalidArgumentError,
    OutOfRangeError,
    ResourceExhaustedError,
    UnimplementedError,
    UnknownError,
)
from ..graph.graph import get_default_graph
from ..graph.mode import eagerly, executing_eagerly
from ..graph.node import Node, Operation, Tensor
from ..graph.run_values import array_of
from ..graph.shapes import as_shape, bracketed, compatible, merge, text
from .array_ops import identical
from .printed_values import summarized

__all__ = [
    "Assert",
    "Print",
    "check_numerics",
    "eager_py_func",
    "ensure_shape",
    "numpy_function",
    "py_func",
    "py_function",
]


def py_func(func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None) -> Any:
    """Return what ``func`` makes of arrays when a session runs; ``Tout`` is the type, or the list of types.

    No gradient flows. Source: ``tf.py_func``.
    """
    op_type = "PyFunc" if stateful else "PyFuncStateless"
    if not stateful and isinstance(Tout, (list, tuple)) and not Tout and not executing_eagerly():
        return []  # an operation without effects and without results is never run
    return _python_call(op_type, func, _plain_value, _typed, inp, Tout, name)


def _plain_value(value: Any) -> Any:
    """Return a value as programs get it: an array, of a variable a copy, which later changes leave as it is; a number
    of NumPy's or bytes for a single one.
    """
    array = array_of(value)
    if array.ndim == 0:
        return array[()]
    return array.copy() if isinstance(value, Variable) else array


def numpy_function(
    func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None
) -> Any:
    """Return what ``func`` makes of arrays when a session runs: `py_func` under its newer name."""
    return py_func(func, inp, Tout, stateful, name)


def py_function(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """Return what ``func`` makes of eager tensors when a session runs; ``Tout`` is the type, or the list of types.

    The function computes at once, as in eager mode, with gradients: it takes tensors, which have ``.numpy()``, and may
    use all operations, variables of eager mode, and `GradientTape`. Without a type the result is an operation.
    Source: ``tf.py_function``.
    """

    _check_callable(func)

    def run(*values: Any) -> Any:
        with eagerly():
            return func(*values)

    return _python_call("EagerPyFunc", run, _eager_tensor, _typed_tensor, inp, Tout, name)


eager_py_func = py_function


def _check_callable(func: Any) -> None:
    if not callable(func):
        raise ValueError(f"Expected func to be callable, got func of type {type(func)}")


def _python_call(
    op_type: str,
    func: Callable[..., Any],
    argument: Callable[[Any], Any],
    result: Callable[[Any, DType], Any],
    inp: Any,
    Tout: Any,
    name: str | None,
) -> Any:
    """Return the operation that calls a function of Python's on what ``argument`` makes of each value.

    ``result`` makes what the run goes on with from what the function returned and the type that was announced.
    """
    _check_callable(func)
    single = not isinstance(Tout, (list, tuple))
    token = f"pyfunc_{next(_NUMBERS)}"
    dtypes = [as_dtype(t) for t in ([Tout] if single else Tout)]
    flows = op_type == "EagerPyFunc"

    def run(*values: Any) -> Any:
        returned = _told(func, [argument(value) for value in values])
        # A list or tuple holds the results; anything else is the only one, whether Tout is a list or not.
        parts = list(returned) if isinstance(returned, (list, tuple)) else [] if returned is None else [returned]
        parts = parts[: len(dtypes)] if flows else parts  # TensorFlow takes as many as were announced
        if len(parts) != len(dtypes):
            raise ValueError(f"{token} returns {len(parts)} values, but expects to see {len(dtypes)} values.")
        arrays = tuple(result(part, dtype) for part, dtype in zip(parts, dtypes, strict=True))
        for k, (array, dtype) in enumerate(zip(arrays, dtypes, strict=True)):
            if (own := of_array(np.dtype(array.dtype))) != dtype:
                names = name_in_messages(own), name_in_messages(dtype)
                raise ValueError(f"{k}-th value returned by {token} is {names[0]}, but expects {names[1]}")
        return arrays[0] if len(dtypes) == 1 else arrays

    if len(dtypes) == 1:
        output = call(op_type, run, inp, name=name, shape=None, dtype=dtypes[0], same=False, differentiable=flows)
        return output if single else [output]
    shapes = [None] * len(dtypes)
    if not dtypes and not executing_eagerly():  # an operation without results
        tensors = convert_all(op_type, inp, False)
        graph = get_default_graph()
        full_name = graph._operation_name(name, op_type)
        return Operation(graph, op_type, full_name, run, tensors, (), differentiable=False)
    outputs = call(
        op_type, run, inp, name=name, shape=shapes, dtype=dtypes, outputs=len(dtypes), same=False, differentiable=flows
    )
    return list(outputs)


def _told(func: Callable[..., Any], values: Sequence[Any]) -> Any:
    """Call a function of the program's, whose exceptions become TensorFlow's: they tell where it raised."""
    try:
        return func(*values)
    except Exception as error:
        kind = next((made for kinds, made in _KINDS if isinstance(error, kinds)), UnknownError)
        raise kind(None, None, f"{type(error).__name__}: {error}\n{traceback.format_exc()}") from error


_NUMBERS = itertools.count()
_KINDS: tuple[tuple[Any, Any], ...] = (
    ((ValueError, TypeError), InvalidArgumentError),
    (StopIteration, OutOfRangeError),
    (MemoryError, ResourceExhaustedError),
    (NotImplementedError, UnimplementedError),
)


def _eager_tensor(value: Any) -> Any:
    """Return the value of a run as a tensor of eager mode, which a tape goes on recording."""
    if isinstance(value, EagerTensor):
        return value
    return value._operand() if isinstance(value, Operand) else EagerTensor(np.asarray(value))


def _typed_tensor(value: Any, dtype: DType) -> Any:
    """Return what an eager function gave, recorded or not; a tensor's type must be the one that was announced."""
    if isinstance(value, Variable):
        raise UnknownError(
            None,
            None,
            "RuntimeError: Attempting to return a variable from an eagerly executed py_func. Only numeric data "
            "structures like Tensors or NumPy arrays should be returned; to return the value of a variable, make sure "
            f"to obtain the Tensor backing it by calling `.read_value()` on the variable in question: {value!r}",
        )
    value = eager_value(value)
    if not isinstance(value, EagerTensor):
        return constant_array(value, dtype)
    return value if is_recorded(value) else np.asarray(unwrap(value))


def _typed(value: Any, dtype: DType) -> Any:
    """Return what a function gave as an array of its own type, strings as bytes."""
    array = np.asarray(value)
    kind = array.dtype.kind
    if kind == "O":
        wrong = next((item for item in array.ravel() if not isinstance(item, (bytes, str))), None)
        if wrong is not None:
            raise InternalError(None, None, f"Unsupported object type {type(wrong).__name__}")
    if array.dtype.names:
        raise InternalError(None, None, f"Unsupported numpy data type: {array.dtype}")
    if kind in "mM" or (kind in "fc" and array.dtype.itemsize > 8 * (1 + (kind == "c"))):
        raise InternalError(None, None, f"Unsupported numpy type: {array.dtype}")
    return constant_array(value, as_dtype("string")) if kind in "OSU" else array


def Print(
    input_: Any,
    data: Any,
    message: str | None = None,
    first_n: int | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Any:
    """Return ``input_``, and print ``data`` to the standard error whenever that is computed."""
    times = [0]

    def shown(value: Any, *items: Any) -> Any:
        times[0] += 1
        if first_n is None or first_n < 0 or times[0] <= first_n:
            parts = [f"[{summarized(array_of(item), summarize or 3)}]" for item in items]
            print(f"{message or ''}{''.join(parts)}", file=sys.stderr)
        return identical(value)

    return call("Print", shown, [input_, *data], name=name, shape=shape_inference.same, same=False)


def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> Any:
    """Return an operation that raises InvalidArgumentError, with ``data``, where the condition is false."""

    if not isinstance(data, (list, tuple)):
        raise TypeError(f"Assert: data must be a list of tensors, got {data!r:.60}")

    def check(truth: Any, *items: Any) -> None:
        if not np.all(array_of(truth)):
            shown = " ".join(f"[{summarized(array_of(item), summarize or 3)}]" for item in items)
            raise InvalidArgumentError(None, None, f"assertion failed: {shown}")

    if executing_eagerly():
        if not np.all(array_of(condition)):
            shown = "\n".join(_as_text(constant_array(array_of(item)), summarize) for item in data)
            raise InvalidArgumentError(None, None, f"Expected '{condition}' to be true. Summarized data: {shown}")
        return None
    return check_operation(name or "Assert", check, [convert(item) for item in (condition, *data)])


def _as_text(array: Any, summarize: int | None) -> str:
    """Return the first elements of an array, 3 by default, all for a negative number, as Python shows them."""
    most = 3 if summarize is None else summarize
    flat = array.ravel()
    shown = [str(item) for item in (flat if most < 0 else flat[:most])]
    return ", ".join([*shown, "..."] if len(shown) < flat.size else shown)


def check_operation(name: str, check: Callable[..., None], inputs: Sequence[Tensor]) -> Operation:
    """Return the operation that calls ``check`` with the values of the inputs: it raises where something is wrong."""
    graph = get_default_graph()
    return Operation(graph, "Assert", graph._operation_name(name, "Assert"), check, inputs, (), differentiable=False)


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Any:
    """Return the tensor, known to have this shape; InvalidArgumentError, when a session runs, where it has not."""
    expected = as_shape(shape)
    called = f"{x.op.name} " if isinstance(x, Node) else ""

    def check(value: Any) -> Any:
        if not compatible(value.shape, expected):
            raise InvalidArgumentError(
                None,
                None,
                f"Shape of tensor {called}{bracketed(value.shape)} is not compatible with expected shape "
                f"{bracketed(expected)}.",
            )
        return identical(value)

    def shape_fn(input_shape: Any) -> Any:
        if not compatible(input_shape, expected):
            raise ValueError(f"Shapes {text(input_shape)} and {text(expected)} are incompatible")
        return merge(input_shape, expected)

    return call("EnsureShape", check, (x,), name=name, shape=shape_fn)


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Any:
    """Return the tensor; InvalidArgumentError with the message where it has a NaN or an infinity."""

    def check(value: Any) -> Any:
        whole = array_of(value)
        if not np.isfinite(whole).all():
            found = [word for word, test in (("Inf", np.isinf), ("NaN", np.isnan)) if test(whole).any()]
            raise InvalidArgumentError(None, None, f"{message} : Tensor had {' and '.join(found)} values")
        return identical(value)

    return call("CheckNumerics", check, (tensor,), name=name, shape=shape_inference.same)
