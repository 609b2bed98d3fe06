"""Steps that are like the one before: what the first had to find out is remembered, and read again natively."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import _core
from ..base.dtypes import code_of
from ..ops.indexed_slices import IndexedSlices
from ..variables.variable import Variable
from .counters import count, is_counter
from .hooks import CheckFinite, ClipByGlobalNorm, ClipByNorm, ClipByValue, WeightDecay
from .hyperparameters import check_hyper, is_constant, runs_code
from .optimizer import Optimizer
from .updates import Update

__all__ = ["RepeatedSteps", "refuse_step"]

_core.learn_types(Variable, IndexedSlices)

_FUSED = frozenset({CheckFinite, ClipByGlobalNorm, ClipByNorm, ClipByValue, WeightDecay})
_OTHER_LIST = -2
_PACKAGE = __name__.partition(".")[0]
# What a subclass may replace, because this way calls it too, or is called by it.
_CALLED = {"_hyper", "_sources", "apply_gradients", "compute_gradients", "get_name", "minimize"}


class RepeatedSteps(Optimizer):
    """`apply_gradients` for training loops, where the same parameters come in the same order at every step.

    After a step through `Optimizer.apply_gradients` a native work list remembers what it was about: each parameter's
    memory, shape and type, and the key of its slots. At the next call one native function reads the pairs and compares
    every field of every array with what was remembered; where all agree it updates at once. Otherwise the step goes
    the long way, the only one that makes slots and errors. Nothing is kept alive by being remembered.
    """

    _rule: str
    _in_python: bool
    _remembers = True  # False: every step goes the long way

    def __init__(self, use_locking: bool, name: str, **more: Any) -> None:
        super().__init__(use_locking, name, **more)
        self._as_made = not _replaces_methods(type(self))
        self._forget_step()

    def _forget_step(self) -> None:
        """Begin without what one step keeps for the next."""
        self._checked: list[float] = []  # the hyper-parameters of this step
        self._given: tuple[Any, ...] = ()
        self._varying: list[tuple[int, str]] = []
        self._native_powers: tuple[tuple[Variable, float], ...] = ()
        self._runs_code = True  # whether reading the hyper-parameters calls functions of the user's
        self._work: Any = None
        self._work_of = (0, 0)  # how many arrays and how many variables of its own the optimizer had then
        self._targets: list[tuple[Any, ...]] | None = None

    def _hyper(self) -> dict[str, Any]:
        """Return the rule's hyper-parameters, in its order, as the user gave them."""
        raise NotImplementedError

    def _scalars(self) -> list[float]:
        """Return the rule's scalars of this step, in its order."""
        return []

    def _sources(self) -> tuple[Any, ...]:
        """Return what the user gave to compute the scalars from."""
        return ()

    def _powers(self) -> tuple[tuple[Variable, float], ...]:
        """Return the rule's scalars where each is a Variable that ends a step multiplied by a number; else nothing.

        A repeated step reads and multiplies them natively, in place of `_scalars` and `_finish`.
        """
        return ()

    # Hyper-parameters ----------------------------------------------------------------------------

    def _given_again(self, hyper: dict[str, Any]) -> bool:
        """Tell whether these are the very objects that were read at the last step."""
        return _core.same_values(hyper, self._given)

    def _read(self, hyper: dict[str, Any], again: bool) -> None:
        """Evaluate and check hyper-parameters; numbers once, what can change (callables, Variables) at every step."""
        if not again:
            self._checked = [check_hyper(self._name, self._rule, key, value) for key, value in hyper.items()]
            self._given = tuple(hyper.values())
            self._varying = [(k, key) for k, (key, value) in enumerate(hyper.items()) if not is_constant(value)]
            self._runs_code = any(map(runs_code, self._given)) or any(map(runs_code, self._sources()))
        else:
            for k, key in self._varying:
                self._checked[k] = check_hyper(self._name, self._rule, key, self._given[k])

    def _note(self, updates: list[Update]) -> None:
        """Note what a native update was about, for a work list to remember."""
        if self._remembers and self._as_made:
            key = self._parameters.key
            self._work_of = (self._parameters.met, len(self._non_slots))
            self._targets = [(key(u.parameter), code_of(u.target.dtype), _object_of(u)) for u in updates]

    # Steps ---------------------------------------------------------------------------------------

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        # A zip can be read only once, by whichever way the step goes; and a user's function may change a list.
        kind = type(grads_and_vars)
        pairs = list(grads_and_vars) if kind is list or kind is zip else grads_and_vars
        if self._work is not None:
            if self._repeat(pairs, global_step):
                return None
            self._work = None
        try:
            result = super().apply_gradients(pairs, global_step, name)
        finally:
            targets, self._targets = self._targets, None
        if targets is not None:
            self._work = _core.remember(self._rule, targets, pairs, self._slots)
            self._native_powers = self._powers()
        return result

    def _repeat(self, pairs: Any, global_step: Any) -> bool:
        """Take a step like the one before; False, with nothing changed, where it is another one."""
        work = self._work
        if self._work_of != (self._parameters.met, len(self._non_slots)):
            return False
        if global_step is not None and not is_counter(global_step):
            return False
        if self._hooks and not _FUSED.issuperset(map(type, self._hooks)):
            return False
        hyper = self._hyper()
        again = self._given_again(hyper)
        # What the user wants called once in each step is not called before it is clear that this way leads to the end.
        if (self._runs_code or not again) and not _core.matches(work, pairs, self._slots):
            return False
        if self._varying or not again:
            self._read(hyper, again)
        if not again:
            self._native_powers = self._powers()
        powers = self._native_powers
        values = self._checked if powers else self._checked + self._scalars()
        hooks = [hook.native(self) for hook in self._hooks] if self._hooks else []  # type: ignore[attr-defined]
        found = _core.repeat(work, pairs, self._slots, values, powers, hooks)
        if found == _OTHER_LIST:
            return False
        if found >= 0:
            parameter = self._parameters.find(pairs[found][1])
            refuse_step(self._hooks, "an array" if parameter is None else parameter.name)
            return True
        if not powers:
            self._finish([], "update")
        if global_step is not None:
            count(global_step)
        return True


def _object_of(update: Update) -> Any:
    return update.parameter if isinstance(update.parameter, Variable) else update.target


def refuse_step(hooks: Iterable[Any], name: str) -> None:
    """Do what the first `CheckFinite` says about a gradient that is not finite: raise, or count a skipped step."""
    next(hook for hook in hooks if isinstance(hook, CheckFinite)).found(name, [])


def _replaces_methods(kind: type) -> bool:
    """Tell whether a class that is not of this package replaces a method that the long way calls."""
    ours: set[str] = set()
    theirs: set[str] = set()
    for cls in kind.__mro__:
        names = {name for name, value in vars(cls).items() if callable(value) and not name.startswith("__")}
        (ours if cls.__module__.partition(".")[0] == _PACKAGE else theirs).update(names)
    return not theirs.isdisjoint(ours - _CALLED)
