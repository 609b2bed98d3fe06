"""Training loops in which anything may change between two steps, for the tests of remembered work lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import steepest as st

MATRIX, VECTOR, HALF, DOUBLE, TABLE, ROWS, SCALAR, IDLE = range(8)


class Foreign:
    """Shows an array's memory, and is itself the owner of what shows it."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.__array_interface__ = array.__array_interface__


class World:
    """One optimizer, its parameters, and the gradients of each step; two made alike stay alike."""

    def __init__(self, make: Callable[[], st.Optimizer], remembers: bool) -> None:
        self.opt = make()
        self.opt._cache.enabled &= remembers
        self.memory = np.linspace(-2, 2, 24, dtype=np.float32)
        self.spare = np.linspace(3, 4, 6, dtype=np.float32).reshape(2, 3)
        self.params: list[Any] = [
            self.memory[:6].reshape(2, 3),
            st.Variable(np.linspace(1, 2, 4, dtype=np.float32)),
            np.linspace(-1, 1, 3).astype(np.float16),
            st.Variable(np.linspace(0, 1, 6).reshape(3, 2)),
            np.linspace(5, 6, 12, dtype=np.float32).reshape(6, 2),
            st.Variable(np.linspace(-5, 6, 10, dtype=np.float32).reshape(5, 2)),
            np.array(3.0),
            np.ones(2, np.float32),
        ]
        self.met = list(self.params)  # whatever has been a parameter, to look at its slots
        self.step: Any = None
        self.wrap: Callable[[list[Any]], Any] = list
        self.edits: list[Callable[[list[Any]], None]] = []  # of the next step's gradients
        self.kept: list[Any] = []
        self.taken = 0

    def gradients(self) -> list[Any]:
        rng = np.random.default_rng(self.taken)
        found: list[Any] = []
        for position, param in enumerate(self.params):
            like = np.asarray(param._array if isinstance(param, st.Variable) else param)  # reading it makes it move
            shape, kind = like.shape, like.dtype
            if position in (TABLE, ROWS):
                ids = rng.integers(0, shape[0], 4).astype(np.int64 if position == TABLE else np.int32)
                found.append(st.IndexedSlices(rng.normal(size=(4, 2)).astype(kind), ids))
            else:
                found.append(None if position == IDLE else np.asarray(rng.normal(size=shape), kind))
        return found

    def apply(self) -> str:
        """Take a step; return what became of it, names of arrays and variables left out."""
        gradients = self.gradients()
        self.taken += 1
        edits, self.edits = self.edits, []
        try:
            for edit in edits:
                edit(gradients)
            self.opt.apply_gradients(self.wrap(list(zip(gradients, self.params, strict=True))), self.step)
        except Exception as error:
            return re.sub(r"ndarray_\d+|Variable(_\d+)?", "name", f"{type(error).__name__}: {error}")
        return "applied"

    def state(self) -> list[Any]:
        found = [self.memory.tobytes(), self.spare.tobytes()]
        for param in self.met:
            slots = [self.opt.get_slot(param, name) for name in ("m", "v", "momentum", "accumulator")]
            slots.append(self.opt.get_slot(param, "accumulator_decay_power"))
            found.append(np.asarray(param).tobytes())
            found += [None if slot is None else (slot.value.tobytes(), slot._version) for slot in slots]
            found.append(getattr(param, "_version", None))
        found += [(key, v.value.tobytes(), v._version) for key, v in self.opt._slot_table.non_slots.items()]
        found.append(None if self.step is None else (self.step.value.tobytes(), self.step._version))
        found += [hook.skipped for hook in self.opt._hooks if isinstance(hook, st.CheckFinite)]
        return found

    def put(self, position: int, param: Any) -> None:
        self.params[position] = param
        self.met.append(param)

    def slot(self, position: int) -> Any:
        """Some slot of a parameter, None where there is none."""
        name = next((name for name in sorted(self.opt._slots) if self.opt._slots[name]), None)
        return None if name is None else self.opt.get_slot(self.params[position], name)


@dataclass
class Change:
    """Something that happens between two steps, and whether the step after it may go the short way."""

    name: str
    happen: Callable[[World], Any]
    short: bool | None  # None: it depends on the optimizer

    def __repr__(self) -> str:
        return self.name


def edit(position: int, new: Callable[[Any], Any]) -> Callable[[World], None]:
    """Change one gradient of the next step."""

    def happen(world: World) -> None:
        world.edits.append(lambda gradients: gradients.__setitem__(position, new(gradients[position])))

    return happen


def put(position: int, new: Callable[[World], Any]) -> Callable[[World], None]:
    """Put another parameter into the place of one."""
    return lambda world: world.put(position, new(world))


def reslot(position: int, new: Callable[[np.ndarray], np.ndarray]) -> Callable[[World], None]:
    """Put another array into a slot."""

    def happen(world: World) -> None:
        slot = world.slot(position)
        if slot is not None:
            slot._array = new(slot._array)

    return happen


def replace(attribute: str, new: Callable[[Any], Any]) -> Callable[[World], None]:
    """Change an attribute of the gradient slices of the table in the next step."""

    def happen(world: World) -> None:
        world.edits.append(lambda g: setattr(g[TABLE], attribute, new(getattr(g[TABLE], attribute))))

    return happen


def strided(array: np.ndarray) -> np.ndarray:
    """The same values, every other element of a larger array."""
    wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
    wide[..., ::2] = array
    return wide[..., ::2]


def misaligned(array: np.ndarray) -> np.ndarray:
    """The same values, one byte beyond where they could be read at once."""
    memory = np.zeros(array.nbytes + 1, np.uint8)[1:]
    view = memory.view(array.dtype).reshape(array.shape)
    view[...] = array
    return view
