"""What a backward pass knows before it begins: which operations it visits, in which order, and for which sources."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from ..ops.state import RecordingTape
from ..ops.tensor import Tensor
from ..variables.variable import Variable
from .nest import WHO

__all__ = ["Graph"]

_by_number = attrgetter("number")


class Graph:
    """The part of a tape's record that lies between targets and sources.

    Attributes:
        roots: the tensor of each target.
        order: the recorded operations behind the targets, last first.
        ends: for each source the tensors that stand for it.
        kept: those of them that are results of operations.
        needed: the tensors whose gradients are sources' or lead to them.

    Raises:
        RuntimeError: when the value of a variable that a rule needs has changed since it was read.
    """

    def __init__(
        self, tape: RecordingTape, targets: list[Any], sources: list[Any], constants: frozenset[Any] = frozenset()
    ) -> None:
        self._leaves: list[Tensor] = []
        self._reached: set[Tensor] = set()
        self.roots = [_leaf_of(target) if isinstance(target, Variable) else target for target in targets]
        self.order = self._reach(tape, constants)
        changed = [a for a in self._leaves if a.owner is not None and a.version not in (None, a.owner._version)]
        for leaf in changed:
            if leaf.mark != -math.inf:
                raise _changed_since(leaf)
        self.ends = self._ends(sources, tape._watched, constants)
        ends = {tensor for tensors in self.ends for tensor in tensors}
        self.kept = ends.difference(self._leaves)
        self.needed = self._needed(ends)
        if changed:
            self._check_constants(set(changed))

    def release(self) -> None:
        """Free the values that the operations keep; a loss that is still held would hold them all."""
        never = -math.inf
        for node in self.order:
            node.args = node.inputs = ()
            node.primitive = None
            node.mark = never

    def _reach(self, tape: RecordingTape, constants: frozenset[Any]) -> list[Tensor]:
        """Return the operations behind the roots, last first; note the tensors met, and the leaves."""
        intervals = tape._intervals
        first, last = (intervals[0][0], intervals[-1][1]) if intervals else (0, 0)
        recorded = tape._recorded if len(intervals) > 1 else None
        simple = recorded is None and not constants
        reached, leaves = self._reached, self._leaves
        order: list[Tensor] = []
        stack: list[Tensor] = []
        tensors: Sequence[Any] = self.roots
        while True:
            for a in tensors:
                if type(a) is Tensor and a not in reached:
                    reached.add(a)
                    if (
                        a.primitive is not None
                        and first <= a.number < last
                        and (simple or (a not in constants and (recorded is None or recorded(a.number))))
                    ):
                        stack.append(a)
                    else:
                        leaves.append(a)
            if not stack:
                break
            node = stack.pop()
            order.append(node)
            tensors = node.args
        order.sort(key=_by_number, reverse=True)
        return order

    def _ends(self, sources: list[Any], watched: set[Any], constants: frozenset[Any]) -> list[list[Tensor]]:
        of_variable: dict[Variable, list[Tensor]] = {}
        for leaf in self._leaves:
            if leaf.owner is not None and leaf.mark != -math.inf:
                of_variable.setdefault(leaf.owner, []).append(leaf)
        leaves = set(self._leaves)
        ends: list[list[Tensor]] = []
        for source in sources:
            if isinstance(source, Variable):
                ends.append(of_variable.get(source, []) if source in watched else [])
            elif source in self._reached and (source not in leaves or source in watched or source in constants):
                ends.append([source])
            elif source in self._reached and source.owner is not None and source.owner in watched:
                ends.append([source])  # what read_value() returned
            else:
                ends.append([])
        return ends

    def _needed(self, ends: set[Tensor]) -> set[Tensor]:
        for leaf in self._leaves:
            if leaf not in ends and (leaf.mark != -math.inf or leaf.number):
                break
        else:  # whatever was recorded comes from a leaf that was followed, and so from a source
            return ends.union(self.order)
        needed = ends.copy()
        for node in reversed(self.order):
            for a in node.args:
                if type(a) is Tensor and a in needed:
                    needed.add(node)
                    break
        return needed

    def _check_constants(self, changed: set[Tensor]) -> None:
        """Raise for a variable that no tape follows, but whose value a rule needs."""
        for node in self.order:
            if node in self.needed and node.primitive is not None and not node.primitive.linear:
                for a in node.args:
                    if type(a) is Tensor and a in changed and a not in self.needed:
                        raise _changed_since(a)


def _leaf_of(variable: Variable) -> Tensor:
    """Return the tensor for a variable that is itself a target."""
    return Tensor(variable._value, 0, variable, variable._version)


def _changed_since(leaf: Tensor) -> RuntimeError:
    return RuntimeError(
        f"{WHO}: variable {leaf.owner.name!r} must not change between its reading and gradient(), got a change; "
        "compute the gradient first, or open the tape with persistent=True, which keeps copies"
    )
