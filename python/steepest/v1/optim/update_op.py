"""The operation behind a native optimizer's update."""

from __future__ import annotations

import copy
import operator
from contextlib import suppress
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ...ops.indexed_slices import IndexedSlices
from ...ops.symbolic import Symbolic
from ...optim.commit import StepCommit, advance
from ...optim.counters import StepNumber
from ...optim.hooks import HooksPutBack, process_gradients
from ...optim.hooks.weight_decay import DecayBeforeUpdate
from ...optim.optimizer import Optimizer
from ...optim.step_cache import StepCache
from ...variables.variable import Variable as EagerVariable
from ..graph.graph import get_default_graph
from ..graph.node import Operation, Tensor
from ..graph.session_values import Reader, held, reader

__all__ = ["native_operation"]


class _Cell:
    """A hyper-parameter, or a step, that is a node: its value in the run that is going on."""

    value: Any = None

    @property
    def _value(self) -> Any:  # as a Variable's
        return self.value

    _kept = _value

    def __call__(self) -> Any:
        return self.value


class _InSession:
    """An optimizer in one session: what stands for its nodes, and the session's variables as its slots."""

    def __init__(self, optimizer: Optimizer) -> None:
        assert optimizer._native is not None
        self._optimizer = optimizer
        self._rule, self._name, self._counters = optimizer._rule, optimizer._name, optimizer._counters
        self.cells: dict[
            Any, _Cell
        ] = {}  # by the name of the hyper-parameter, or of the step; by hook that of its rate
        self._hooks = optimizer._hooks
        rates = _hook_rates(optimizer)
        if rates:
            self.cells.update((hook, _Cell()) for hook in rates)
            self._hooks = [_with_rate(hook, self.cells[hook]) if hook in rates else hook for hook in optimizer._hooks]
        self.updater = optimizer._native.another()
        self.cache = StepCache(self.updater, enabled=optimizer._cache.enabled)
        self.bound: dict[Any, tuple[EagerVariable, ...]] = {}  # by operation

    def _hyper(self) -> dict[str, Any]:
        """Return the rule's hyper-parameters, nodes replaced by their values in this run."""
        given, cells = self._optimizer._hyper(), self.cells
        return {name: cells.get(name, value) for name, value in given.items()} if cells else given

    def step(self, pairs: list[Any]) -> None:
        """Do what ``Optimizer.apply_gradients`` does, by the native rule."""
        if self.cache.step(self, pairs, None):
            return
        self.cache.forget()
        who, commit = "apply_gradients", StepCommit(None)
        with HooksPutBack(self._hooks, commit):
            updates, fused = process_gradients(who, self, pairs, self.updater)
            if not updates or not self.updater.apply(self, who, updates, fused, commit):
                return
        with suppress(MemoryError):
            self.cache.remember(self, pairs, updates, fused)

    def step_one_by_one(self, pairs: list[Any]) -> None:
        """Update each pair for itself, without hooks: methods of a user's class have made each of these updates."""
        self.updater.read_hyper(self)
        for gradient, variable in pairs:
            self.updater.apply_one(self, gradient, variable)

    def finish(self) -> None:
        """Advance what the rule and its schedules count."""
        advance(self.updater.advances(self))


def native_operation(optimizer: Optimizer, pairs: list[Any], name: str, finish: bool) -> Operation:
    """Return the operation that updates variables by the optimizer's native rule, in one call when a session runs.

    ``finish``: it then also advances what the optimizer counts by itself, such as Adam's powers.
    """
    graph = get_default_graph()
    inputs: list[Tensor] = []
    sparse: list[bool] = []
    for gradient, _ in pairs:
        sparse.append(isinstance(gradient, IndexedSlices))
        inputs.extend([gradient.values, gradient.indices] if sparse[-1] else [gradient])
    hyper = _symbolic_hyper(optimizer)
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
    operation.function = _Update(
        optimizer, [variable for _, variable in pairs], sparse, list(hyper), finish, bool(pairs), graph
    )
    return operation


def _symbolic_hyper(optimizer: Optimizer) -> dict[Any, Any]:
    """Return the hyper-parameters, and the step, that are nodes, or functions that return one, by name."""
    given = dict(optimizer._hyper())
    given.update((StepNumber.GIVEN, source) for source in optimizer._counters.sources())
    return {**_nodes(given), **_hook_rates(optimizer)}


def _nodes(given: dict[Any, Any]) -> dict[Any, Any]:
    found = {
        key: value() if callable(value) and not isinstance(value, Symbolic) else value for key, value in given.items()
    }
    return {key: node for key, node in found.items() if isinstance(node, Symbolic)}


def _hook_rates(optimizer: Optimizer) -> dict[Any, Any]:
    """Return the rates of weight decay that are nodes, by hook."""
    return _nodes({hook: hook.rate for hook in optimizer._hooks if isinstance(hook, DecayBeforeUpdate)})


def _with_rate(hook: DecayBeforeUpdate, rate: _Cell) -> Any:
    twin: Any = copy.copy(hook)
    twin.rate = rate
    return twin


class _Update:
    """What the operation does when a session runs it."""

    takes_slices = True  # in place of the values of a gradient's rows, the gradient itself

    def __init__(
        self,
        optimizer: Optimizer,
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
        self.slots: list[tuple[str, int | None, Reader]] | None = None
        self.slot_ops: list[tuple[str, int | None, Operation]] | None = None
        self.ops: list[Operation] = [variable.op for variable in variables]

    def __call__(self, session: Any, *values: Any) -> None:
        within: _InSession | None = session._optimizers.get(self.optimizer)
        if within is None:
            within = session._optimizers[self.optimizer] = _InSession(self.optimizer)
        rest = iter(values)
        gradients = [self._slices(next(rest), next(rest)) if sparse else unwrap(next(rest)) for sparse in self.sparse]
        for name, value in zip(self.hyper, rest, strict=True):
            cell = within.cells.get(name)
            if cell is None:
                cell = within.cells[name] = _Cell()
            cell.value = value
        try:
            targets = [session._variables[op] for op in self.ops]
        except KeyError:
            targets = [held(session, op) for op in self.ops]  # raises for the first that has no value
        self._bind(session, within, targets)
        if not self.applies:
            within.updater.read_hyper(within)
            within.finish()
        elif self.finish:
            within.step(list(zip(gradients, targets, strict=True)))
        else:
            within.step_one_by_one(list(zip(gradients, targets, strict=True)))

    @staticmethod
    def _slices(rows: Any, ids: Any) -> IndexedSlices:
        rows = unwrap(rows)
        return rows if isinstance(rows, IndexedSlices) else IndexedSlices(rows, np.asarray(unwrap(ids)))

    def _bind(self, session: Any, within: _InSession, targets: list[EagerVariable]) -> None:
        """Make the session's variables the slots; FailedPreconditionError where one has no value."""
        slots = self._slots()
        variables = [read(session) for _, _, read in slots]
        bound = (*targets, *variables)
        before = within.bound.get(self)
        if before is not None and len(before) == len(bound) and all(map(operator.is_, before, bound)):
            return
        table = within.updater.slots
        for (name, position, _), variable in zip(slots, variables, strict=True):
            if position is None:
                table.non_slots[name] = variable
            else:
                parameter = table.parameters.meet("apply_gradients", targets[position])
                table.by_name.setdefault(name, {})[table.parameters.key(parameter)] = variable
        if StepNumber.GIVEN in within.cells:
            table.non_slots[StepNumber.GIVEN] = within.cells[StepNumber.GIVEN]  # type: ignore[assignment]
        within.bound[self] = bound

    def _slots(self) -> list[tuple[str, int | None, Reader]]:
        """List the slots as `slot_operations` does, with what reads them in a session."""
        if self.slots is None:
            self.slots = [(name, position, reader(op)) for name, position, op in self.slot_operations()]
        return self.slots

    def slot_operations(self) -> list[tuple[str, int | None, Operation]]:
        """List the slots of this operation's variables: name, position of the variable (None: no slot), operation."""
        if self.slot_ops is None:
            table = self.optimizer._slot_table
            keys = [variable._slot_key() for variable in self.variables]
            found: list[tuple[str, int | None, Operation]] = [
                (name, position, slots[key].op)
                for name, slots in table.by_name.items()
                for position, key in enumerate(keys)
                if key in slots
            ]
            found += [
                (entry[0], None, variable.op)
                for entry, variable in table.non_slots.items()
                if isinstance(entry, tuple) and entry[1] is self.graph
            ]
            self.slot_ops = found
        return self.slot_ops
