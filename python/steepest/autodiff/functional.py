"""Differentiation of functions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.errors import must
from ..ops.conversion import as_array
from ..ops.dispatch import Operand, is_recorded, unwrap, wrap_result
from ..ops.tensor import Tensor
from ..variables.variable import Variable
from .custom import name_of
from .tape import GradientTape

__all__ = [
    "check_value",
    "gradients_function",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "positions_of",
    "released",
    "value_and_gradients_function",
    "watchable",
]


def check_value(f: Any, value: Any) -> None:
    """Raise ValueError, in TensorFlow's words, for a function that returns None."""
    if value is None:
        raise ValueError(
            f"Cannot differentiate a function that returns None; did you forget to return a value from {name_of(f)}?"
        )


def released(value: Any) -> Any:
    """Return the value without what recorded it, unless an outer tape records too."""
    if isinstance(value, (list, tuple)):
        return type(value)(released(item) for item in value)
    if isinstance(value, dict):
        return {key: released(item) for key, item in value.items()}
    if is_recorded(value):
        return value
    return wrap_result(value.numpy() if isinstance(value, Variable) else unwrap(value))


def implicit_value_and_gradients(f: Callable[..., Any]) -> Callable[..., tuple[Any, list[tuple[Any, Variable]]]]:
    """Return a function of f's arguments that gives ``(f(...), [(gradient, variable), ...])``.

    The variables are all trainable ones that f reads, in the order of their creation; a gradient is None where f's
    value does not depend on the variable. A value that is not a scalar, and values in a list, are summed.

    Raises:
        ValueError: when the returned function is called, if f returns None or reads no trainable variable.

    Source: ``tf.contrib.eager.implicit_value_and_gradients``.

    Example:
        >>> w = st.Variable([1.0, 2.0])
        >>> value, [(gradient, variable)] = st.implicit_value_and_gradients(lambda: np.sum(w * w))()
        >>> float(value), gradient.tolist(), variable is w
        (5.0, [2.0, 4.0], True)
    """

    @functools.wraps(f)
    def value_and_gradients(*args: Any, **kwargs: Any) -> tuple[Any, list[tuple[Any, Variable]]]:
        with GradientTape() as tape:
            value = f(*args, **kwargs)
        check_value(f, value)
        variables = tape.watched_variables()
        if not variables:
            raise ValueError("No trainable variables were accessed while the function was being computed.")
        gradients = tape.gradient(value, list(variables))
        return released(value), list(zip(gradients, variables, strict=True))

    return value_and_gradients


def implicit_gradients(f: Callable[..., Any]) -> Callable[..., list[tuple[Any, Variable]]]:
    """Return a function of f's arguments that gives ``[(gradient, variable), ...]``.

    As `implicit_value_and_gradients`, without the value; what an optimizer's ``apply_gradients`` takes.

    Source: ``tf.contrib.eager.implicit_gradients``.

    Example:
        >>> w = st.Variable([1.0, 2.0])
        >>> st.GradientDescentOptimizer(0.5).apply_gradients(st.implicit_gradients(lambda: np.sum(w * w))())
        >>> w.numpy().tolist()
        [0.0, 0.0]
    """
    inner = implicit_value_and_gradients(f)

    @functools.wraps(f)
    def gradients(*args: Any, **kwargs: Any) -> list[tuple[Any, Variable]]:
        return inner(*args, **kwargs)[1]

    return gradients


def positions_of(who: str, f: Callable[..., Any], params: Sequence[int | str] | None, count: int) -> list[int]:
    """Return the positions of the parameters to differentiate with respect to."""
    if params is None:
        return list(range(count))
    if isinstance(params, (str, int)):
        params = [params]
    if not len(params):
        raise ValueError(must(who, "params", "name at least one parameter", params))
    names = list(inspect.signature(f).parameters) if any(isinstance(p, str) for p in params) else []
    positions = []
    for param in params:
        if isinstance(param, str):
            if param not in names:
                raise ValueError(must(who, "params", f"be parameters of {name_of(f)}: {names}", param))
            param = names.index(param)
        if not isinstance(param, (int, np.integer)):
            raise ValueError(must(who, "params", "be positions or names of parameters", param))
        if not 0 <= param < count:
            raise ValueError(must(who, "params", f"be positions of the {count} arguments", param))
        positions.append(int(param))
    return positions


def value_and_gradients_function(
    f: Callable[..., Any], params: Sequence[int | str] | None = None
) -> Callable[..., tuple[Any, list[Any]]]:
    """Return a function of f's arguments that gives ``(f(...), [gradient, ...])``.

    Args:
        f: a function of arrays.
        params: positions or names of f's parameters; by default all.

    The returned function takes f's arguments: Variables, Tensors, arrays or numbers (Python floats are float32, as in
    TensorFlow), or dicts, lists and tuples of them, nested as you like, and ``dy``, the gradient that arrives at the
    value (ones by default). A gradient has the structure of its argument; it is None where the value does not depend
    on the array. A list of numbers is one array.

    Raises:
        ValueError: when the returned function is called, if f returns None or does not have the params.

    Source: ``tf.contrib.eager.value_and_gradients_function``.

    Example:
        >>> value, gradients = st.value_and_gradients_function(lambda x, y: x * y)(2.0, 3.0)
        >>> float(value), [float(gradient) for gradient in gradients]
        (6.0, [3.0, 2.0])
        >>> layer = {"w": np.array([2.0, 3.0]), "b": np.array(1.0)}
        >>> loss = lambda layer, x: np.sum(layer["w"] * x) + layer["b"]
        >>> _, (slopes,) = st.value_and_gradients_function(loss, params=["layer"])(layer, np.array([4.0, 5.0]))
        >>> slopes["w"].tolist()
        [4.0, 5.0]
    """

    @functools.wraps(f)
    def value_and_gradients(*args: Any, **kwargs: Any) -> tuple[Any, list[Any]]:
        dy = kwargs.pop("dy", None)
        if kwargs:
            args = inspect.signature(f).bind(*args, **kwargs).args
        arguments = list(args)
        sources: list[Any] = []
        variables: list[Variable] = []
        for i in positions_of("gradients_function", f, params, len(arguments)):
            arguments[i] = watchable("gradients_function", arguments[i], variables)
            sources.append(arguments[i])
        with GradientTape() as tape:
            tape.watch(sources)
            value = f(*arguments)
        check_value(f, value)
        gradients = tape.gradient(value, sources, output_gradients=dy)
        return released(value), gradients

    return value_and_gradients


def watchable(who: str, value: Any, variables: list[Variable]) -> Any:
    """Return the argument as a Tensor of its own, so that a value given twice is two arguments; each of a nest.

    Where an outer tape records the value, the Tensor is connected to it. A list of numbers is one array; a list or
    tuple that has arrays, Variables or nests in it is a nest, as is a dict. Variables that are not among the
    ``variables`` met before stay what they are, and are added to those.
    """
    if isinstance(value, dict):
        return {key: watchable(who, item, variables) for key, item in value.items()}
    if isinstance(value, (list, tuple)) and _is_nest(value):
        items = [watchable(who, item, variables) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, Variable) and not any(value is variable for variable in variables):
        variables.append(value)
        return value
    return np.copy(value) if is_recorded(value) else Tensor(as_array(who, value))


def _is_nest(value: Any) -> bool:
    return any(
        isinstance(item, (Operand, np.ndarray, dict)) or (isinstance(item, (list, tuple)) and _is_nest(item))
        for item in value
    )


def gradients_function(f: Callable[..., Any], params: Sequence[int | str] | None = None) -> Callable[..., list[Any]]:
    """Return a function of f's arguments that gives the list of gradients with respect to them.

    As `value_and_gradients_function`, without the value.

    Source: ``tf.contrib.eager.gradients_function``.

    Example:
        >>> (gradient,) = st.gradients_function(np.square)(3.0)
        >>> float(gradient)
        6.0
    """
    inner = value_and_gradients_function(f, params)

    @functools.wraps(f)
    def gradients(*args: Any, **kwargs: Any) -> list[Any]:
        return inner(*args, **kwargs)[1]

    return gradients
