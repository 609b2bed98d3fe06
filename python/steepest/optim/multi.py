"""Several optimizers, each with parameters of its own, that take every step together."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from ..base.errors import describe, must
from ..base.locks import with_locks
from ..base.typing import Hook as AnyHook
from ..base.typing import Pairs
from ..base.typing import Parameter as Target
from ..ops.symbolic import Symbolic
from ..variables.variable import Variable
from .apply import EitherPair, Step
from .chosen import Choice, Chosen
from .commit import StepCommit
from .counters import checked_step
from .hooks import HooksPutBack
from .multi_cache import MultiStepCache
from .multi_step import take_step
from .optimizer import Optimizer
from .overrides import foreign_methods
from .step_cache import LockedStepCache
from .updates import to_pairs

__all__ = ["MultiOptimizer"]

_WHO = "apply_gradients"


class MultiOptimizer(Optimizer):
    """Groups of parameters, each trained by an optimizer of its own, in one step: all of them, or on any error none.

    Rates, decay and clipping of a group are those of its optimizer. ``hooks`` come before the optimizers' own and see
    the gradients of all groups, so that `ClipByGlobalNorm` takes one norm of everything. Groups of the library's rules
    are updated in one native call. A frozen variable is one with ``trainable=False``.

    Args:
        groups: ``(optimizer, parameters)`` pairs. Parameters are a list of Variables and arrays, or a function of one
            that tells whether it belongs there; in the last pair they may be None, for all that are left.
        hooks: callables on the list of all (gradient, variable) pairs, run in order; see `steepest.hooks`.
        name: a non-empty string.

    Raises:
        TypeError: for what is not an optimizer, or comes twice; for parameters or hooks of another type.
        ValueError: for a parameter in several groups; in ``apply_gradients`` also for one in none.
        ValueError: for a decoupled `WeightDecay` among ``hooks``, since it takes its rate from an optimizer.

    Example:
        >>> table, bias = st.Variable(np.ones((3, 2))), st.Variable(np.zeros(2))
        >>> slow, fast = st.GradientDescentOptimizer(0.25), st.MomentumOptimizer(0.5, 0.5)
        >>> opt = st.MultiOptimizer([(slow, [table]), (fast, None)], hooks=[st.ClipByGlobalNorm(100.0)])
        >>> loss = opt.minimize(lambda: np.sum(table + bias))
        >>> table.numpy()[0].tolist(), bias.numpy().tolist()
        ([0.75, 0.75], [-1.5, -1.5])
    """

    def __init__(
        self,
        groups: Iterable[tuple[Optimizer, Choice | None]],
        *,
        hooks: Iterable[AnyHook] = (),
        name: str = "MultiOptimizer",
    ) -> None:
        super().__init__(name=name, hooks=hooks)
        self._optimizers: list[Optimizer] = []
        self._choices: list[Chosen | None] = []
        pairs = list(groups)
        for position, pair in enumerate(pairs):
            self._add(position, pair, position + 1 == len(pairs))
        if not pairs:
            raise ValueError(must(self._name, "groups", "hold at least one (optimizer, parameters) pair", "none"))
        group_of: dict[Any, int] = {}
        for group, choice in enumerate(self._choices):
            for identity in () if choice is None else choice.identities:
                if group_of.setdefault(identity, group) != group:
                    got = f"one in groups {group_of[identity]} and {group}"
                    raise ValueError(must(self._name, "parameter", "be in one group", got))

    def _begin(self) -> None:
        super()._begin()
        self._cache: Any = MultiStepCache()

    def _add(self, position: int, pair: Any, last: bool) -> None:
        what = f"groups[{position}]"
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(must(self._name, what, "be an (optimizer, parameters) pair", describe(pair)))
        optimizer, choice = pair
        if not isinstance(optimizer, Optimizer):
            raise TypeError(must(self._name, what, "begin with an optimizer", describe(optimizer)))
        if optimizer._inner() or "apply_gradients" in foreign_methods(type(optimizer)):
            remedy = "give it this MultiOptimizer instead" if optimizer._inner() else "override other methods"
            rule = "hold an optimizer that leaves its steps to this one"
            raise TypeError(must(self._name, what, rule, describe(optimizer), remedy))
        if any(optimizer is other for other in self._optimizers):
            raise TypeError(must(self._name, what, "have an optimizer of its own", "one that comes twice"))
        if choice is None and not last:
            raise TypeError(must(self._name, what, "name its parameters", "None, which only the last group may have"))
        self._optimizers.append(optimizer)
        self._choices.append(None if choice is None else Chosen(self._name, f"{what}[1]", choice))

    @property
    def optimizers(self) -> list[Optimizer]:
        """The groups' optimizers, in order."""
        return list(self._optimizers)

    def __repr__(self) -> str:
        shown = []
        for optimizer, choice in zip(self._optimizers, self._choices, strict=True):
            function = None if choice is None else choice.function
            listed = f"{len(choice.members)} parameters" if choice is not None and function is None else "a function"
            shown.append(f"({optimizer!r}, {None if choice is None else listed})")
        hooks = f", hooks={self._hooks!r}" if self._hooks else ""
        return f"MultiOptimizer([{', '.join(shown)}]{hooks})"

    def apply_gradients(
        self, grads_and_vars: Iterable[EitherPair], global_step: Step | None = None, name: str | None = None
    ) -> None:
        """Update every variable that has a gradient by its group's optimizer, in one step; else as `Optimizer`'s.

        Args:
            grads_and_vars: an iterable of ``(gradient, variable)`` pairs.
            global_step: a Variable that is incremented by one.
            name: ignored; TensorFlow 1 has it.

        Raises:
            ValueError: for a variable in no group or in several, and as `Optimizer.apply_gradients`.
            TypeError: for a variable of a graph, and as `Optimizer.apply_gradients`.
            IndexError: for a row outside the variable.
        """
        del name
        pairs = to_pairs(_WHO, grads_and_vars)
        caches = [optimizer._cache for optimizer in self._optimizers]
        locks = [cache.lock for cache in caches if isinstance(cache, LockedStepCache)]
        with_locks(locks, lambda: self._take_step(pairs, global_step))

    def _take_step(self, pairs: Pairs, global_step: Any) -> None:
        for optimizer in self._optimizers:
            optimizer._enter_step(global_step)
        if self._cache.step(self, pairs, global_step):
            return
        self._cache.forget()
        commit = StepCommit(checked_step(_WHO, global_step))
        hooks = [*self._hooks, *(hook for optimizer in self._optimizers for hook in optimizer._hooks)]
        with HooksPutBack(hooks, commit):
            for optimizer in self._optimizers:
                optimizer._cache.forget()
            groups, common = take_step(self._optimizers, self._hooks, self._group, pairs, commit)
        if commit:
            with suppress(MemoryError):  # the step has been taken: the next one may as well be checked again
                self._cache.remember(self, pairs, groups, common)

    def get_slot(self, var: Target | Symbolic, name: str) -> Variable | None:
        """Return the slot ``name`` of a variable or array, or None when there is none; never raises."""
        slots = (optimizer.get_slot(var, name) for optimizer in self._optimizers)
        return next((slot for slot in slots if slot is not None), None)

    def get_slot_names(self) -> list[str]:
        """Return the names of all groups' slots made so far, sorted."""
        return sorted({name for optimizer in self._optimizers for name in optimizer.get_slot_names()})

    def variables(self) -> list[Variable]:
        """Return every variable that holds state, group by group."""
        return [variable for optimizer in self._optimizers for variable in optimizer.variables()]

    def _inner(self) -> tuple[Optimizer, ...]:
        return tuple(self._optimizers)

    def _group(self, position: int, variable: Any) -> int:
        """Return the group of a variable."""
        if isinstance(variable, Symbolic):
            raise TypeError(must(self._name, f"variable {position}", "be a Variable or an array", "a graph's"))
        in_groups = [g for g, choice in enumerate(self._choices) if choice is not None and variable in choice]
        if not in_groups and self._choices[-1] is None:
            return len(self._choices) - 1
        if len(in_groups) != 1:
            name = getattr(variable, "name", "an array")
            got = f"one in groups {in_groups}" if in_groups else "one in none"
            remedy = None if in_groups else "give the last group None to take what is left"
            raise ValueError(must(self._name, f"variable {position} ({name})", "be in one group", got, remedy))
        return in_groups[0]
