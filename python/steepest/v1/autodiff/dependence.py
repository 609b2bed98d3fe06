"""How tensors depend on others, as far as the graph says it before a session runs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ..graph.branches import Branch, branches_of, is_loop
from ..graph.node import Operation, Tensor
from .gradient_makings import made_of

__all__ = ["GIVEN_GRADIENT", "Dependence", "check_loop_values", "ops_between", "reaches", "stopped_with", "takes_rows"]

GIVEN_GRADIENT = "CustomGradient"
"""The type of operations whose gradient the program has given, for the inputs at the positions ``followed`` alone."""


WITHOUT_GRADIENT = frozenset(
    {"Bincount", "IgammaGradA", "ListDiff", "Lu", "PreventGradient", "SparseReduceMax", "TruncateMod", "Unique"}
    | {"UniqueV2", "UniqueWithCounts", "UniqueWithCountsV2"}
)
"""Types of operations that depend on their inputs, and of which TensorFlow does not know how."""


CHOOSING = frozenset({GIVEN_GRADIENT, "Enter", "LoopInput", "Merge", "NextIteration", "RefSwitch", "Switch"})
"""Types of operations of whose inputs some may have no gradient in a run."""


NOT_FOLLOWED = {
    "Betainc": (0, 1),
    "FusedBatchNorm": (3, 4),
    "FusedBatchNormV2": (3, 4),
    "FusedBatchNormV3": (3, 4),
    "Polygamma": (0,),
    "Zeta": (0,),
}
"""By type the inputs to which no gradient flows, though those of the others are made of them."""


SPLIT = frozenset(
    {"IdentityN", "LogMatrixDeterminant", "Qr", "SelfAdjointEig", "SelfAdjointEigV2", "Split", "SplitV", "Svd"}
    | {"TopKV2", "Unpack"}
)
"""Types of operations of several results, as TensorFlow has them too."""


class Dependence:
    """What gradients of some tensors flow through, back to those that ``stops`` names."""

    def __init__(self, targets: Sequence[Tensor], stops: Iterable[Tensor] = ()) -> None:
        self._targets = frozenset(targets)
        # For each tensor those that are computed from it, on the way to the targets.
        self._users: dict[Tensor, list[Tensor]] = {}
        stopped = set(stops)
        pending = [tensor for tensor in targets if tensor.dtype.has_gradients]
        seen, loops = set(pending), set[object]()
        entries = dict.fromkeys(_entries(pending, stopped))
        while pending:
            while pending:
                tensor = pending.pop()
                if tensor in stopped or not _flows(tensor.op):
                    continue
                loops.update(branch.loop for branch in branches_of(tensor.op))
                for source in _computed_from(tensor):
                    if not source.dtype.has_gradients:
                        continue
                    self._users.setdefault(source, []).append(tensor)
                    if source not in seen:
                        seen.add(source)
                        pending.append(source)
            # As in TensorFlow the first values of a loop's variables have gradients, where one flows through the loop:
            # zeros where they are stopped on the way.
            for entry in [each for each in entries if each.op.branch is not None and each.op.branch.loop in loops]:
                del entries[entry]
                first = next(iter(_computed_from(entry)))
                self._users.setdefault(first, []).append(entry)
                if first not in seen:
                    seen.add(first)
                    pending.append(first)

    def ops(self, source: Tensor) -> set[Operation]:
        """Return the operations between a source and the targets through which a gradient flows.

        Raises LookupError where one of them is of a type without a gradient, and the error that a given one failed by.
        """
        stack, seen = [source], {source}
        found: set[Operation] = set()
        while stack:
            for tensor in self._users.get(stack.pop(), ()):
                if tensor in seen:
                    continue
                seen.add(tensor)
                stack.append(tensor)
                found.add(tensor.op)
        for op in sorted(found, key=lambda op: op.number):
            if op.type == "PreventGradient":
                raise LookupError(f"Gradient explicitly disabled. Reason: {op.get_attr('message')!r}")
            if op.type == GIVEN_GRADIENT and (failure := getattr(op.function, "failure", None)):
                raise failure
            if op.type in WITHOUT_GRADIENT:
                raise LookupError(f"No gradient defined for operation {op.name!r} (op type: {op.type})")
        return found

    def way(self, source: Tensor) -> str:
        """Tell how targets depend on a source: ``"rows"`` where only rows of it are taken, ``"all"``, or ``""``."""
        if not source.dtype.has_gradients:
            return ""
        self.ops(source)  # raises where there is no gradient
        users = {tensor.op for tensor in self._users.get(source, ())}
        if source in self._targets or not all(takes_rows(op, source) for op in users):
            return "all"
        return "rows" if users else ""

    def users(self, source: Tensor) -> list[Operation]:
        """Return the operations on the way to the targets that take a tensor; none where it is a target itself."""
        if source in self._targets:
            return []
        return list(dict.fromkeys(tensor.op for tensor in self._users.get(source, ())))

    def index_type(self, source: Tensor) -> str:
        """Return the type of the indices of a sparse gradient: int64 where one of the lookups has it."""
        ops = {tensor.op for tensor in self._users.get(source, ())}
        dtypes = [
            op.operands[1].dtype
            for op in ops
            if op.rows_of is not None and op.operands[op.rows_of] is source and len(op.operands) > 1
        ]
        return "int32" if dtypes and all(dtype == "int32" for dtype in dtypes) else "int64"

    def rows_taken(self, source: Tensor) -> int | None:
        """Return how many rows of a tensor are taken, each as often as it is: None where only a run tells."""
        if any(op.type in CHOOSING or branches_of(op) for op in self.ops(source)):
            return None  # what a run does not choose has no gradient
        count = 0
        for op in self.users(source):
            sizes = op.operands[1]._shape if op.type == "GatherV2" and op.branch is None else None
            if sizes is None or None in sizes:
                return None
            count += math.prod(size or 0 for size in sizes)
        return count


def stopped_with(stops: Iterable[Tensor]) -> list[Tensor]:
    """Return tensors through which no gradient flows, with the other results of their operations: these stop it."""
    each = ((stop, *(stop.op.outputs if stop.op.type in SPLIT else ())) for stop in stops)
    return list(dict.fromkeys(tensor for tensors in each for tensor in tensors))


def takes_rows(op: Operation, source: Tensor) -> bool:
    """Tell whether an operation takes rows of a tensor, and uses it in no other way."""
    if op.type in (GIVEN_GRADIENT, "Gradients", "LoopInput") or branches_of(op):
        return False
    return op.rows_of is not None and all(
        (position == op.rows_of) == (tensor is source) for position, tensor in enumerate(op.operands)
    )


def _flows(op: Operation) -> bool:
    """Tell whether an operation hands gradients on, or will say that it cannot."""
    return op.differentiable or op.type in WITHOUT_GRADIENT


def _entries(targets: Sequence[Tensor], stopped: set[Tensor]) -> list[Tensor]:
    """Return the tensors in which rounds of loops begin and of which targets are made, in whatever way."""
    stack, seen = list(targets), set(targets)
    while stack:
        tensor = stack.pop()
        if tensor in stopped:
            continue
        for source in _computed_from(tensor):
            if source.dtype.has_gradients and source not in seen:
                seen.add(source)
                stack.append(source)
    return [tensor for tensor in seen if tensor.op.type == "LoopInput"]


def _computed_from(tensor: Tensor) -> Iterable[Tensor]:
    """Return the tensors from which one comes: of a branch what it returns, of a loop what begins and ends a round."""
    op = tensor.op
    if op.type == "Gradients":
        return made_of(tensor)
    if op.type == GIVEN_GRADIENT:
        return [op.operands[position] for position in op.get_attr("followed")]
    if op.type in NOT_FOLLOWED:
        return [source for k, source in enumerate(op.operands) if k not in NOT_FOLLOWED[op.type]]
    if op.type == "LoopInput":
        assert op.branch is not None
        entry = next(k for k, each in enumerate(op.branch.entries) if each is tensor)
        # A body that is still being made has no results yet.
        return [op.get_attr("given")[entry], *_results(op.branch.results, entry)]
    branches = branches_of(op)
    if not branches:
        return op.operands
    if is_loop(op):
        _, round_ = branches
        return [op.operands[1 + tensor.value_index], *_results(round_.results, tensor.value_index)]
    return [result for branch in branches for result in _results(branch.results, tensor.value_index)]


def _results(results: Sequence[object], position: int) -> list[Tensor]:
    """Return the tensor at a position among the results that are tensors, in a list; none where there is none yet."""
    return [result for result in results if isinstance(result, Tensor)][position : position + 1]


def reaches(targets: Sequence[Tensor], source: Tensor, stops: Iterable[Tensor] = ()) -> bool:
    """Tell whether a gradient flows from targets to a source, and not through ``stops``."""
    return bool(Dependence(targets, stops).way(source))


def check_loop_values(
    between: Iterable[Operation], source: Tensor, stops: Iterable[Tensor], inside: Branch | None
) -> None:
    """Raise ValueError where a gradient made in a loop's body goes through what a loop variable begins with.

    Args:
        between: the operations through which the gradient flows.
        inside: the branch in which it is made: one round of a loop knows nothing of those before it.
    """
    around: list[Branch] = []
    while inside is not None:
        around.append(inside)
        inside = inside.outer
    for op in between if around else ():
        if op.type == "LoopInput" and op.branch in around and op.outputs[0] is not source:
            first = op.get_attr("given")[list(map(id, op.branch.entries)).index(id(op.outputs[0]))]
            if first is source or reaches([first], source, stops):
                raise ValueError(
                    f"Cannot compute gradient inside while loop with respect to op '{source.op.name}'. We do not "
                    "support taking the gradient wrt or through the initial value of a loop variable. Gradients can "
                    "be computed through loop invariants or wrt the input parameters to the loop body."
                )


def ops_between(targets: Sequence[Tensor], source: Tensor) -> set[Operation]:
    """Return the operations between a source and targets, as `Dependence.ops` does."""
    return Dependence(targets).ops(source)
