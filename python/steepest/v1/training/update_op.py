"""The operation behind a native optimizer's update."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ...ops.indexed_slices import IndexedSlices
from ...ops.symbolic import Symbolic
from ...optim.native import NativeOptimizer
from ...variables.variable import Variable as EagerVariable
from ..graph.graph import get_default_graph
from ..graph.node import Operation, Tensor
from ..graph.session_values import held

__all__ = ["native_operation"]


class _Cell:
    """A hyper-parameter that is a node: its value in the run that is going on."""

    value: Any = None

    def __call__(self) -> Any:
        return self.value


def native_operation(
    optimizer: NativeOptimizer, pairs: list[Any], name: str, finish: bool, variables: Any = None
) -> Operation:
    """Return the operation that updates variables by the optimizer's native rule, in one call when a session runs.

    ``finish``: it then also advances what the optimizer counts by itself, such as Adam's powers.
    """
    graph = get_default_graph()
    inputs: list[Tensor] = []
    sparse: list[bool] = []
    for gradient, _ in pairs:
        sparse.append(isinstance(gradient, IndexedSlices))
        inputs.extend([gradient.values, gradient.indices] if sparse[-1] else [gradient])
    hyper = _deferred_hyper(optimizer)
    operation = Operation(
        graph,
        f"Apply{type(optimizer).__name__.removesuffix('Optimizer')}",
        graph.unique_name(name),
        None,
        [*inputs, *(node._tensor() for node in hyper.values())],
        (),
        contextual=True,
        writes=True,
        differentiable=False,
    )
    targets = [variable for _, variable in pairs] if variables is None else variables
    operation.function = _Update(optimizer, targets, sparse, list(hyper), finish, bool(pairs), graph)
    return operation


def _deferred_hyper(optimizer: NativeOptimizer) -> dict[str, Any]:
    """Return the attributes that are nodes, or functions that return one, by name."""
    found: dict[str, Any] = {}
    asked = list(optimizer._hyper().values())
    for name, value in vars(optimizer).items():
        if isinstance(value, Symbolic):
            found[name] = value
        elif callable(value) and (name == "_global_step" or any(value is other for other in asked)):
            result = value()
            if isinstance(result, Symbolic):
                found[name] = result
    return found


class _Update:
    """What the operation does: the eager call, on the session's variables, by a twin of the optimizer."""

    def __init__(
        self,
        optimizer: NativeOptimizer,
        variables: list[Any],
        sparse: list[bool],
        hyper: list[str],
        finish: bool,
        applies: bool,
        graph: Any,
    ) -> None:
        self.optimizer = optimizer
        self.variables = variables
        self.sparse = sparse
        self.hyper = hyper
        self.finish = finish
        self.applies = applies
        self.graph = graph
        self.known: list[Any] | None = None

    def __call__(self, session: Any, *values: Any) -> None:
        twin = self._twin(session)
        position, gradients = 0, []
        for sparse in self.sparse:
            if sparse:
                rows, ids = unwrap(values[position]), np.asarray(unwrap(values[position + 1]))
                gradients.append(IndexedSlices(rows, ids))
            else:
                gradients.append(unwrap(values[position]))
            position += 2 if sparse else 1
        for name, value in zip(self.hyper, values[position:], strict=True):
            getattr(twin, name).value = value
        targets = [held(session, variable.op) for variable in self.variables]
        self._bind(session, twin, targets)
        if not self.applies:
            twin._finish([], "update")
        elif self.finish:
            twin.apply_gradients(list(zip(gradients, targets, strict=True)))
        else:
            twin._prepare()
            for gradient, target in zip(gradients, targets, strict=True):
                twin._apply_one(gradient, target)

    def _twin(self, session: Any) -> NativeOptimizer:
        """Return the optimizer of this session, whose slots are the session's variables."""
        twin: NativeOptimizer | None = session._optimizers.get(self.optimizer)
        if twin is None:
            twin = session._optimizers[self.optimizer] = self.optimizer._twin()
            twin._in_python = False
        for name in self.hyper:
            if not isinstance(getattr(twin, name), _Cell):
                setattr(twin, name, _Cell())
        return twin

    def _bind(self, session: Any, twin: NativeOptimizer, targets: list[EagerVariable]) -> None:
        """Make the session's variables the slots of the twin; FailedPreconditionError where one has no value."""
        slots = self._slots()
        found = [held(session, slot.op) for _, _, slot in slots]
        bound = (*targets, *found)
        before = session._optimizers.get(self)
        if before is not None and len(before) == len(bound) and all(map(operator.is_, before, bound)):
            return
        for (name, position, _), variable in zip(slots, found, strict=True):
            if position is None:
                twin._non_slots[name] = variable
            else:
                parameter = twin._parameters.meet("apply_gradients", targets[position])
                twin._slot_dict(name)[twin._parameters.key(parameter)] = variable
        session._optimizers[self] = bound

    def _slots(self) -> list[tuple[str, int | None, Any]]:
        """List the slots of this operation's variables: name, position of the variable (None: not a slot), slot."""
        if self.known is None:
            keys = [variable._slot_key() for variable in self.variables]
            self.known = [
                (name, position, slots[key])
                for name, slots in self.optimizer._slots.items()
                for position, key in enumerate(keys)
                if key in slots
            ]
            self.known += [
                (entry[0], None, variable)
                for entry, variable in self.optimizer._non_slots.items()
                if isinstance(entry, tuple) and entry[1] is self.graph
            ]
        return self.known
