"""What an optimizer counts by itself, and the global step: how a step reads them, checks them and advances them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from .. import _core
from ..base.dtypes import code_of
from ..base.errors import describe, must
from ..ops.symbolic import Symbolic
from ..variables.variable import Variable
from .commit import Advance, plus_one, times
from .hyperparameters import check_hyper, hyper_dtype, scalar

__all__ = ["BetaPowers", "Counters", "FirstBetaPower", "StepNumber", "checked_step", "is_counter"]

Own = dict[Any, Any]  # an optimizer's variables of no parameter, by name
Powers = tuple[tuple[Variable, float | None], ...]


def checked_step(who: str, global_step: Any) -> Variable | None:
    """Return the global step, checked before anything is written.

    Raises:
        TypeError: for what is no numeric Variable and not None.
        ValueError: for one that is no scalar, or read-only.
    """
    if global_step is None:
        return None
    if not isinstance(global_step, Variable) or not (
        global_step.dtype.kind in "iu" or code_of(global_step.dtype) is not None
    ):
        raise TypeError(must(who, "global_step", "be a numeric Variable or None", describe(global_step)))
    check_scalar(who, "global_step", global_step)
    return global_step


def check_scalar(who: str, name: str, counter: Variable) -> None:
    """Raise ValueError for a counter that could not be advanced after the update."""
    if counter.shape != ():
        raise ValueError(must(who, name, "be a scalar", f"shape {counter.shape}"))
    if not counter._array.flags.writeable:
        raise ValueError(must(who, name, "be writable", f"a read-only {counter.dtype} scalar"))


def is_counter(step: Any) -> bool:
    """Tell whether this is a writable integer scalar, the usual global step."""
    return _core.is_counter(step)


class Counters:
    """The scalars of a native rule that steps advance; this base class has none.

    Methods take ``own``, the variables of no parameter by name: the optimizer's, or in graph mode a session's.
    """

    def make(self, optimizer: Any, parameters: Sequence[Any]) -> None:
        """Make the optimizer's own variables, where they are missing, of the kind of its parameters."""

    def sources(self) -> tuple[Any, ...]:
        """Return what the user gave to compute the scalars from."""
        return ()

    def scalars(self, own: Own) -> list[float]:
        """Return the rule's scalars of this step, in its order."""
        return []

    def powers(self, own: Own, hyper: dict[str, Any]) -> Powers:
        """Return the scalars as Variables that a step multiplies by a constant or counts (None); else nothing.

        ``hyper`` is what the user gave for the rule's hyper-parameters. A repeated step reads the Variables natively,
        in place of `scalars` and `advances`.
        """
        return ()

    def advances(self, own: Own, hyper: list[float]) -> list[Advance]:
        """Return how a step with these values of the rule's hyper-parameters advances them."""
        return []


class BetaPowers(Counters):
    """Adam's powers of beta1 and beta2: variables that each step multiplies by the betas."""

    NAMES: ClassVar = {"beta1": "beta1_power", "beta2": "beta2_power"}

    def make(self, optimizer: Any, parameters: Sequence[Any]) -> None:
        """Make the powers, of the kind of the parameter whose name is the first; each starts at its beta."""
        for name, power in self.NAMES.items():
            if power not in optimizer._slot_table.non_slots:
                beside = min(parameters, key=lambda each: str(each.name), default=None)
                first = _first_power(optimizer, name)
                of_a_program = optimizer._updater is not optimizer._native and getattr(beside, "_is_resource", False)
                if of_a_program and not _is_double(optimizer._hyper()[name]):
                    first = np.float32(first)  # a program computes with it, beside tensors of that type
                made = optimizer._create_non_slot_variable(first, power, beside)
                _show(made, optimizer._hyper()[name])

    def scalars(self, own: Own) -> list[float]:
        """Return both powers; ValueError where one cannot be advanced after the update."""
        return _checked_values(own, {power: power for power in self.NAMES.values()})

    def powers(self, own: Own, hyper: dict[str, Any]) -> Powers:
        """Return both powers with their betas, where these are plain numbers."""
        if any(type(hyper[beta]) is not float or power not in own for beta, power in self.NAMES.items()):
            return ()
        return tuple((own[power], hyper[beta]) for beta, power in self.NAMES.items())

    def advances(self, own: Own, hyper: list[float]) -> list[Advance]:
        """Multiply both powers by the betas."""
        pairs = zip(self.NAMES.values(), hyper[1 : 1 + len(self.NAMES)], strict=True)
        return [times(own[name], beta) for name, beta in pairs if name in own]


class FirstBetaPower(BetaPowers):
    """AdaMax's power of beta1. Its rule is given a second number, and does not look at it."""

    NAMES: ClassVar = {"beta1": "beta1_power"}
    _UNUSED: ClassVar = (Variable._unlisted(np.array(1.0), False, "unused"), 1.0)

    def scalars(self, own: Own) -> list[float]:
        """Return the power, and the second number."""
        return [*super().scalars(own), 1.0]

    def powers(self, own: Own, hyper: dict[str, Any]) -> Powers:
        """Return the power with its beta, where that is a plain number."""
        found = super().powers(own, hyper)
        return (*found, self._UNUSED) if found else ()


def _checked_values(own: Own, keys: dict[str, str]) -> list[float]:
    """Return the values of variables, by what messages call them; ValueError where one could not be advanced."""
    for shown, key in keys.items():
        check_scalar("apply_gradients", shown, own[key])
    return [own[key]._array.item() for key in keys.values()]


def _first_power(optimizer: Any, name: str) -> Any:
    beta = optimizer._hyper()[name]
    value = beta() if callable(beta) and not isinstance(beta, Symbolic) else beta
    if isinstance(value, Symbolic):
        return value  # which is known when a session runs
    return hyper_dtype(beta)(check_hyper(optimizer._name, optimizer._rule, name, value))


def _any(parameters: Sequence[Any]) -> Any:
    return parameters[0] if parameters else None


def _show(power: Any, beta: Any) -> None:
    """Let a power in a TensorFlow program look like float32, unless what its beta is given as is of float64."""
    if hasattr(power, "_show_as") and power.dtype != np.float32 and not _is_double(beta):
        power._show_as(np.float32)


def _is_double(value: Any) -> bool:
    return getattr(value, "dtype", None) == np.float64


class RateWeights(Counters):
    """What a schedule-free rule weights its average by: the largest learning rate so far, and the sum of its squares.

    Args:
        name: the optimizer's name, part of the variables'.
        beta: the name of a hyper-parameter whose power is counted too.
    """

    def __init__(self, name: str, beta: str | None = None) -> None:
        self.beta = beta
        counted = ("weight_sum", "largest_rate") + (() if beta is None else (f"{beta}_power",))
        self.keys = {each: f"{name}_{each}" for each in counted}  # by what rules and messages call them

    def make(self, optimizer: Any, parameters: Sequence[Any]) -> None:
        """Make the variables; a power starts at its beta."""
        for name, key in self.keys.items():
            if key not in optimizer._slot_table.non_slots:
                is_power = self.beta is not None and name == f"{self.beta}_power"
                first = _first_power(optimizer, str(self.beta)) if is_power else 0.0
                optimizer._create_non_slot_variable(np.float64(first), key, _any(parameters))

    def scalars(self, own: Own) -> list[float]:
        """Return the values as they were before this step."""
        return _checked_values(own, self.keys)

    def advances(self, own: Own, hyper: list[float]) -> list[Advance]:
        """Add the weight of this step, remember the largest rate, multiply the power; rules have the rate first."""
        if self.keys["weight_sum"] not in own:
            return []
        weight_sum, largest, *powers = (own[key] for key in self.keys.values())
        rate = max(largest._kept.item(), hyper[0])
        out: list[Advance] = [
            (weight_sum, np.asarray(weight_sum._kept + rate * rate, np.float64)),
            (largest, np.asarray(rate, np.float64)),
        ]
        return out + [times(power, hyper[2]) for power in powers]


class StepNumber(Counters):
    """The number of the step: what the user gives as ``global_step``, or a variable of the optimizer's."""

    GIVEN = "global_step"

    def __init__(self, who: str, global_step: Any, name: str) -> None:
        self.who, self.global_step, self.name = who, global_step, name
        if global_step is not None and not isinstance(global_step, Symbolic):
            self.number(global_step)

    def make(self, optimizer: Any, parameters: Sequence[Any]) -> None:
        """Make the variable that counts, where the user gives no step."""
        if self.global_step is None:
            optimizer._create_non_slot_variable(np.int64(0), self.name, _any(parameters))

    def number(self, step: Any) -> float:
        """Return the value of a step now; ValueError where it is not an integer of at least 0."""
        number = scalar(self.who, "global_step", step)
        if not (number >= 0 and number.is_integer() and number < 2**53):
            raise ValueError(must(self.who, "global_step", "be an integer of at least 0", f"{number!r}"))
        return number

    def sources(self) -> tuple[Any, ...]:
        """Return the given step."""
        return (self.global_step,)

    def powers(self, own: Own, hyper: dict[str, Any]) -> Powers:
        """Return the optimizer's own count."""
        return ((own[self.name], None),) if self.global_step is None and self.name in own else ()

    def scalars(self, own: Own) -> list[float]:
        """Return the number of the step; in graph mode ``own`` has the value of a step that is a node."""
        if self.global_step is None and self.name in own and not is_counter(own[self.name]):
            check_scalar("apply_gradients", self.name, own[self.name])
        return [self.number(own[self.name] if self.global_step is None else own.get(self.GIVEN, self.global_step))]

    def advances(self, own: Own, hyper: list[float]) -> list[Advance]:
        """Count, where the user gives no step."""
        return [plus_one(own[self.name])] if self.global_step is None and self.name in own else []
