"""From pairs to checked updates: hooks are called in order, or left to the native update."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ...base.errors import describe, must
from ...base.typing import Hook as AnyHook
from ...base.typing import Pairs
from ..rule_source import RuleSource
from ..updates import Update, check_bounds, to_pairs, to_update
from .accumulate import Accumulate
from .check_finite import CheckFinite
from .hook import Hook
from .noise import GradientNoise
from .weight_decay import WeightDecay

if TYPE_CHECKING:
    from ..fallback import PythonUpdater
    from ..native import NativeUpdater

__all__ = ["HooksPutBack", "checked_hooks", "process_gradients", "run_hooks"]


def checked_hooks(who: str, hooks: Iterable[Any]) -> list[AnyHook]:
    """Return the hooks as a list; TypeError for what is no iterable of callables."""
    if not isinstance(hooks, Iterable) or isinstance(hooks, (str, bytes)):
        remedy = f"write hooks=[{hooks!r:.60}]" if callable(hooks) else None
        raise TypeError(must(who, "hooks", "be a list of callables on the list of pairs", describe(hooks), remedy))
    hooks = list(hooks)
    for hook in hooks:
        if not callable(hook):
            raise TypeError(must(who, "hooks", "be callables on the list of pairs", describe(hook)))
    return hooks


class HooksPutBack:
    """Let hooks that count keep what they had where the step inside is refused, by an error or a `CheckFinite`.

    ``commit`` is true once the step has been taken: an exception that comes later changes nothing. No generator: a call
    that a hook held back has counted, so its end must not ask for memory that may be refused.
    """

    __slots__ = ("_commit", "_kept", "_skipped")

    def __init__(self, hooks: Sequence[Any], commit: object) -> None:
        self._commit = commit
        self._kept = [(hook, hook._kept()) for hook in hooks if isinstance(hook, (Accumulate, GradientNoise))]
        self._skipped = [(hook, hook.skipped) for hook in hooks if isinstance(hook, CheckFinite)] if self._kept else []

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        try:
            self._end(kind is not None)
        except MemoryError:  # a request of its own: once more is as good
            self._end(kind is not None)

    def _end(self, failed: bool) -> None:
        refused = failed and not self._commit
        for finite, skipped in self._skipped:
            refused = refused or (not failed and finite.skipped != skipped)
        if refused:
            for hook, state in self._kept:
                hook._put_back(state)


def process_gradients(
    who: str, source: RuleSource, pairs: Pairs, updater: NativeUpdater | PythonUpdater
) -> tuple[list[Update], list[Hook]]:
    """Check every pair before anything is written, and let the source's hooks process them.

    Returns:
        The updates, none where a hook holds the step back (`Accumulate`), and the hooks left to the update.

    Raises:
        ValueError: where no pair has a gradient.
    """
    updates = _checked(who, pairs, updater)
    if not updates:
        rule = "hold at least one gradient that is not None"
        raise ValueError(must(who, "grads_and_vars", rule, pairs, "No gradients provided for any variable."))
    if not source._hooks:
        return updates, []
    fuses = updater.fuses(source._hooks, updates)
    pairs, fused, changed = run_hooks(who, source._hooks, pairs, updates, fuses)
    return _checked(who, pairs, updater) if changed else updates, fused


def _checked(who: str, pairs: Pairs, updater: NativeUpdater | PythonUpdater) -> list[Update]:
    updates = [
        to_update(who, position, gradient, variable, updater.slots.parameters)
        for position, (gradient, variable) in enumerate(pairs)
        if gradient is not None
    ]
    updater.check(who, updates)
    return updates


def run_hooks(
    who: str, hooks: Sequence[AnyHook], pairs: Pairs, updates: list[Update], fuses: bool
) -> tuple[Pairs, list[Hook], bool]:
    """Call the hooks in order, but leave to the native update what it can fuse.

    Args:
        who: what error messages begin with.
        hooks: callables on the list of pairs.
        pairs: the (gradient, variable) pairs.
        updates: the same pairs, checked, without those that have no gradient.
        fuses: whether declarative hooks can be left to the update.

    Returns:
        The pairs, the hooks left to the update, and whether a hook was called.

    Raises:
        TypeError: for a hook that returns something else than a list or tuple of pairs.
        IndexError: for an index outside the variable's rows, before the first hook is called.

    Example:
        >>> pairs = [(np.array([6.0, 8.0]), np.zeros(2))]
        >>> processed, left, changed = st.hooks.run_hooks("me", [st.ClipByNorm(5.0)], pairs, [], fuses=False)
        >>> processed[0][0].tolist(), left, changed
        ([3.0, 4.0], [], True)
    """
    callables = [k for k, hook in enumerate(hooks) if not (fuses and isinstance(hook, Hook))]
    first_fused = callables[-1] + 1 if callables else 0
    fused: list[Hook] = []
    changed = False
    for k, hook in enumerate(hooks):
        left_to_update = isinstance(hook, WeightDecay) and hook.decoupled  # it touches variables, not gradients
        if isinstance(hook, Hook) and (k >= first_fused or left_to_update):
            fused.append(hook)
            continue
        if not changed:  # before Accumulate adds up a batch that would be refused later
            for position, update in enumerate(updates):
                check_bounds(who, position, update)
        if not callable(hook):  # put into the list later
            raise TypeError(must(who, "hooks", "be callables on the list of pairs", describe(hook)))
        result = hook(list(pairs))
        if not isinstance(result, (list, tuple)):
            rule = "return a list of (gradient, variable) pairs"
            raise TypeError(must(who, f"hook {hook!r:.60}", rule, describe(result)))
        pairs, changed = to_pairs(who, result), True
    return pairs, fused, changed
