"""Nodes whose gradient the program says: `custom_gradient`, and gradients of a type of operation."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

from ...autodiff import custom as _custom
from ...autodiff.tape import GradientTape as _custom_tape
from ...variables.variable import Variable
from ..graph.build import convert
from ..graph.gradient_registry import REGISTRY, set_override
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.nests import flatten, is_nested, pack_sequence_as
from ..graph.node import Operation, Tensor
from ..ops.internal_names import prevent_gradient
from ..ops.loop_ops import leaves
from ..ops.sparse_ops import convert_to_tensor
from .dependence import reaches
from .eager_parts import packed, unpacked
from .given_gradients import with_gradient
from .graph_tape import read_variables

__all__ = ["custom_gradient", "get_dependent_variables", "grad_pass_through", "recompute_grad"]


# The functions whose gradients are being made, and how often one may be inside its own: gradients are made with nodes.
_DIFFERENTIATED: ContextVar[tuple[Callable[..., Any], ...]] = ContextVar("differentiated", default=())
_ORDERS = 2


def custom_gradient(f: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Decorate ``f(*args) -> (value, grad_fn)``: the gradient is what ``grad_fn`` says.

    ``grad_fn(*dy)`` takes the gradients that arrive at the values and returns one for each argument, None where there
    is none; arguments and values may be nests, and methods are decorated as functions are. Where f reads trainable
    variables, it is ``grad_fn(*dy, variables=...)``, which returns a pair: these, and a list of those of the variables.
    In graph mode it is called once, when the node is made, and its error is raised where a gradient is asked for; where
    it calls the decorated function itself, as for Bessel functions, there are as many derivatives as that allows: two.
    In eager mode f is called twice; see `steepest.custom_gradient`.

    Raises:
        TypeError: when f does not return a pair with a function, or reads variables that grad_fn does not take; when f
            makes a variable of the graph that is no resource.
        ValueError: when grad_fn returns another number of gradients.

    Source: ``tf.custom_gradient``.
    """
    return custom_gradient if f is None else _Decorated(f)


class _Decorated:
    """A function whose gradient is given; in a class it is a method, whose object is no argument of the gradient."""

    def __init__(self, f: Callable[..., Any]) -> None:
        functools.update_wrapper(self, f)
        self._f = f

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return (_with_variables if executing_eagerly() else _in_graph)(self._f, args, kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> _Decorated:
        return self if instance is None else _Decorated(self._f.__get__(instance, owner))


def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return f with the gradient of the identity. Source: ``tf.grad_pass_through``."""

    @custom_gradient
    def passed(*args: Any, **kwargs: Any) -> Any:
        def gradient(*dy: Any, variables: Any = None) -> Any:
            given = dy[0] if len(dy) == 1 else list(dy)
            return given if variables is None else (given, [None] * len(variables))

        return f(*args, **kwargs), gradient

    return passed


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that does what f does: here the forward pass is not computed twice.

    Source: ``tf.recompute_grad``.
    """

    @functools.wraps(f)
    def same(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    return same


def get_dependent_variables(input_ops: Any, output_ops: Any) -> list[Any]:
    """Return the trainable variables to which gradients flow from a nest of nodes, but through those of another nest.

    Source: ``custom_gradient.get_dependent_variables``.
    """
    inputs = [convert(each) for each in leaves(input_ops)]
    outputs = [convert(each) for each in leaves(output_ops)]
    found = read_variables(outputs, behind=[tensor.op for tensor in inputs])
    return [variable for variable in found if reaches(outputs, variable._tensor(), inputs)]


def _with_variables(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Call f in eager mode; the trainable variables that it reads are arguments for the core's `custom_gradient`."""
    with _custom_tape() as tape:
        value, grad_fn = _pair_of(f, f(*args, **kwargs))
    flat = flatten(args)
    given = {id(arg) for arg in flat}
    variables = [each for each in tape.watched_variables() if id(each) not in given]
    if variables:
        _check_takes_variables(grad_fn)
    several = is_nested(value)

    def gradients(dy: Any) -> Any:
        arriving = unpacked(dy, flatten(value)) if several else (dy,)
        return _of_both(grad_fn, arriving, variables) if variables else _as_list(grad_fn(*arriving))

    def whole(*operands: Any) -> Any:  # what f was called with: it has its effects once
        if several:
            return packed(flatten(value)), gradients
        if isinstance(value, Variable):
            return _custom.stop_gradient(value), gradients  # a copy: the variable may change
        return (convert_to_tensor(value) if isinstance(value, int | float) else value), gradients

    result = _custom.custom_gradient(whole)(*flat, *variables)
    if not several:
        return convert_to_tensor(result)
    return pack_sequence_as(value, [convert_to_tensor(each) for each in unpacked(result, flatten(value))])


def _in_graph(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    inputs = [convert(value) for value in flatten(args)]
    before = _shared_variables()
    value, grad_fn = _pair_of(f, f(*pack_sequence_as(args, inputs), **kwargs))
    if not all(is_resource for variable, is_resource in _shared_variables().items() if variable not in before):
        raise TypeError(
            "All variables used by a function wrapped with @custom_gradient must be `ResourceVariable`s. Ensure that "
            "no `variable_scope` is created with `use_resource=False`."
        )
    values = [convert(item) for item in flatten(value)]
    outer = _DIFFERENTIATED.get()
    if outer.count(f) == _ORDERS:
        said = f"{_custom.name_of(f)} has {_ORDERS} derivatives: its gradient calls it"
        return pack_sequence_as(value, [prevent_gradient(each, said) for each in values])
    variables = read_variables(values, behind=[tensor.op for tensor in inputs])
    if variables:
        _check_takes_variables(grad_fn)

    def gradients(*dy: Tensor) -> list[Any]:
        token = _DIFFERENTIATED.set((*outer, f))
        try:
            return _of_both(grad_fn, dy, variables) if variables else _as_list(grad_fn(*dy))
        finally:
            _DIFFERENTIATED.reset(token)

    sources = [*inputs, *(v._tensor() for v in variables)]
    return pack_sequence_as(value, with_gradient(sources, values, gradients, _custom.name_of(f)))


def _shared_variables() -> dict[int, bool]:
    """Return the ids of the graph's variables, and of each whether it is a resource."""
    graph = get_default_graph()
    return {
        id(variable): bool(getattr(variable, "_is_resource", False))
        for name in ("variables", "local_variables")
        for variable in graph.get_collection_ref(name)
    }


def _pair_of(f: Any, pair: Any) -> tuple[Any, Callable[..., Any]]:
    """Return what a function under `custom_gradient` returned; TypeError for what is no value and a function."""
    if not (isinstance(pair, tuple) and len(pair) == 2 and callable(pair[1])):
        raise TypeError(f"{_custom.name_of(f)} must return a pair (value, grad_fn) under custom_gradient, got {pair!r}")
    return pair


def _check_takes_variables(grad_fn: Callable[..., Any]) -> None:
    parameters = inspect.signature(grad_fn).parameters.values()
    if not any(each.name == "variables" or each.kind is each.VAR_KEYWORD for each in parameters):
        raise TypeError(
            "If using @custom_gradient with a function that uses variables, then grad_fn must accept a keyword "
            "argument 'variables'."
        )


def _of_both(grad_fn: Callable[..., Any], dy: Sequence[Any], variables: Sequence[Any]) -> list[Any]:
    """Return the gradients of the arguments, and behind them those of the variables; ValueError for other numbers."""
    made = grad_fn(*dy, variables=variables)
    if not (isinstance(made, tuple) and len(made) == 2 and len(_as_list(made[1])) == len(variables)):
        raise ValueError("Must return gradient for each variable from @custom_gradient grad_fn.")
    return [*_as_list(made[0]), *_as_list(made[1])]


def _as_list(value: Any) -> list[Any]:
    """Return the gradients of a nest of lists one after another, as TensorFlow takes them."""
    return [each for part in value for each in _as_list(part)] if isinstance(value, (list, tuple)) else [value]


def _overridden(operation: Operation, rule_name: str) -> list[Tensor]:
    """Return the outputs of an operation with the gradient that is registered under a name."""
    rule = REGISTRY.get(rule_name)
    if rule is None:  # an error only where a gradient is asked for
        said = f"gradient registry has no entry for: {rule_name}"
        refused = [prevent_gradient(each, said) if each.dtype.has_gradients else each for each in operation.outputs]
        return _marked(operation, refused, rule_name)
    floating = [tensor for tensor in operation.inputs if tensor.dtype.has_gradients]

    def gradients(*dy: Tensor) -> list[Any]:
        made = _as_list(rule(operation, *dy))
        return [
            gradient for gradient, tensor in zip(made, operation.inputs, strict=False) if tensor.dtype.has_gradients
        ]

    return _marked(operation, with_gradient(floating, operation.outputs, gradients, rule_name), rule_name)


def _marked(operation: Operation, outputs: list[Tensor], rule_name: str) -> list[Tensor]:
    for op in {operation, *(tensor.op for tensor in outputs)}:
        op._attributes = {**op._attributes, "_gradient_op_type": rule_name.encode()}
    return outputs


set_override(_overridden)
