"""Operations whose gradient is given by nodes, which a run follows when the tape asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...ops.dispatch import any_recorded, conjugated, is_recorded, record, unwrap
from ...ops.indexed_slices import IndexedSlices
from ...ops.registry import Primitive
from ...variables.variable import Variable
from ..graph.branches import branches_of
from ..graph.build import convert
from ..graph.graph import get_default_graph
from ..graph.node import Operation, Tensor
from ..graph.plan import ExecutionPlan
from ..graph.walks import reached
from ..ops.creation_ops import placeholder, zeros_like
from .dependence import GIVEN_GRADIENT, ops_between
from .gradient_run import conjugates

__all__ = ["with_gradient"]


def with_gradient(
    sources: Sequence[Tensor], values: Sequence[Tensor], gradients: Callable[..., list[Any]], name: str
) -> list[Tensor]:
    """Return tensors with the given values; the gradients of the sources are what ``gradients(*dy)`` makes of theirs.

    Of values that have none, integers for example, zeros arrive. What ``gradients`` raises, and ValueError for another
    number of gradients, is raised where a gradient is asked for. Raises NotImplementedError for real values beside
    complex ones.
    """
    graph = get_default_graph()
    followed = [tensor.dtype.has_gradients for tensor in values]
    if len({tensor.dtype.is_complex for tensor in values if tensor.dtype.has_gradients}) > 1:
        raise NotImplementedError(f"{name}: all values must be real, or all complex, under custom_gradient")
    with graph.name_scope("IdentityN") as scope, graph.control_dependencies(None):
        given = [
            placeholder(tensor.dtype.base_dtype, tensor.shape, "dy")._tensor() if flows else zeros_like(tensor)
            for tensor, flows in zip(values, followed, strict=True)
        ]
        arriving = [dy for dy, flows in zip(given, followed, strict=True) if flows]
        made, failure = _made(sources, given, gradients)
        back = _Backward(arriving, made)
        inputs = [*sources, *values, *back.outside]
        results = [(tensor.dtype.base_dtype, tensor._shape) for tensor in values]
        function = _Forward(len(sources), followed, back, name, failure)
        flows_to = [
            source.dtype.has_gradients if failure else slope is not None
            for source, slope in zip(sources, made, strict=True)
        ]
        operation = Operation(
            graph,
            GIVEN_GRADIENT,
            scope.rstrip("/"),
            function,
            inputs,
            results,
            contextual=True,
            attributes={"followed": [k for k, reached in enumerate(flows_to) if reached]},
        )
    return operation.outputs


def _made(
    sources: Sequence[Tensor], given: Sequence[Tensor], gradients: Callable[..., list[Any]]
) -> tuple[list[Tensor | None], Exception | None]:
    """Return the gradients of the sources; none of them, and the error, where the program's function fails."""
    try:
        made = [_tensor_of(gradient) for gradient in gradients(*given)]
        if len(made) != len(sources):
            raise ValueError(
                f"custom_gradient function expected to return {len(sources)} gradients, but returned {len(made)}"
            )
    except Exception as error:  # whatever the program raises: its values are good as long as no gradient is wanted
        return [None] * len(sources), error
    return made, None


def _tensor_of(gradient: Any) -> Tensor | None:
    return None if gradient is None else convert(gradient)


class _Backward:
    """The nodes that lead from the arriving gradients to those of the sources, and how a run follows them."""

    def __init__(self, arriving: Sequence[Tensor], made: Sequence[Tensor | None]) -> None:
        self._arriving = list(arriving)
        self._made = list(made)
        depends = {tensor.op for tensor in arriving}
        results = [tensor.op for tensor in made if tensor is not None]
        computed = reached(results, lambda op: [tensor.op for tensor in op.operands])
        needed = reached(results, _before)
        # Effects that something only waits for run with the gradient, not whenever the values are asked for.
        own = min((op.number for op in depends), default=0)
        effects = {op for op in needed - computed if op.number > own and op.op_def.is_stateful}
        depends |= effects
        for op in sorted(needed, key=lambda op: op.number):
            if any(other in depends for other in _before(op)):
                depends.add(op)
        self._steps = [
            op for op in sorted(depends & needed, key=lambda op: op.number) if op not in {t.op for t in arriving}
        ]
        # Branches, and gradients of what the function computed, are evaluated by a plan, which makes a forward pass;
        # so are effects.
        self._planned = any(op.type == "Gradients" or branches_of(op) for op in self._steps)
        self._planned |= bool(effects)
        for op in [inner for step in self._steps for inner in _gradient_nodes(step)]:
            targets = op.operands[: op.function.targets]  # type: ignore[union-attr]
            between = {o for source in op.get_attr("sources") for o in ops_between(targets, source)}
            self._steps += [each for each in between if each not in self._steps]
        depends |= set(self._steps)
        self._plan: ExecutionPlan | None = None
        tensors = [tensor for op in self._steps for tensor in op.operands]
        tensors += [tensor for tensor in made if tensor is not None]
        self.outside = list(dict.fromkeys(tensor for tensor in tensors if tensor.op not in depends))

    def in_file(self) -> dict[str, Any]:
        """Return what a file holds: a plan is made when it is needed."""
        return {**vars(self), "_plan": None}

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


def _before(op: Operation) -> list[Operation]:
    return [*(tensor.op for tensor in op.operands), *op.control_inputs]


def _gradient_nodes(op: Operation) -> list[Operation]:
    """Return the operations that ask for gradients: this one, or those inside its branches."""
    branches = branches_of(op)
    if not branches:
        return [op] if op.type == "Gradients" else []
    inside = [other for other in op.graph.get_operations() if any(other.branch is branch for branch in branches)]
    return [found for other in inside for found in _gradient_nodes(other)]


class _Forward:
    """What the node does in a run: it gives the values, and tells the tape how they are differentiated."""

    def __init__(
        self, sources: int, followed: list[bool], back: _Backward, name: str, failure: Exception | None
    ) -> None:
        self._sources, self._followed, self._back, self._name = sources, followed, back, name
        self.failure = failure

    def __call__(self, session: Any, *given: Any) -> Any:
        sources = [value._operand() if isinstance(value, Variable) else value for value in given[: self._sources]]
        end = self._sources + len(self._followed)
        values = [np.asarray(unwrap(value)) for value in given[self._sources : end]]
        outside = given[end:]
        flowing = [value for value, flows in zip(values, self._followed, strict=True) if flows]
        if not flowing or not any_recorded(sources):
            return values[0] if len(values) == 1 else tuple(values)
        operands = tuple(value if is_recorded(value) else unwrap(value) for value in sources)

        def rule(positions: list[int], g: Any, y: Any, *args: Any) -> list[Any]:
            gradients = self._back(session, outside, _parts(conjugated(g), flowing))
            found = [conjugates(gradients[position]) for position in positions]
            return [each.to_dense() if isinstance(each, IndexedSlices) else each for each in found]

        # Several values are one array for the tape, so that the rule is asked once.
        packed = flowing[0] if len(flowing) == 1 else np.concatenate([value.reshape(-1) for value in flowing])
        whole = record(packed, Primitive(self, vjp_argnums=rule, name=self._name), operands)
        parts = iter(_parts(whole, flowing))
        results = [next(parts) if flows else value for value, flows in zip(values, self._followed, strict=True)]
        return results[0] if len(values) == 1 else tuple(results)


def _parts(flat: Any, like: Sequence[Any]) -> list[Any]:
    """Return the parts of an array that has several behind each other, in their shapes and types."""
    if len(like) == 1:
        return [flat]
    ends = np.cumsum([value.size for value in like]).tolist()
    parts = [np.reshape(flat[end - value.size : end], value.shape) for end, value in zip(ends, like, strict=True)]
    return [
        part if part.dtype == value.dtype else part.astype(value.dtype) for part, value in zip(parts, like, strict=True)
    ]
