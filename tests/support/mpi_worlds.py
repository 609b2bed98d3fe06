"""What the ranks of a test train: parameters, micro-batches, and a run of them dealt out to ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from ml_dtypes import bfloat16
from thread_comm import on_ranks

import steepest as st
from steepest.mpi import DistributedOptimizer

SHAPES: list[tuple[tuple[int, ...], Any]] = [
    ((7, 5), np.float32),
    ((3,), np.float64),
    ((1,), np.float32),
    ((40, 3), np.float32),
    ((2, 1), np.float16),
    ((11, 2), bfloat16),
    ((9, 2), np.float64),
    ((3000, 3), np.float32),
    ((9000, 2), np.float32),
    ((2100, 4), np.float64),
    ((5000, 2), bfloat16),
]
TABLES = {3, 5, 6, 8, 10}  # the positions whose gradients are rows


@dataclass
class World:
    """One rank's parameters; some are Variables, some arrays."""

    parameters: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        st.reset_default_store()
        rng = np.random.default_rng(7)
        for k, (shape, dtype) in enumerate(SHAPES):
            first = np.asarray(rng.normal(size=shape)).astype(dtype)
            self.parameters.append(first if k in (1, 6) else st.Variable(first, name=f"w{k}"))

    def values(self) -> list[np.ndarray]:
        return [np.array(w.value if isinstance(w, st.Variable) else w) for w in self.parameters]


def gradients(step: int, leaf: int, dense: bool = False, empty: Sequence[int] = ()) -> list[Any]:
    """The gradients of one micro-batch: some are missing, some have no rows, some rows come often."""
    if leaf in empty:
        return [None] * len(SHAPES)
    rng = np.random.default_rng([step, leaf])
    found: list[Any] = []
    for k, (shape, dtype) in enumerate(SHAPES):
        if k in TABLES and not dense:
            count = int(rng.integers(0, 12)) * (1 if shape[0] < 100 else 100)
            ids = rng.integers(0, shape[0], count)
            found.append(st.IndexedSlices(rng.normal(size=(count, *shape[1:])).astype(dtype), ids, shape))
        else:
            found.append(np.asarray(rng.normal(size=shape)).astype(dtype))
        if rng.random() < 0.2:
            found[-1] = None
    if all(gradient is None for gradient in found):
        found[0] = np.ones(SHAPES[0][0], np.float32)
    return found


@dataclass
class Outcome:
    """What one rank has after a run."""

    parameters: list[np.ndarray]
    slots: dict[tuple[int, str], np.ndarray | None]
    step: int
    norms: list[Any]
    sent: int
    own_slot_bytes: int
    optimizer: Any


def run(
    blocks: Sequence[int],
    make: Callable[[], Any],
    steps: int = 3,
    leaves: Callable[[int, int], list[Any]] = gradients,
    **options: Any,
) -> list[Outcome]:
    """Train on as many ranks as there are blocks; block r is the number of rank r's micro-batches in a step."""
    worlds = [World() for _ in blocks]

    def program(comm: Any) -> Outcome:
        rank = comm.Get_rank()
        world, first = worlds[rank], sum(blocks[:rank])
        opt = DistributedOptimizer(make(), comm, micro_batches=blocks[rank], **options)
        norms: list[Any] = []
        counter = st.Variable(np.int64(0), trainable=False)
        for step in range(steps):
            for leaf in range(first, first + blocks[rank]):
                opt.apply_gradients(list(zip(leaves(step, leaf), world.parameters, strict=True)), counter)
            every = [hook for each in (opt, *opt.optimizer._inner()) for hook in each.hooks]
            norms += [hook._measured[0] for hook in every if hasattr(hook, "_measured")]
        names = opt.get_slot_names()
        slots = {
            (k, name): None if (slot := opt.get_slot(w, name)) is None else slot.numpy()
            for name in names
            for k, w in enumerate(world.parameters)
        }
        own = sum(variable.value.nbytes for variable in opt.variables())
        return Outcome(world.values(), slots, int(counter.value), norms, opt._wire.sent, own, opt)

    return on_ranks(len(blocks), program)


def assert_same_bits(found: Outcome, expected: Outcome, what: str) -> None:
    for k, (a, b) in enumerate(zip(found.parameters, expected.parameters, strict=True)):
        assert a.tobytes() == b.tobytes(), f"{what}: parameter {k} differs by {np.max(np.abs(a - b).astype(float))}"
    assert found.slots.keys() == expected.slots.keys(), what
    for key, slot in expected.slots.items():
        other = found.slots[key]
        assert (slot is None) == (other is None), f"{what}: slot {key}"
        if slot is not None and other is not None:
            assert slot.dtype == other.dtype
            assert slot.shape == other.shape
            assert slot.tobytes() == other.tobytes(), f"{what}: slot {key}"
    assert found.step == expected.step, what
    assert len(found.norms) == len(expected.norms)
    for mine, theirs in zip(found.norms, expected.norms, strict=True):
        assert (mine is None) == (theirs is None), what
        assert mine is None or mine.tobytes() == theirs.tobytes(), f"{what}: norms {mine} and {theirs}"


def variables(values: Any, name: str = "w") -> list[st.Variable]:
    """One variable for each rank, of one name, as each would be the only one of its program."""
    st.reset_default_store()
    found = [st.Variable(np.asarray(value, np.float32), name=name) for value in values]
    for variable in found:
        variable._name = name
    return found


def errors_of(ranks: int, attempt: Any) -> list[str]:
    """What each rank raises, as text; "nothing" where it does not."""

    def program(comm: Any) -> str:
        try:
            attempt(comm)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return "nothing"

    return on_ranks(ranks, program)
