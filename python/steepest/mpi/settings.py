"""What a step depends on besides its gradients: numbers of optimizers and hooks, as they are at this step."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from ..optim.hooks import Accumulate
from ..optim.hooks.weight_decay import DecayBeforeUpdate
from ..optim.hyperparameters import check_hyper, is_constant, scalar
from ..optim.optimizer import Optimizer
from ..optim.overrides import foreign_methods, is_library_class
from .naming import key_of

__all__ = ["Settings", "settings_of", "texts_of"]

Settings = list[tuple[str, tuple[Any, ...]]]
"""What has numbers, in words, and these: pairs of a name and a value."""

_NO_NUMBERS = frozenset({"self", "name", "use_locking", "hooks"})
_READ_BY_NAME = frozenset({"learning_rate", "momentum"})  # of rules in Python, which declare nothing


def settings_of(optimizer: Any) -> Settings:
    """Return what must be the same on all ranks for the step to come; functions and schedules are called.

    Of hooks and rules of a user's own the classes are told, whatever attributes they have. Where there are such,
    functions are not called: what they give may depend on what a hook or a method does in the midst of the step.

    Raises:
        TypeError: for a hyper-parameter that is no real number now.
        ValueError: for one outside its range.
    """
    every = _all_of(optimizer)
    hooks = [hook for each in every for hook in each._hooks]
    reads = not any(_holds_back(hook) for hook in hooks)
    library = all(is_library_class(type(hook)) for hook in hooks) and not any(foreign_methods(type(o)) for o in every)
    reader = _Reader(reads, reads and library)
    found: Settings = []
    for each in every:
        kind = type(each).__name__
        names = ", ".join(getattr(type(hook), "__name__", "?") for hook in each._hooks)
        found.append((f"{kind} with hooks [{names}]", tuple(reader.of_optimizer(each))))
        for k, hook in enumerate(each._hooks):
            if is_library_class(type(hook)):
                found.append((f"hook {k} of {kind}, {type(hook).__name__}", tuple(reader.of_hook(hook))))
    return found


def texts_of(settings: Settings) -> Iterator[str]:
    """Yield one text for each thing and each number, in an order in which the first difference tells most."""
    for what, _ in settings:
        yield what
    for what, numbers in settings:
        for name, value in numbers:
            yield f"{name}={value!r} in {what}"


def _all_of(optimizer: Any) -> list[Any]:
    """Return an optimizer and those inside."""
    inside = optimizer._inner() if isinstance(optimizer, Optimizer) else ()
    return [optimizer, *(each for part in inside for each in _all_of(part))]


def _holds_back(hook: Any) -> bool:
    """Tell whether a hook waits for more gradients, so that no hyper-parameter is read in this step."""
    return isinstance(hook, Accumulate) and hook._calls + 1 < hook.steps


class _Reader:
    """Reads numbers.

    Args:
        reads: also those that may be others at the next step.
        calls: also those that functions give.
    """

    def __init__(self, reads: bool, calls: bool) -> None:
        self._reads, self._calls = reads, calls

    def of_optimizer(self, optimizer: Any) -> Iterator[tuple[str, Any]]:
        """Yield the hyper-parameters of its rule, and what else a class of the library was made with."""
        rule: Any = getattr(optimizer, "_rule", None)
        hyper = {} if rule is None else optimizer._hyper()
        for name, value in hyper.items():
            if self._may_read(value):
                yield name, _plain(value) if is_constant(value) else check_hyper(optimizer._name, rule, name, value)
        kind: Any = type(optimizer)
        for name in _arguments(kind) if is_library_class(kind) else ():
            value = getattr(optimizer, f"_{name}", None)
            if name in hyper or value is None:
                continue
            if is_constant(value) or isinstance(value, list):
                yield name, _plain(value)
            elif rule is None and name in _READ_BY_NAME and self._may_read(value):
                yield name, scalar(optimizer._name, name, value)

    def of_hook(self, hook: Any) -> Iterator[tuple[str, Any]]:
        """Yield the numbers of one of the library's hooks."""
        for name, value in vars(hook).items():
            if not name.startswith("_") and is_constant(value):
                yield name, _plain(value)
        if isinstance(hook, DecayBeforeUpdate) and not is_constant(hook.rate) and self._may_read(hook.rate):
            yield "rate", hook.rate_now()
        random = getattr(hook, "_rng", None)
        if isinstance(random, np.random.Generator):
            yield "random numbers", f"{key_of([random.bit_generator.state]):x}"

    def _may_read(self, value: Any) -> bool:
        return is_constant(value) or (self._calls if callable(value) else self._reads)


def _plain(value: Any) -> Any:
    """Return a number as Python's, so that equal ones have equal texts."""
    if isinstance(value, np.number):
        value = value.item()
    return float(value) if type(value) is int and abs(value) < 1 << 53 else value


@cache
def _arguments(cls: Any) -> tuple[str, ...]:
    """Return the names of the arguments that a class of the library keeps as attributes."""
    return tuple(name for name in inspect.signature(cls).parameters if name not in _NO_NUMBERS)
