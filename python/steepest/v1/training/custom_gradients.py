"""Nodes whose gradient the program says: `custom_gradient`, and gradients of a type of operation."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...autodiff import custom as _custom
from ...autodiff.tape import GradientTape as _custom_tape
from ...ops.dispatch import any_recorded, conjugated, is_recorded, record, unwrap
from ...ops.indexed_slices import IndexedSlices
from ...ops.registry import Primitive
from ...variables.variable import Variable
from ..graph.branches import branches_of
from ..graph.build import convert
from ..graph.gradient_registry import REGISTRY, set_override
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor
from ..graph.plan import ExecutionPlan
from ..ops.array_ops import identity
from ..ops.creation_ops import placeholder
from .dependence import GIVEN_GRADIENT, ops_between
from .gradient_run import conjugates
from .tapes import read_variables

__all__ = ["custom_gradient", "grad_pass_through", "recompute_grad"]


def custom_gradient(f: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Decorate ``f(*args) -> (value, grad_fn)``: the gradient is what ``grad_fn`` says.

    ``grad_fn(*dy)`` takes the gradients that arrive at the values and returns one for each argument, None where there
    is none. Where f reads trainable variables, it is ``grad_fn(*dy, variables=...)``, which returns a pair: these, and
    a list of those of the variables. In graph mode it is called once, when the node is made. In eager mode f has one
    value, and is called twice where it reads variables; see `steepest.custom_gradient`.

    Raises:
        TypeError: when f does not return a pair with a function, or reads variables that grad_fn does not take.
        ValueError: when grad_fn returns another number of gradients.

    Source: ``tf.custom_gradient``.
    """
    if f is None:
        return custom_gradient

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        if executing_eagerly():
            return _with_variables(f, args, kwargs)
        return _in_graph(f, args, kwargs)

    return decorated


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
    """Return f itself: here the forward pass is not computed twice. Source: ``tf.recompute_grad``."""
    return f


def _with_variables(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Call f in eager mode; the trainable variables that it reads are arguments for the core's `custom_gradient`."""
    with _custom_tape() as tape:
        _, grad_fn = _pair_of(f, f(*args, **kwargs))
    given = {id(arg) for arg in args}
    variables = [each for each in tape.watched_variables() if id(each) not in given]
    if not variables:
        return _custom.custom_gradient(lambda *given: f(*given, **kwargs))(*args)
    _check_takes_variables(grad_fn)

    def whole(*given: Any) -> Any:
        result, grad = _pair_of(f, f(*given[: len(args)], **kwargs))
        return result, lambda dy: _of_both(grad, (dy,), variables)

    return _custom.custom_gradient(whole)(*args, *variables)


def _in_graph(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    inputs = [identity(convert(value)) for value in args]
    value, grad_fn = _pair_of(f, f(*inputs, **kwargs))
    several = isinstance(value, (list, tuple))
    values = [convert(item) for item in (value if several else [value])]
    variables = read_variables(values, behind=[tensor.op for tensor in inputs])
    if variables:
        _check_takes_variables(grad_fn)

    def gradients(*dy: Tensor) -> list[Any]:
        if not variables:
            return _as_list(grad_fn(*dy))
        return _of_both(grad_fn, dy, variables)

    sources = [*inputs, *(v._tensor() for v in variables)]
    results = with_gradient(sources, values, gradients, _custom.name_of(f))
    return type(value)(results) if several else results[0]


def _pair_of(f: Any, pair: Any) -> tuple[Any, Callable[..., Any]]:
    """Return what a function under `custom_gradient` returned; TypeError for what is no value and a function."""
    if not (isinstance(pair, tuple) and len(pair) == 2 and callable(pair[1])):
        raise TypeError(f"{_custom.name_of(f)} must return a pair (value, grad_fn) under custom_gradient, got {pair!r}")
    return pair


def _check_takes_variables(grad_fn: Callable[..., Any]) -> None:
    if "variables" not in inspect.signature(grad_fn).parameters:
        raise TypeError(
            "If using @custom_gradient with a function that uses variables, then grad_fn must accept a 'variables' "
            "keyword argument."
        )


def _of_both(grad_fn: Callable[..., Any], dy: Sequence[Any], variables: Sequence[Any]) -> list[Any]:
    """Return the gradients of the arguments, and behind them those of the variables; ValueError for other numbers."""
    made = grad_fn(*dy, variables=variables)
    if not (isinstance(made, tuple) and len(made) == 2 and len(_as_list(made[1])) == len(variables)):
        raise ValueError("Must return gradient for each variable from @custom_gradient grad_fn.")
    return [*_as_list(made[0]), *_as_list(made[1])]


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def with_gradient(
    sources: Sequence[Tensor], values: Sequence[Tensor], gradients: Callable[..., list[Any]], name: str
) -> list[Tensor]:
    """Return tensors with the given values; the gradients of the sources are what ``gradients(*dy)`` makes of theirs.

    Raises ValueError for another number of gradients, NotImplementedError for several values of several types.
    """
    graph = get_default_graph()
    if len({tensor.dtype.base_dtype for tensor in values}) > 1:
        raise NotImplementedError(f"{name}: all values must be of one type under custom_gradient")
    with graph.name_scope("IdentityN"), graph.control_dependencies(None):
        arriving = [placeholder(tensor.dtype.base_dtype, tensor.shape, "dy")._tensor() for tensor in values]
        made = [_tensor_of(gradient) for gradient in gradients(*arriving)]
        if len(made) != len(sources):
            raise ValueError(
                f"custom_gradient function expected to return {len(sources)} gradients, but returned {len(made)}"
            )
        back = _Backward(arriving, made)
        inputs = [*sources, *values, *back.outside]
        results = [(tensor.dtype.base_dtype, tensor._shape) for tensor in values]
        function = _Forward(len(sources), len(values), back, name)
        operation = Operation(
            graph,
            GIVEN_GRADIENT,
            graph.unique_name("IdentityN"),
            function,
            inputs,
            results,
            contextual=True,
            attributes={"followed": len(sources)},
        )
    return operation.outputs


def _tensor_of(gradient: Any) -> Tensor | None:
    return None if gradient is None else convert(gradient)


class _Backward:
    """The nodes that lead from the arriving gradients to those of the sources, and how a run follows them."""

    def __init__(self, arriving: Sequence[Tensor], made: Sequence[Tensor | None]) -> None:
        self._arriving = list(arriving)
        self._made = list(made)
        depends = {tensor.op for tensor in arriving}
        needed: set[Operation] = set()
        stack = [tensor.op for tensor in made if tensor is not None]
        while stack:
            op = stack.pop()
            if op not in needed:
                needed.add(op)
                stack.extend(tensor.op for tensor in op.operands)
        for op in sorted(needed, key=lambda op: op.number):
            if any(tensor.op in depends for tensor in op.operands):
                depends.add(op)
        self._steps = [
            op for op in sorted(depends & needed, key=lambda op: op.number) if op not in {t.op for t in arriving}
        ]
        # Branches, and gradients of what the function computed, are evaluated by a plan, which makes a forward pass.
        self._planned = any(op.type in ("Cond", "While", "Gradients") for op in self._steps)
        for op in [inner for step in self._steps for inner in _gradient_nodes(step)]:
            targets = op.operands[: op.function.targets]  # type: ignore[union-attr]
            between = {o for source in op.get_attr("sources") for o in ops_between(targets, source, ())}
            self._steps += [each for each in between if each not in self._steps]
        depends |= set(self._steps)
        self._plan: ExecutionPlan | None = None
        tensors = [tensor for op in self._steps for tensor in op.operands]
        tensors += [tensor for tensor in made if tensor is not None]
        self.outside = list(dict.fromkeys(tensor for tensor in tensors if tensor.op not in depends))

    def __call__(self, session: Any, outside: Sequence[Any], arriving: Sequence[Any]) -> list[Any]:
        if self._planned:
            return self._by_plan(session, [*outside, *arriving])
        values = dict(zip([*self.outside, *self._arriving], [*outside, *arriving], strict=True))
        for op in self._steps:
            assert op.function is not None
            inputs = [values[tensor] for tensor in op.operands]
            result = op.function(session, *inputs) if op.contextual else op.function(*inputs)
            values.update(zip(op.outputs, [result] if len(op.outputs) == 1 else result, strict=True))
        return [None if tensor is None else values[tensor] for tensor in self._made]

    def _by_plan(self, session: Any, given: Sequence[Any]) -> list[Any]:
        if any(is_recorded(value) for value in given[len(self.outside) :]):
            raise NotImplementedError("custom_gradient: no second derivative through a cond or gradients of grad_fn")
        present = [tensor for tensor in self._made if tensor is not None]
        if self._plan is None:
            self._plan = ExecutionPlan(present, [*self.outside, *self._arriving])
        found = iter(self._plan.run(session, [np.asarray(unwrap(value)) for value in given]))
        return [None if tensor is None else next(found) for tensor in self._made]


def _gradient_nodes(op: Operation) -> list[Operation]:
    """Return the operations that ask for gradients: this one, or those inside its branches."""
    branches = branches_of(op)
    if not branches:
        return [op] if op.type == "Gradients" else []
    inside = [other for other in op.graph.get_operations() if any(other.branch is branch for branch in branches)]
    return [found for other in inside for found in _gradient_nodes(other)]


class _Forward:
    """What the node does in a run: it gives the values, and tells the tape how they are differentiated."""

    def __init__(self, sources: int, values: int, back: _Backward, name: str) -> None:
        self._sources, self._values, self._back, self._name = sources, values, back, name

    def __call__(self, session: Any, *given: Any) -> Any:
        sources = [value._operand() if isinstance(value, Variable) else value for value in given[: self._sources]]
        values = [np.asarray(unwrap(value)) for value in given[self._sources : self._sources + self._values]]
        outside = given[self._sources + self._values :]
        if not any_recorded(sources):
            return values[0] if self._values == 1 else tuple(values)
        operands = tuple(value if is_recorded(value) else unwrap(value) for value in sources)

        def rule(positions: list[int], g: Any, y: Any, *args: Any) -> list[Any]:
            gradients = self._back(session, outside, _parts(conjugated(g), values))
            found = [conjugates(gradients[position]) for position in positions]
            return [each.to_dense() if isinstance(each, IndexedSlices) else each for each in found]

        # Several values are one array for the tape, so that the rule is asked once.
        packed = values[0] if self._values == 1 else np.concatenate([value.reshape(-1) for value in values])
        whole = record(packed, Primitive(self, vjp_argnums=rule, name=self._name), operands)
        return whole if self._values == 1 else tuple(_parts(whole, values))


def _parts(flat: Any, like: Sequence[Any]) -> list[Any]:
    """Return the parts of an array that has several behind each other, in their shapes."""
    if len(like) == 1:
        return [flat]
    ends = np.cumsum([value.size for value in like]).tolist()
    return [np.reshape(flat[end - value.size : end], value.shape) for end, value in zip(ends, like, strict=True)]


def _overridden(operation: Operation, rule_name: str) -> list[Tensor]:
    """Return the outputs of an operation with the gradient that is registered under a name."""
    rule = REGISTRY.get(rule_name)
    if rule is None:
        raise LookupError(f"gradient registry has no entry for: {rule_name}")
    floating = [tensor for tensor in operation.inputs if tensor.dtype.has_gradients]

    def gradients(*dy: Tensor) -> list[Any]:
        made = _as_list(rule(operation, *dy))
        return [
            gradient for gradient, tensor in zip(made, operation.inputs, strict=False) if tensor.dtype.has_gradients
        ]

    outputs = with_gradient(floating, operation.outputs, gradients, rule_name)
    for op in {operation, *(tensor.op for tensor in outputs)}:
        op._attributes = {**op._attributes, "_gradient_op_type": rule_name.encode()}
    return outputs


set_override(_overridden)
