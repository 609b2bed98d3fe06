"""Everything that may change between two steps, one by one, for the tests of remembered work lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from work_worlds import (
    DOUBLE,
    HALF,
    IDLE,
    MATRIX,
    ROWS,
    SCALAR,
    TABLE,
    VECTOR,
    Change,
    Foreign,
    World,
    edit,
    misaligned,
    put,
    replace,
    reslot,
    strided,
)

import steepest as st
from steepest.ops.symbolic import Symbolic


class OfAGraph(Symbolic):
    """A variable that sends the whole list elsewhere."""

    shape, dtype = (2,), np.dtype(np.float32)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.zeros(2, np.float32)

    def _apply_gradients(self, optimizer: Any, pairs: Any, global_step: Any, name: Any) -> Any:
        raise LookupError("taken to a graph")

    def _slot_key(self) -> Any:
        return "a graph", "a variable"


class Special(np.ndarray):
    """A subclass of the user's, which may mean anything."""


class Renamed(st.Variable):
    """A subclass of the user's, which may mean anything."""


def _powers(world: World) -> list[Any]:
    return [v for v in world.opt._slot_table.non_slots.values() if v.dtype.kind == "f"]


def _narrow(variable: Any) -> None:
    variable._array = variable._array.astype(np.float32)


def _own(world: World, position: int, array: np.ndarray) -> None:
    world.params[position]._array = array


def _set(name: str, value: Callable[[World], Any]) -> Callable[[World], None]:
    """Give the optimizer another learning rate."""

    def happen(world: World) -> None:
        attribute = "_lr" if hasattr(world.opt, "_lr") else "_learning_rate"
        setattr(world.opt, attribute, value(world))

    return happen


def _rates(world: World) -> Callable[[], float]:
    rates = iter([0.5, 0.25, 0.125] * 30)
    return lambda: next(rates)


def _hook(make: Callable[[], Any]) -> Callable[[World], None]:
    return lambda world: world.opt._hooks.append(make())


def _clear(world: World) -> Callable[[], float]:
    """A learning rate that takes the user's list apart while it is read."""
    given: list[list[Any]] = []
    world.wrap = lambda pairs: (given.append(pairs), pairs)[1]

    def rate() -> float:
        if given:
            given[-1].clear()
        return 0.5

    return rate


def _two_owners(world: World) -> None:
    """The optimizer meets the matrix's memory under another owner."""
    world.kept.append(np.asarray(Foreign(world.params[MATRIX])))
    world.opt._zeros_slot(world.kept[-1], "extra", "extra")


def _shared(world: World) -> st.Variable:
    """Another variable around the very array of the vector."""
    other = st.Variable(np.zeros(4, np.float32))
    other._array = world.params[VECTOR].value
    return other


def _swap(world: World) -> None:
    world.params[MATRIX], world.params[SCALAR] = world.params[SCALAR], world.params[MATRIX]


def _drop_slot(world: World) -> None:
    for slots in world.opt._slots.values():
        slots.pop(world.opt._slot_table.key_of(world.params[MATRIX]), None)


def _defer(world: World) -> None:
    """Another optimizer leaves rows of the second table behind."""
    other = st.AdamOptimizer(0.5, sparse_update="deferred")
    for row in (0, 3):
        other.apply_gradients([(st.IndexedSlices(np.ones((1, 2), np.float32), [row]), world.params[ROWS])])


def _with_slot(use: Callable[[st.Variable], Any]) -> Callable[[World], None]:
    """Do something to a slot of the matrix, where it has one."""

    def happen(world: World) -> None:
        slot = world.slot(MATRIX)
        if slot is not None:
            use(slot)

    return happen


def _subclass_slot(world: World) -> None:
    for slots in world.opt._slots.values():
        key = world.opt._slot_table.key_of(world.params[MATRIX])
        if key in slots:
            slots[key] = Renamed(slots[key].value)


def _bad(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values[0] = np.nan
    return values


CHANGES = [
    Change("nothing", lambda world: None, True),
    # The list
    Change("a tuple", lambda world: setattr(world, "wrap", tuple), True),
    Change(
        "a zip", lambda world: setattr(world, "wrap", lambda pairs: zip(*zip(*pairs, strict=True), strict=True)), True
    ),
    Change("pairs that are lists", lambda world: setattr(world, "wrap", lambda p: [list(q) for q in p]), True),
    Change("a generator", lambda world: setattr(world, "wrap", lambda pairs: (pair for pair in pairs)), False),
    Change("pairs of three", lambda world: setattr(world, "wrap", lambda p: [(*q, 1) for q in p]), False),
    Change("the other order", lambda world: setattr(world, "wrap", lambda p: p[::-1]), False),
    Change("fewer pairs", lambda world: setattr(world, "wrap", lambda p: p[:3]), False),
    Change("more pairs", lambda world: setattr(world, "wrap", lambda p: p + p[1:3]), False),
    Change("no pairs", lambda world: setattr(world, "wrap", lambda p: []), False),
    Change("a number", lambda world: setattr(world, "wrap", lambda p: 5), False),
    Change("a pair that is a number", lambda world: setattr(world, "wrap", lambda p: [*p[:-1], 5]), False),
    # Parameters
    Change("another view of the same memory", put(MATRIX, lambda w: w.memory[:6].reshape(2, 3)), True),
    Change("a neighbour in the same memory", put(MATRIX, lambda w: w.memory[6:12].reshape(2, 3)), False),
    Change("overlapping memory", put(MATRIX, lambda w: w.memory[3:9].reshape(2, 3)), False),
    Change("less of the same memory", put(MATRIX, lambda w: w.memory[:4].reshape(2, 2)), False),
    Change("more of the same memory", put(MATRIX, lambda w: w.memory[:9].reshape(3, 3)), False),
    Change("fewer dimensions", put(MATRIX, lambda w: w.memory[:6]), False),
    Change("one of a size", put(MATRIX, lambda w: as_strided(w.memory, (2,), (12,))), False),
    Change("another array", put(MATRIX, lambda w: w.spare), False),
    Change("a new array", put(MATRIX, lambda w: np.ones((2, 3), np.float32)), False),
    Change("another owner", put(MATRIX, lambda w: np.asarray(Foreign(w.params[MATRIX]))), False),
    Change("an owner met elsewhere", _two_owners, False),
    Change("another type", put(MATRIX, lambda w: w.memory[:6].reshape(2, 3).view(np.int32)), False),
    Change("a parameter of doubles", put(MATRIX, lambda w: w.memory[:12].view(np.float64).reshape(2, 3)), False),
    Change("not contiguous", put(MATRIX, lambda w: w.memory[:12:2].reshape(2, 3)), None),
    Change("transposed", put(MATRIX, lambda w: w.memory[:6].reshape(3, 2).T), False),
    Change("misaligned", put(MATRIX, lambda w: misaligned(w.memory[:6].reshape(2, 3))), False),
    Change("a subclass of ndarray", put(MATRIX, lambda w: w.memory[:6].reshape(2, 3).view(Special)), False),
    Change("read-only", lambda world: world.params[MATRIX].setflags(write=False), False),
    Change("a variable made read-only", lambda world: world.params[VECTOR].value.setflags(write=False), False),
    Change("a variable in place of an array", put(MATRIX, lambda w: st.Variable(w.memory[:6].reshape(2, 3))), False),
    Change("an array in place of a variable", put(VECTOR, lambda w: w.params[VECTOR].numpy()), False),
    Change("another variable", put(VECTOR, lambda w: st.Variable(np.ones(4, np.float32))), False),
    Change("another variable around the same array", put(VECTOR, _shared), False),
    Change("a subclass of Variable", put(VECTOR, lambda w: Renamed(np.ones(4, np.float32))), False),
    Change("a variable's other array", lambda w: _own(w, VECTOR, np.full(4, 7, np.float32)), False),
    Change("a variable's other type", lambda w: _own(w, VECTOR, np.full(4, 7.0)), False),
    Change("a variable's other list", lambda w: _own(w, VECTOR, [7.0] * 4), False),  # type: ignore[arg-type]
    Change("an assigned variable", lambda world: world.params[VECTOR].assign(np.zeros(4, np.float32)), True),
    Change("a variable with rows that owe moves", _defer, False),
    Change("parameters that change places", _swap, False),
    Change("an idle number", put(IDLE, lambda w: 5), False),
    Change("an idle variable of a graph", put(IDLE, lambda w: OfAGraph()), False),
    Change("another idle array", put(IDLE, lambda w: np.zeros(3)), True),
    Change("an idle variable", put(IDLE, lambda w: st.Variable(np.zeros(3))), True),
    # Gradients
    Change("no gradient", edit(MATRIX, lambda g: None), False),
    Change("a gradient more", edit(IDLE, lambda g: np.ones(2, np.float32)), False),
    Change("no gradients", lambda world: world.edits.append(lambda g: g.__setitem__(slice(None), [None] * 8)), False),
    Change("a gradient of doubles", edit(MATRIX, lambda g: g.astype(np.float64)), False),
    Change("a gradient of floats for doubles", edit(DOUBLE, lambda g: g.astype(np.float32)), False),
    Change("a wide gradient for halves", edit(HALF, lambda g: g.astype(np.float32)), True),
    Change("a gradient of integers", edit(MATRIX, lambda g: np.ones((2, 3), np.int32)), False),
    Change("a complex gradient", edit(MATRIX, lambda g: g.astype(np.complex64)), False),
    Change("a gradient in the other byte order", edit(MATRIX, lambda g: g.astype(">f4")), False),
    Change("a gradient of another shape", edit(MATRIX, lambda g: g.reshape(3, 2)), False),
    Change("a flat gradient", edit(MATRIX, lambda g: g.reshape(6)), False),
    Change("a gradient in Fortran's order", edit(MATRIX, np.asfortranarray), False),
    Change("a gradient with strides", edit(MATRIX, strided), False),
    Change("a misaligned gradient", edit(MATRIX, misaligned), False),
    Change("a gradient that is a list", edit(MATRIX, lambda g: g.tolist()), False),
    Change("a gradient that is a tensor", edit(MATRIX, st.constant), False),
    Change("a gradient that is a variable", edit(MATRIX, st.Variable), False),
    Change("a gradient of a subclass", edit(MATRIX, lambda g: g.view(Special)), False),
    Change("a gradient of text", edit(MATRIX, lambda g: "abc"), False),
    Change("a read-only gradient", edit(MATRIX, lambda g: np.broadcast_to(g, g.shape)), True),
    Change("a dense gradient for a table", edit(TABLE, lambda g: np.ones((6, 2), np.float32)), True),
    Change("slices for a matrix", edit(MATRIX, lambda g: st.IndexedSlices(g[:1], [1])), True),
    Change("slices for a scalar", edit(SCALAR, lambda g: st.IndexedSlices(np.ones(1), [0])), False),
    Change("slices for doubles", edit(DOUBLE, lambda g: st.IndexedSlices(g.astype(np.float32), [2, 0, 2])), False),
    Change("no rows", edit(ROWS, lambda g: st.IndexedSlices(g.values[:0], g.indices[:0])), True),
    Change("a row too far", replace("indices", lambda i: np.full_like(i, 6)), False),
    Change("a negative row", replace("indices", lambda i: np.full_like(i, -1)), False),
    Change("a narrow row too far", edit(ROWS, lambda g: st.IndexedSlices(g.values, np.full(4, 5, np.int32))), False),
    Change("short indices", replace("indices", lambda i: i.astype(np.int16)), False),
    Change("indices of floats", replace("indices", lambda i: i.astype(np.float64)), False),
    Change("narrow indices", replace("indices", lambda i: i.astype(np.int32)), True),
    Change("indices in two dimensions", replace("indices", lambda i: i.reshape(4, 1)), False),
    Change("indices with strides", replace("indices", strided), True),
    Change("indices in a list", replace("indices", lambda i: i.tolist()), False),
    Change("fewer indices", replace("indices", lambda i: i[:3].copy()), False),
    Change("values of doubles", replace("values", lambda v: v.astype(np.float64)), False),
    Change("values of another width", replace("values", lambda v: v.reshape(2, 4)), False),
    Change("values in a list", replace("values", lambda v: v.tolist()), False),
    # Slots
    Change("slots assigned", _with_slot(lambda s: s.assign(np.ones((2, 3), np.float32))), True),
    Change("another array in a slot", reslot(MATRIX, lambda a: a + 1), True),
    Change("a slot of doubles", reslot(MATRIX, lambda a: a.astype(np.float64)), None),
    Change("a slot of another shape", reslot(MATRIX, lambda a: a.reshape(3, 2).copy()), None),
    Change("a slot of another size", reslot(MATRIX, lambda a: a[:1].copy()), None),
    Change("a slot with strides", reslot(MATRIX, strided), None),
    Change("a read-only slot", _with_slot(lambda s: s.value.setflags(write=False)), None),
    Change("a slot that is gone", _drop_slot, None),
    Change("a slot of a subclass", _subclass_slot, None),
    Change("all slots gone", lambda world: world.opt._slots.clear(), None),
    Change("variables of its own gone", lambda world: world.opt._slot_table.non_slots.clear(), None),
    # Hyper-parameters
    Change("another rate", _set("rate", lambda w: 0.75), True),
    Change("a rate of 32 bits", _set("rate", lambda w: np.float32(0.1)), True),
    Change("rates from a function", _set("rate", _rates), True),
    Change("a rate in a variable", _set("rate", lambda w: st.Variable(0.3)), True),
    Change("a rate that is no number", _set("rate", lambda w: "fast"), True),
    Change("an infinite rate", _set("rate", lambda w: lambda: np.inf), True),
    Change("a rate that takes the list apart", _set("rate", _clear), True),
    Change("another beta", lambda world: setattr(world.opt, "_beta1", 0.5), True),
    Change("powers assigned", lambda world: [v.assign(v.value / 2) for v in _powers(world)], True),
    Change("powers of 32 bits", lambda world: [_narrow(v) for v in _powers(world)], None),
    # Hooks
    Change("a clip", _hook(lambda: st.ClipByValue(-0.1, 0.1)), True),
    Change("a norm", _hook(lambda: st.ClipByGlobalNorm(0.5)), True),
    Change("a decay", _hook(lambda: st.WeightDecay(0.1, decoupled=True)), True),
    Change("a function", _hook(lambda: lambda pairs: [(g, v) for g, v in pairs[:3]]), False),
    Change("hooks gone", lambda world: world.opt._hooks.clear(), None),
    Change("NaN refused", lambda w: (_hook(st.CheckFinite)(w), edit(VECTOR, _bad)(w)), True),
    Change("NaN left out", lambda w: (_hook(lambda: st.CheckFinite("skip"))(w), edit(DOUBLE, _bad)(w)), True),
    # The step
    Change("a step", lambda w: setattr(w, "step", st.Variable(np.int64(5), trainable=False)), True),
    Change("a narrow step", lambda w: setattr(w, "step", st.Variable(np.int32(2**31 - 1), trainable=False)), True),
    Change("a step of floats", lambda w: setattr(w, "step", st.Variable(np.float32(5), trainable=False)), False),
    Change("a step of a subclass", lambda w: setattr(w, "step", Renamed(np.int64(5), trainable=False)), False),
]
