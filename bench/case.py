"""What a case and a contender are: the interface of bench/cases, bench/rivals and bench/words.py.

CASES.md beside this file shows how to write one. Nothing here imports a library that is timed, because the same
modules are imported by the driver and by the workers of every interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

STEPS_CHECKED = 3  # steps that every contender takes before its answer is compared, where a case says no other number


@dataclass(frozen=True)
class Work:
    """One row of a table: what is to be done, as plain values that travel to the workers as JSON."""

    case: str
    label: str
    threads: int = 1
    values: dict[str, Any] = field(default_factory=dict)
    across: tuple[int, ...] = ()  # contenders take part once with each of these thread counts, instead of `threads`

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["values"][name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def key(self) -> str:
        return f"{self.case} | {self.label} | {self.threads}"


@dataclass
class Job:
    """A contender that is ready: `step()` does the work once; `answer()` is what it has computed so far.

    The answer is one float array, which must equal the case's `expected(work)` after as many steps as the case checks.
    """

    step: Callable[[], Any]
    answer: Callable[[], Any] | None = None
    keep: Any = None  # whatever must stay alive
    steps: int = 1  # that one call takes
    extras: dict[str, Any] = field(default_factory=dict)  # go into the figures as they are


@dataclass(frozen=True)
class Case:
    """A table: which works it has, what the right answer is, and in which unit it is shown."""

    name: str
    title: str
    works: Callable[[bool], list[Work]]  # the argument: whether the run is a quick one
    unit: str  # of a figure: "ns per element"
    figure: Callable[[Work, float], float]  # seconds of a step as a figure in that unit
    expected: Callable[[Work], np.ndarray] | None = None
    tolerance: Callable[[Work], tuple[float, float]] = lambda work: (1e-3, 0.0)  # relative, absolute
    strays: float = 0.0  # the share of elements that may be further off
    checked: int = STEPS_CHECKED  # steps before the answer is compared
    moved: Callable[[Work], float] | None = None  # bytes that a step has to move
    memory: Callable[[Work], float] = lambda work: 0.0  # bytes that one contender holds
    seconds: float = 0.25  # timed work for each contender
    note: str = ""  # Markdown above the table
    order: int = 50  # cases run in this order
    more_is_better: bool = False


@dataclass(frozen=True)
class Contender:
    name: str
    runtime: str
    case: str
    make: Callable[[Work], Job | None]
    roofline: bool = False  # moves the bytes without doing the work: shown, but nobody to beat


CASES: dict[str, Case] = {}
CONTENDERS: list[Contender] = []


def case(made: Case) -> Case:
    """Enter a case."""
    CASES[made.name] = made
    return made


def contender(
    name: str, *cases: str, runtime: str, roofline: bool = False
) -> Callable[[Callable[[Work], Job | None]], Callable[[Work], Job | None]]:
    """Enter a function as a contender of the named cases. It returns None where it does not take part.

    `runtime` names the process it runs in (runtimes.py): contenders of one runtime share a worker.
    """

    def enter(make: Callable[[Work], Job | None]) -> Callable[[Work], Job | None]:
        CONTENDERS.extend(Contender(name, runtime, of, make, roofline) for of in cases)
        return make

    return enter


def contenders_of(work: Work) -> Iterable[Contender]:
    return (c for c in CONTENDERS if c.case == work.case)
