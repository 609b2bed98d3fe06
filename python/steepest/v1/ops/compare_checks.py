"""Checks that compare the elements of tensors when a session runs, of constants at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.bound_names import name_functions
from ..graph.build import convert, convert_all, dtype_of
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..graph.static_values import constant_value
from .control_flow_ops import group
from .math_ops import abs as _abs
from .math_ops import add, multiply, subtract
from .script_ops import check_operation
from .sparse_ops import convert_to_tensor

__all__ = [
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_negative",
    "assert_non_negative",
    "assert_non_positive",
    "assert_none_equal",
    "assert_positive",
]


def _fault(function: Any, a: Any, b: Any, described: Callable[[Any, Any], str]) -> InvalidArgumentError | None:
    """Return the error where a comparison does not hold for all elements."""
    a, b = array_of(a), array_of(b)
    try:
        holds = function(a, b)
    except ValueError:
        shapes = f"{list(np.shape(a))} vs. {list(np.shape(b))}"
        return InvalidArgumentError(None, None, f"Incompatible shapes: {shapes}")
    return None if np.all(holds) else InvalidArgumentError(None, None, described(a, b))


def _first_elements(text: str, function: Any, summarize: int | None) -> Callable[[Any, Any], list[str]]:
    """Return the function that tells in which elements arrays differ, and with which elements they begin."""
    count = 3 if summarize is None else 10**9 if summarize < 0 else summarize

    def described(a: Any, b: Any) -> list[str]:
        lines = [f"Condition {text} did not hold."]
        wrong = ~np.asarray(function(a, b))
        if np.shape(a) == np.shape(b) != ():
            places = np.argwhere(wrong)[:count]
            lines += [f"Indices of first {len(places)} different values:", str(places)]
            lines += ["Corresponding x values:", str(a[wrong][:count])]
            lines += ["Corresponding y values:", str(b[wrong][:count])]
        for name, array in (("x", np.ravel(a)), ("y", np.ravel(b))):
            shown = array[:count]
            lines += [f"First {len(shown)} elements of {name}:", str(shown)]
        return [*lines, ""]

    return described


def _shown(item: Any, summarize: int | None) -> str:
    """Return what a message says of a text or a value: the first elements."""
    if isinstance(item, str):
        return item
    count = 3 if summarize is None else summarize
    flat = np.ravel(array_of(item)).tolist()
    return str(flat[: count if count >= 0 else None])


def _named(label: str, tensor: Any) -> str:
    return f"{label} ({tensor.name}) = " if isinstance(tensor, Node) else f"{label} = "


def _check(
    op_type: str,
    function: Any,
    text: str,
    x: Any,
    y: Any,
    data: Sequence[Any] | None,
    summarize: int | None,
    message: str | None,
    name: str | None,
) -> Any:
    first = [message] if message else []
    if executing_eagerly():
        lines = _first_elements(text, function, summarize)

        def told(a: Any, b: Any) -> str:
            return "\n".join([*first, *([_shown(d, summarize) for d in data] if data is not None else lines(a, b))])

        if (error := _fault(function, x, y, told)) is not None:
            raise error
        return None
    if x is y and op_type == "assert_equal":
        return group(name=name or op_type)
    with name_scope(name, op_type, [x, y]):
        return _check_of_graph(op_type, function, text, x, y, data, summarize, message)


def _check_of_graph(
    op_type: str, function: Any, text: str, x: Any, y: Any, data: Any, summarize: int | None, message: str | None
) -> Operation:
    tensors = convert_all(op_type, (x, y), name="")
    shape_inference.broadcast(*(tensor._shape for tensor in tensors))
    if data is None:
        pairs = [part for label, each in zip("xy", tensors, strict=True) for part in (_named(label, each), each)]
        data = [f"Condition {text} did not hold element-wise:", *pairs]
    items = [item if isinstance(item, str) else convert(item) for item in data]
    values = [item for item in items if not isinstance(item, str)]

    def compare(a: Any, b: Any, *arrays: Any) -> None:
        def described(a: Any, b: Any) -> str:
            rest = iter(arrays)
            parts = [message or "", *(_shown(d if isinstance(d, str) else next(rest), summarize) for d in items)]
            return f"assertion failed: {' '.join(f'[{part}]' for part in parts)}"

        if (error := _fault(function, a, b, described)) is not None:
            raise error

    known = [constant_value(tensor) for tensor in tensors]
    if all(value is not None for value in known):
        compare(*known, *(tensor.name if (v := constant_value(tensor)) is None else v for tensor in values))
    return check_operation("Assert/Assert", compare, [*tensors, *values])


def _comparison(op_type: str, function: Any, text: str) -> Callable[..., Any]:
    def check(
        x: Any,
        y: Any,
        data: Any = None,
        summarize: int | None = None,
        message: str | None = None,
        name: str | None = None,
    ) -> Any:
        return _check(op_type, function, text, x, y, data, summarize, message, name)

    check.__doc__ = (
        f"Return an operation that raises InvalidArgumentError unless ``{text}`` for all elements; of constants the "
        "function raises it at once. ``data`` is what the error shows in place of both."
    )
    return check


assert_equal = _comparison("assert_equal", np.equal, "x == y")
assert_none_equal = _comparison("assert_none_equal", np.not_equal, "x != y")
assert_less = _comparison("assert_less", np.less, "x < y")
assert_less_equal = _comparison("assert_less_equal", np.less_equal, "x <= y")
assert_greater = _comparison("assert_greater", np.greater, "x > y")
assert_greater_equal = _comparison("assert_greater_equal", np.greater_equal, "x >= y")


def _sign(op_type: str, function: Any, sign: str, text: str) -> Callable[..., Any]:
    def check(
        x: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
    ) -> Any:
        tensor = x if executing_eagerly() else convert(x, name="x")
        if data is None:
            data = [f"Condition x {sign} 0 did not hold element-wise:", _named("x", tensor), tensor]
        return _check(op_type, function, f"x {sign} 0", tensor, 0, data, summarize, message, name)

    check.__doc__ = f"Return an operation that raises InvalidArgumentError unless {text}."
    return check


assert_positive = _sign("assert_positive", np.greater, ">", "all elements are above 0")
assert_negative = _sign("assert_negative", np.less, "<", "all elements are below 0")
assert_non_negative = _sign("assert_non_negative", np.greater_equal, ">=", "no element is below 0")
assert_non_positive = _sign("assert_non_positive", np.less_equal, "<=", "no element is above 0")


def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Return an operation that raises InvalidArgumentError unless ``|x - y| <= atol + rtol * |y|``.

    Both tolerances are ten times the type's precision by default.
    """
    a = convert_to_tensor(x)
    b = convert_to_tensor(y, dtype_of(a))
    precision = 10 * float(np.finfo(dtype_of(a).dtype).eps)
    absolute, relative = (precision if tolerance is None else tolerance for tolerance in (atol, rtol))
    limit = add(multiply(_abs(b), relative), absolute)
    if data is None:
        said = f"x and y not equal to tolerance rtol = {relative}, atol = {absolute}"
        data = [said, _named("x", a), a, _named("y", b), b]
    apart = _abs(subtract(a, b))
    return _check(
        "assert_near", np.less_equal, "|x - y| <= limit", apart, limit, data, summarize, message, name or "assert_near"
    )


name_functions(__name__)
