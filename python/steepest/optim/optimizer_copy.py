"""``pickle`` and ``copy`` of optimizers: a copy brings its parameters along, as in torch.

Copied together with its model, an optimizer trains the model's copy. Copied alone it keeps its own copies alive, so
that no state is lost; ``state_dict`` is the way to take state to other parameters.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import must
from ..variables.variable import Variable
from .hooks import Accumulate
from .hooks.accumulate import Sums
from .load_plan import plan_load
from .optimizer_state import snapshot
from .parameters import memory_of
from .saved_attributes import copied

if TYPE_CHECKING:
    from .optimizer import Optimizer

__all__ = ["reduced"]

_MADE = frozenset({"_slot_table", "_native", "_updater", "_cache", "_hooks", "_kept"})


def reduced(self: Optimizer) -> Any:
    """Return how the optimizer is made again, for ``pickle`` and ``copy``.

    Raises:
        TypeError: for an optimizer of a graph, or of views, whose copies would not be what its copy trains.
    """
    state = snapshot(self)
    plain = {name: value for name, value in vars(self).items() if name not in _MADE}
    hooks = [_without_sums(hook) if isinstance(hook, Accumulate) else hook for hook in self._hooks]
    parameters = [_whole(type(self).__name__, target) for target in self._slot_table.parameters.targets()]
    state = copied(state)
    _add_targets(self, state)
    return _made_again, (type(self), plain, hooks, parameters, state)


def _add_targets(optimizer: Optimizer, state: dict[str, Any]) -> None:
    """Let the entries of inner optimizers say what they are of: copies of Variables have other names."""
    for part, inner in zip(optimizer._inner(), state.get("inner", ()), strict=True):
        for entry, target in zip(inner["parameters"], part._slot_table.parameters.targets(), strict=False):
            entry["target"] = _whole(type(part).__name__, target)
        _add_targets(part, inner)


def _without_sums(hook: Accumulate) -> Accumulate:
    if not hook._sums:
        return hook
    fresh = copy.copy(hook)
    fresh._sums = Sums()  # they go by the identity of parameters; the state has them by position
    return fresh


def _whole(who: str, target: Any) -> Any:
    identity, owner = target
    if isinstance(owner, Variable) or (isinstance(owner, np.ndarray) and memory_of(owner) == identity):
        return owner
    rule, remedy = "be a Variable or an array that owns its memory to be copied", "use state_dict()"
    raise TypeError(must(who, "parameter", rule, "a view", remedy))


def _made_again(cls: type[Optimizer], plain: dict[str, Any], hooks: Any, parameters: Any, state: Any) -> Optimizer:
    optimizer = cls.__new__(cls)
    vars(optimizer).update(plain, _hooks=hooks, _kept=parameters)
    optimizer._begin()
    problems: list[str] = []
    targets = parameters + [None] * (len(state["parameters"]) - len(parameters))
    commits, resume_rows = plan_load(optimizer, cls.__name__, state, targets, False, problems)
    for commit in [*commits, resume_rows]:
        commit()
    assert not problems, problems
    return optimizer
