"""A training run in the middle, which bad inputs must leave as it is, and what a bad input is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import steepest as st


class World:
    """A training run in the middle: what must be as it was after a refused call."""

    def __init__(self) -> None:
        st.reset_default_store()
        rng = np.random.default_rng(0)
        self.w = st.Variable(rng.normal(size=(5, 3)), name="w")
        self.v = st.Variable(rng.normal(size=4).astype(np.float32), name="v")
        self.s = st.Variable(np.float64(2.0), name="s")
        self.a = rng.normal(size=6).astype(np.float32)
        self.step = st.Variable(np.int64(3), trainable=False, name="step")
        self.opt = st.AdamOptimizer(0.1)
        self.good = [(np.ones((5, 3)), self.w), (np.ones(4), self.v), (np.ones(()), self.s), (np.ones(6), self.a)]
        self.opt.apply_gradients(self.good, self.step)

    def state(self) -> list[bytes]:
        variables = [self.w, self.v, self.s, self.step, *self.opt.variables()]
        kept = [variable.numpy().tobytes() for variable in variables]
        names = ",".join([*self.opt.get_slot_names(), *(variable.name for variable in variables)])
        gradients = [g.tobytes() for g, _ in self.good]
        return [*kept, self.a.tobytes(), names.encode(), *gradients, str(st.get_num_threads()).encode()]

    def apply(self, *pairs: Any, **more: Any) -> None:
        """Good pairs first: they must not be applied either."""
        self.opt.apply_gradients([*self.good[:2], *pairs], **more)


@dataclass
class Bad:
    """One bad input."""

    id: str
    call: Callable[[World], Any]
    error: type[Exception]
    message: str


def slices(values: Any, indices: Any, shape: Any = None) -> st.IndexedSlices:
    return st.IndexedSlices(values, indices, shape)


def read_only() -> np.ndarray:
    array = np.ones(3)
    array.flags.writeable = False
    return array


def with_optimizer(make: Callable[[], st.Optimizer]) -> Callable[[World], None]:
    """A step of a new optimizer on the same variables: it must leave them, and keep no slots."""

    def call(world: World) -> None:
        opt = make()
        try:
            opt.apply_gradients(world.good, world.step)
        finally:
            assert opt.get_slot_names() == []
            assert [v for v in opt.variables() if "power" in v.name] == []

    return call
