"""What random programs are made of: parameters, optimizers, gradients, and every way to take their state elsewhere."""

from __future__ import annotations

import copy
import os
import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
from catalogue import Row
from oracle import OracleOptimizer, oracle_step

import steepest as st

SHAPES: list[tuple[int, ...]] = [(), (1,), (9,), (6, 3), (5, 2, 2), (12, 17), (40, 130)]


def as_they_are(pairs: Any) -> Any:
    """A hook of the user's: the hooks before it are called one by one."""
    return pairs


def hooks(name: str) -> list[Any]:
    """A chain of hooks, new ones each time."""
    return {
        "none": [],
        "value": [st.ClipByValue(-0.5, 0.75)],
        "norms": [st.ClipByNorm(3.0), st.CheckFinite(), st.ClipByGlobalNorm(4.0)],
        "decay": [st.WeightDecay(0.1)],
        "decoupled": [st.WeightDecay(0.1, decoupled=True)],
        "chain": [st.ClipByValue(-1.5, 1.0), st.WeightDecay(0.1), st.ClipByNorm(2.0), st.ClipByGlobalNorm(2.5)],
        "one by one": [st.ClipByValue(-1.5, 1.0), st.WeightDecay(0.1), st.ClipByNorm(2.0), as_they_are],
        "sums": [st.Accumulate(2), st.ClipByGlobalNorm(4.0)],
        "noise": [st.GradientNoise(0.1, 0.5, seed=2)],
    }[name]


CHAINS = ["none", "value", "norms", "decay", "decoupled", "chain", "one by one", "sums", "noise"]
WITH_STATE = {"sums", "noise"}  # only the twin says what these do


AROUND: dict[str, Any] = {
    "alone": lambda opt: opt,
    "slow weights": lambda opt: st.Lookahead(opt, sync_period=2),
    "average": lambda opt: st.ExponentialMovingAverage(opt, decay=0.5),
    "mean": lambda opt: st.SWA(opt, start=2, period=2),
    "twice": lambda opt: st.SWA(st.Lookahead(opt, sync_period=3)),
}


@dataclass(frozen=True)
class ParameterSpec:
    """A parameter: its shape, its type, and whether it is a Variable or an array."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    variable: bool

    def first(self, position: int) -> np.ndarray:
        return np.asarray(np.random.default_rng(position).normal(size=self.shape)).astype(self.dtype)


@dataclass(frozen=True)
class OptimizerSpec:
    """An optimizer: a row of the catalogue, its hooks, whether rows without a gradient may wait, what is around it."""

    row: Row
    chain: str
    deferred: bool
    around: str = "alone"

    def make(self) -> st.Optimizer:
        more: dict[str, Any] = {"sparse_update": "deferred"} if self.deferred else {}
        made: st.Optimizer = AROUND[self.around](self.row.make(hooks=hooks(self.chain), **more))
        return made

    __hash__ = object.__hash__


Gradients = list[tuple[int, Any]]


class World:
    """Parameters and optimizers of the library, which train together."""

    def __init__(self, parameters: list[ParameterSpec], optimizers: list[OptimizerSpec]) -> None:
        st.reset_default_store()
        self.specs = parameters, optimizers
        firsts = [spec.first(k) for k, spec in enumerate(parameters)]
        self.parameters: list[Any] = [
            st.Variable(first, name=f"w{k}") if spec.variable else first
            for k, (first, spec) in enumerate(zip(firsts, parameters, strict=True))
        ]
        self.optimizers = [spec.make() for spec in optimizers]
        self.copied = False  # optimizers that were copied keep their parameters alive
        self.met: list[list[int]] = [[] for _ in optimizers]  # positions, in the order in which each met them
        self.waiting: list[list[int]] = [[] for _ in optimizers]  # those whose state has been loaded before that

    def step(self, which: int, gradients: Gradients, views: bool) -> None:
        targets = [self.parameters[position] for position, _ in gradients]
        if views:  # of the same memory: the same parameters
            targets = [target[...] if isinstance(target, np.ndarray) else target for target in targets]
        self.optimizers[which].apply_gradients(zip([gradient for _, gradient in gradients], targets, strict=True))
        met, waiting = self.met[which], self.waiting[which]
        met += [position for position in dict.fromkeys(p for p, _ in gradients) if position not in met]
        waiting[:] = [position for position in waiting if position not in met]

    def replace(self, position: int) -> None:
        """Put a copy in an array's place: another parameter, whose slots begin anew."""
        self.parameters[position] = self.parameters[position].copy()
        for met in self.met:
            if position in met:
                met.remove(position)

    def write(self, position: int, values: np.ndarray) -> None:
        target = self.parameters[position]
        if isinstance(target, st.Variable):
            target.assign(values)
        else:
            target[...] = values

    def set_rate(self, which: int, rate: float) -> None:
        self.optimizers[which].learning_rate = rate

    def values(self) -> list[np.ndarray]:
        """All parameters as they stand; rows that wait move first."""
        return [w.value if isinstance(w, st.Variable) else w for w in self.parameters]

    def slots(self) -> list[dict[tuple[int, str], np.ndarray]]:
        """The slots of each optimizer, by position and name."""
        return [
            {
                (position, name): slot.value
                for name in opt.get_slot_names()
                for position, w in enumerate(self.parameters)
                if (slot := opt.get_slot(w, name)) is not None
            }
            for opt in self.optimizers
        ]

    # Taking the state elsewhere ------------------------------------------------------------------

    def moved(self, way: str, folder: str) -> None:
        """Go on with other objects that have the same state."""
        getattr(self, f"_by_{way}")(folder)
        self.copied = way in ("pickle", "deepcopy")

    def _by_file(self, folder: str) -> None:
        path = os.path.join(folder, "world.safetensors")
        st.save(path, parameters=self.parameters, optimizers=self.optimizers)
        fresh = World(*self.specs)
        st.restore(path, optimizers=fresh.optimizers, parameters=fresh.parameters)
        self.parameters, self.optimizers = fresh.parameters, fresh.optimizers
        for met, waiting in zip(self.met, self.waiting, strict=True):  # a Variable that was waited for has been found
            met += [position for position in waiting if self.specs[0][position].variable]
            waiting[:] = [position for position in waiting if position not in met]

    def _by_pickle(self, folder: str) -> None:
        st.reset_default_store()
        self.parameters, self.optimizers = pickle.loads(pickle.dumps((self.parameters, self.optimizers)))

    def _by_deepcopy(self, folder: str) -> None:
        st.reset_default_store()
        self.parameters, self.optimizers = copy.deepcopy((self.parameters, self.optimizers))

    def _by_state_dict(self, folder: str) -> None:
        states = [opt.state_dict() for opt in self.optimizers]
        self.optimizers = [spec.make() for spec in self.specs[1]]
        for opt, state, met, waiting in zip(self.optimizers, states, self.met, self.waiting, strict=True):
            met += waiting
            opt.load_state_dict(state, parameters=[self.parameters[position] for position in met])
            waiting.clear()

    def _by_waiting(self, folder: str) -> None:
        """Load state before the parameters are met; arrays are told apart by order, so there is at most one."""
        states = [opt.state_dict() for opt in self.optimizers]
        self.optimizers = [spec.make() for spec in self.specs[1]]
        for opt, state in zip(self.optimizers, states, strict=True):
            opt.load_state_dict(state, partial=True)
        self.met, self.waiting = [[] for _ in self.met], [[*m, *w] for m, w in zip(self.met, self.waiting, strict=True)]


class Oracle:
    """The same in NumPy alone."""

    def __init__(self, parameters: list[ParameterSpec], optimizers: list[OptimizerSpec]) -> None:
        self.parameters = [spec.first(k) for k, spec in enumerate(parameters)]
        self.optimizers = [
            OracleOptimizer(spec.row, dict(spec.row.hyper), [h for h in hooks(spec.chain) if h is not as_they_are])
            for spec in optimizers
        ]

    def step(self, which: int, gradients: Gradients) -> None:
        oracle_step(self.optimizers[which], self.parameters, gradients)

    def replace(self, position: int) -> None:
        for opt in self.optimizers:
            opt.slots.pop(position, None)
            opt.updates.pop(position, None)


def draw_gradients(specs: list[ParameterSpec], optimizer: OptimizerSpec, rng: np.random.Generator) -> Gradients:
    """Gradients of one step: some parameters left out, in any order; dense, or rows with repeats."""
    found: Gradients = []
    for position in rng.permutation(len(specs)):
        spec = specs[position]
        for _ in range(int(rng.choice([0, 1, 1, 1, 2 if optimizer.chain == "none" else 1]))):
            dense = rng.random() < (0.05 if optimizer.deferred else 0.4)
            if not spec.shape or dense or (optimizer.deferred and not spec.variable):
                found.append((int(position), np.asarray(rng.normal(size=spec.shape)).astype(spec.dtype)))
                continue
            ids = rng.integers(0, spec.shape[0], int(rng.choice([0, 1, 3, 2 * spec.shape[0], 300])))
            values = rng.normal(size=(len(ids), *spec.shape[1:])).astype(spec.dtype)
            found.append((int(position), st.IndexedSlices(values, ids.astype(rng.choice([np.int32, np.int64])))))
    return found or [(0, np.asarray(rng.normal(size=specs[0].shape)).astype(specs[0].dtype))]
