"""Python functions, prints and checks as operations."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.build import call, convert, convert_all
from ..graph.constants import constant_array, constant_value
from ..graph.dtypes import DType, as_dtype
from ..graph.errors import InvalidArgumentError, UnknownError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor
from ..graph.run_values import array_of
from ..graph.shapes import as_shape, compatible, merge, text
from .array_ops import identical
from .control_flow_ops import group

__all__ = [
    "Assert",
    "Print",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_less",
    "assert_less_equal",
    "assert_non_negative",
    "assert_none_equal",
    "assert_positive",
    "check_numerics",
    "ensure_shape",
    "numpy_function",
    "py_func",
]


def py_func(func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None) -> Any:
    """Return what ``func`` makes of arrays when a session runs; ``Tout`` is the type, or the list of types.

    No gradient flows. Source: ``tf.py_func``.
    """
    single = not isinstance(Tout, (list, tuple))
    dtypes = [as_dtype(t) for t in ([Tout] if single else Tout)]

    def run(*values: Any) -> Any:
        try:
            result = func(*(array_of(value) for value in values))
        except (ValueError, TypeError, IndexError, NotImplementedError):
            raise  # the run turns these into InvalidArgumentError
        except Exception as error:
            raise UnknownError(None, None, f"{type(error).__name__}: {error}") from error
        # A list or tuple holds the results; anything else is the only one, whether Tout is a list or not.
        parts = list(result) if isinstance(result, (list, tuple)) else [] if result is None else [result]
        if len(parts) != len(dtypes):
            raise ValueError(f"the function returns {len(parts)} values, but expects to see {len(dtypes)} values")
        arrays = tuple(_typed(part, dtype) for part, dtype in zip(parts, dtypes, strict=True))
        return arrays[0] if len(dtypes) == 1 else arrays

    if len(dtypes) == 1:
        output = call("PyFunc", run, inp, name=name, shape=None, dtype=dtypes[0], same=False, differentiable=False)
        return output if single else [output]
    shapes = [None] * len(dtypes)
    if not dtypes and not executing_eagerly():  # an operation without results
        tensors = convert_all("PyFunc", inp, False)
        graph = get_default_graph()
        full_name = graph._operation_name(name, "PyFunc")
        return Operation(graph, "PyFunc", full_name, run, tensors, (), differentiable=False)
    outputs = call(
        "PyFunc", run, inp, name=name, shape=shapes, dtype=dtypes, outputs=len(dtypes), same=False, differentiable=False
    )
    return list(outputs)


def numpy_function(
    func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None
) -> Any:
    """Return what ``func`` makes of arrays when a session runs: `py_func` under its newer name."""
    return py_func(func, inp, Tout, stateful, name)


def _typed(value: Any, dtype: DType) -> Any:
    """Return what a function gave as an array; its own type must be the one that was announced."""
    if dtype.name == "string":
        return constant_array(value, dtype)
    array = np.asarray(value)
    if isinstance(value, (np.ndarray, np.generic)) and array.dtype != dtype.dtype:
        raise ValueError(f"value returned by the function is {array.dtype}, but expects {dtype.name}")
    return array.astype(dtype.dtype)


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
            parts = [str(array_of(item).ravel()[: summarize or 3].tolist()) for item in items]
            print(f"{message or ''}{''.join(parts)}", file=sys.stderr)
        return identical(value)

    return call("Print", shown, [input_, *data], name=name, shape=shape_inference.same, same=False)


def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> Any:
    """Return an operation that raises InvalidArgumentError, with ``data``, where the condition is false."""

    if not isinstance(data, (list, tuple)):
        raise TypeError(f"Assert: data must be a list of tensors, got {data!r:.60}")

    def check(truth: Any, *items: Any) -> None:
        if not np.all(array_of(truth)):
            shown = " ".join(str(array_of(item).tolist()) for item in items)
            raise InvalidArgumentError(None, None, f"assertion failed: [{shown}]")

    if executing_eagerly():
        return check(condition, *data)
    return check_operation(name or "Assert", check, [convert(item) for item in (condition, *data)])


def check_operation(name: str, check: Callable[..., None], inputs: Sequence[Tensor]) -> Operation:
    """Return the operation that calls ``check`` with the values of the inputs: it raises where something is wrong."""
    graph = get_default_graph()
    return Operation(graph, "Assert", graph._operation_name(name, "Assert"), check, inputs, (), differentiable=False)


def _compared(
    function: Any, text: str, a: Any, b: Any, described: Callable[[Any, Any], str]
) -> InvalidArgumentError | None:
    """Return the error where a comparison does not hold for all elements."""
    a, b = array_of(a), array_of(b)
    try:
        holds = function(a, b)
    except ValueError:
        shapes = f"{list(np.shape(a))} vs. {list(np.shape(b))}"
        return InvalidArgumentError(None, None, f"Incompatible shapes: {shapes}")
    return None if np.all(holds) else InvalidArgumentError(None, None, described(a, b))


def _first_elements(text: str, function: Any, message: str | None, summarize: int | None) -> Callable[[Any, Any], str]:
    """Return the function that tells in which elements arrays differ, and with which elements they begin."""
    count = 3 if summarize is None else 10**9 if summarize < 0 else summarize

    def described(a: Any, b: Any) -> str:
        lines = [*([message] if message else []), f"Condition {text} did not hold."]
        if np.shape(a) == np.shape(b) != ():
            wrong = ~np.asarray(function(a, b))
            places = np.argwhere(wrong)[:count]
            lines += [f"Indices of first {len(places)} different values:", str(places)]
            lines += [
                "Corresponding x values:",
                str(a[wrong][:count]),
                "Corresponding y values:",
                str(b[wrong][:count]),
            ]
        for name, array in (("x", np.ravel(a)[:count]), ("y", np.ravel(b)[:count])):
            lines += [f"First {len(array)} elements of {name}:", str(array)]
        return "\n".join(lines)

    return described


def _comparison(op_type: str, function: Any, text: str) -> Callable[..., Any]:
    def check(
        x: Any,
        y: Any,
        data: Any = None,
        summarize: int | None = None,
        message: str | None = None,
        name: str | None = None,
    ) -> Any:
        if executing_eagerly():
            given = _first_elements(text, function, message, summarize)
            if (error := _compared(function, text, x, y, given)) is not None:
                raise error
            return None
        if x is y and op_type == "assert_equal":
            return group(name=name or op_type)
        tensors = convert_all(op_type, (x, y))
        shape_inference.broadcast(*(tensor._shape for tensor in tensors))
        first, second = tensors

        def described(a: Any, b: Any) -> str:
            count = 3 if summarize is None else summarize
            parts = [message or "", f"Condition {text} did not hold element-wise:"]
            for label, tensor, array in (("x", first, a), ("y", second, b)):
                parts += [f"{label} ({tensor.name}) = ", str(np.ravel(array)[: count if count >= 0 else None].tolist())]
            return f"assertion failed: {' '.join(f'[{part}]' for part in parts)}"

        def compare(a: Any, b: Any) -> None:
            if (error := _compared(function, text, a, b, described)) is not None:
                raise error

        known = [constant_value(tensor) for tensor in tensors]
        if all(value is not None for value in known):
            compare(*known)
        return check_operation(name or op_type, compare, tensors)

    check.__doc__ = (
        f"Return an operation that raises InvalidArgumentError unless ``{text}`` for all elements; of constants the "
        "function raises it at once."
    )
    return check


assert_equal = _comparison("assert_equal", np.equal, "x == y")
assert_none_equal = _comparison("assert_none_equal", np.not_equal, "x != y")
assert_less = _comparison("assert_less", np.less, "x < y")
assert_less_equal = _comparison("assert_less_equal", np.less_equal, "x <= y")
assert_greater = _comparison("assert_greater", np.greater, "x > y")
assert_greater_equal = _comparison("assert_greater_equal", np.greater_equal, "x >= y")


def assert_positive(
    x: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Any:
    """Return an operation that raises InvalidArgumentError unless all elements are above 0."""
    return assert_greater(x, 0, data, summarize, message, name or "assert_positive")


def assert_non_negative(
    x: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Any:
    """Return an operation that raises InvalidArgumentError unless no element is below 0."""
    return assert_greater_equal(x, 0, data, summarize, message, name or "assert_non_negative")


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Any:
    """Return the tensor, known to have this shape; InvalidArgumentError, when a session runs, where it has not."""
    expected = as_shape(shape)

    def check(value: Any) -> Any:
        if not compatible(value.shape, expected):
            raise InvalidArgumentError(
                None,
                None,
                f"Shape of tensor {list(value.shape)} is not compatible with expected shape {text(expected)}",
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
        if not np.isfinite(array_of(value)).all():
            raise InvalidArgumentError(None, None, f"{message} : Tensor had NaN or Inf values")
        return identical(value)

    return call("CheckNumerics", check, (tensor,), name=name, shape=shape_inference.same)
