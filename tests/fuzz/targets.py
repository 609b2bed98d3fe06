"""The fuzz targets: each makes arguments of an input and calls one entry of the library with them."""

from __future__ import annotations

import contextlib
import os
import tempfile
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from inputs import DTYPES, Arena, Input

import steepest as st
from steepest import _core

__all__ = ["REFUSALS", "TARGETS", "run"]

# What a call may raise; anything else is a finding, as is a signal.
REFUSALS = (TypeError, ValueError, IndexError, MemoryError, OverflowError)
SCHEMA = _core.schema()
RULES = sorted(SCHEMA)
_FILE = os.path.join(tempfile.gettempdir(), f"steepest-fuzz-{os.getpid()}")


def _shape(source: Input) -> tuple[int, ...]:
    return tuple(source.pick([0, 1, 2, 3, 5, 8, 17, 64, 70]) for _ in range(source.below(4)))


def _hooks(source: Input) -> list[Any]:
    hooks = []
    for _ in range(source.below(5) if source.byte() % 2 else 0):
        kind = source.below(6) if not source.rarely() else source.integer() % 2**31
        hooks.append((kind, source.real(), source.real()))
    return hooks * (9 if source.rarely() else 1)


def _values(source: Input, rule: str) -> list[float]:
    schema = SCHEMA[rule]
    values = [h["default"] if source.byte() % 4 else source.real() for h in schema["hyper"]]
    values += [source.real() if source.rarely() else float(source.byte()) for _ in schema["scalars"]]
    return values + [0.0] * source.rarely()


def _gradient(source: Input, arena: Arena, shape: tuple[int, ...], dtype: Any) -> tuple[Any, Any]:
    if shape and source.byte() % 2:
        count = source.pick([0, 1, 2, 7, 100, 300])
        return arena.array((count, *shape[1:]), dtype), arena.indices(count, shape[0])
    return arena.array(shape, dtype), None


def apply(source: Input) -> None:
    """`_core.apply` and `_core.measure`: items of all rules, types and shapes."""
    arena, rule = Arena(source), source.pick(RULES)
    items, pool = [], []
    for _ in range(1 + source.below(4)):
        code, shape = source.below(4), _shape(source)
        dtype, real = DTYPES[code], DTYPES[1] if code == 1 else DTYPES[0]
        parameter = arena.array(shape, dtype)
        if pool and source.rarely():
            parameter, code, shape = source.pick(pool)
        pool.append((parameter, code, shape))
        slots = tuple(
            arena.array(
                shape[:1] if slot["extent"] == "row" else shape, np.int64 if slot["slot_type"] == "integer" else real
            )
            for slot in SCHEMA[rule]["slots"]
        )
        wide = source.byte() % 4 == 3
        gradient, indices = _gradient(source, arena, shape, real if wide else dtype)
        if source.rarely():
            gradient = parameter
        if indices is not None and source.byte() % 4 == 3:
            count = np.size(indices) + source.rarely()
            bags = np.array([source.below(np.size(indices) + 1 + source.rarely()) for _ in range(count)], np.int32)
            weights = arena.array((count,), real if wide else dtype)
            indices = (indices, bags if source.byte() % 4 else None, weights)[: 2 + source.below(2)]
        job = source.below(3) if source.rarely() else 0
        item = (job, "w", source.integer() if source.rarely() else code, parameter, slots, gradient, indices, wide)
        if SCHEMA[rule]["every_row"] and source.byte() % 4 == 3:
            item += (_core.step_history(0.9, 0.999, 1e-8, source.pick([0, 3, *shape[:1]]), source.below(4)),)
        if SCHEMA[rule]["ratio"] and source.byte() % 4 == 3:
            item += (None, (source.real(), source.real()))
        items.append(item[: source.below(11)] if source.rarely() else item)
    scalars = [(np.zeros((), source.pick([np.int64, np.float32])), source.pick([None, 0.5])), (parameter, None)]
    try:
        jobs = [(rule, _values(source, rule), _hooks(source) if source.rarely() else [])]
        if source.byte() % 4 == 3:
            _core.measure("fuzz", jobs, items, _hooks(source), source.real())
        _core.apply("fuzz", jobs, items, _hooks(source), scalars[: source.below(3)] if source.rarely() else [], [])
    finally:
        arena.check()


def norm(source: Input) -> None:
    """`_core.common_norm`."""
    arena, gradients = Arena(source), []
    for _ in range(source.below(4)):
        code, shape = source.below(4), _shape(source)
        values, indices = _gradient(source, arena, shape, DTYPES[code])
        rows = source.integer() if source.rarely() else shape[0] if shape else 1
        gradients.append((code, values, indices, rows))
    try:
        _core.common_norm("fuzz", gradients)
    finally:
        arena.check()


def transform(source: Input) -> None:
    """`_core.transform`."""
    arena, code, shape = Arena(source), source.below(4), _shape(source)
    given, out = arena.array(shape, DTYPES[code]), arena.array(shape, DTYPES[code])
    try:
        _core.transform(code, given, out, _hooks(source))
    finally:
        arena.check()


def duplicates(source: Input) -> None:
    """`_core.sum_duplicates`."""
    arena, code, shape = Arena(source), source.below(4), _shape(source) or (3,)
    count = source.pick([0, 1, 2, 7, 100, 300, 3000])
    rows = source.integer() if source.rarely() else shape[0]
    ids = arena.indices(count, shape[0])
    try:
        unique, _ = _core.sum_duplicates("fuzz", code, arena.array((count, *shape[1:]), DTYPES[code]), ids, rows)
        assert (np.diff(unique) > 0).all()
        assert not unique.size or (unique[0] >= 0 and unique[-1] < rows)
    finally:
        arena.check()


def history(source: Input) -> None:
    """Step histories: recorded by `_core.apply`, read by `_core.read_rows`, emptied by `_core.apply_pending`."""
    arena, code, shape = Arena(source), source.below(4), (1 + source.below(70), source.pick([0, 1, 2, 3, 8, 17]))
    betas = (source.real() if source.rarely() else 0.9, source.real() if source.rarely() else 0.999)
    record = _core.step_history(
        *betas, source.real(), source.pick([-1, 0, 2**62]) if source.rarely() else shape[0], code
    )
    real = DTYPES[1] if code == 1 else DTYPES[0]
    parameter, slots = arena.array(shape, DTYPES[code]), (arena.array(shape, real), arena.array(shape, real))
    try:
        for _ in range(source.below(40)):
            does = source.below(4)
            if does == 0:
                ids = np.array([source.below(shape[0] + source.rarely()) for _ in range(source.below(9))], np.int64)
                out = arena.array((len(ids), shape[1]), DTYPES[code])
                _core.read_rows(record, "adam", code, parameter, slots, ids, out)
            elif does == 1:
                _core.apply_pending(record, "adam", code, parameter, slots)
            else:
                gradient, indices = _gradient(source, arena, shape, DTYPES[code])
                item = (0, "w", code, parameter, slots, gradient, indices, False)
                items = [(*item, record)] if indices is not None else [item]
                _core.apply("fuzz", [("adam", _values(source, "adam"), [])], items, [], [], [])
            _core.room(record)
    finally:
        arena.check()


def steps(source: Input) -> None:
    """`apply_gradients`, whose step cache compares each list of pairs with the last one."""
    arena = Arena(source)
    make = [
        st.AdamOptimizer,
        lambda: st.AdamOptimizer(sparse_update="deferred"),
        lambda: st.MomentumOptimizer(0.1, 0.9),
        lambda: st.AdagradDecayOptimizer(0.1),
        lambda: st.AdamOptimizer(0.1, hooks=[st.ClipByGlobalNorm(1.0), st.CheckFinite("skip")]),
        lambda: st.RowWiseAdagradOptimizer(0.1),
    ]
    opt = source.pick(make)()
    shapes = [_shape(source) for _ in range(3)]
    codes = [source.below(4) for _ in range(3)]
    variables = [arena.array(shape, DTYPES[code]) for shape, code in zip(shapes, codes, strict=True)]
    for k, variable in enumerate(variables):
        if source.byte() % 2 and isinstance(variable, np.ndarray) and variable.dtype == DTYPES[codes[k]]:
            variables[k] = st.Variable(variable, name="w")
    try:
        for _ in range(source.below(12)):
            pairs = []
            for variable, shape, code in zip(variables, shapes, codes, strict=True):
                values, indices = _gradient(source, arena, shape, DTYPES[code])
                gradient = values if indices is None else (values, indices)
                if isinstance(gradient, tuple):
                    try:
                        gradient = st.IndexedSlices(values, indices)
                    except REFUSALS:
                        gradient = None
                pairs.append((None if source.rarely() else gradient, variable))
            with contextlib.suppress(REFUSALS):
                opt.apply_gradients(pairs[: source.below(4)] if source.rarely() else pairs)
            arena.check()
    finally:
        arena.check()


def _reader(read: Callable[[str], Any], suffix: str) -> Callable[[Input], None]:
    def target(source: Input) -> None:
        path = _FILE + suffix
        with open(path, "wb") as file:
            file.write(source.data)
        try:
            read(path)
        finally:
            os.remove(path)

    target.__doc__ = f"The reader of {suffix} files."
    return target


TARGETS: dict[str, Callable[[Input], None]] = {
    "apply": apply,
    "norm": norm,
    "transform": transform,
    "duplicates": duplicates,
    "history": history,
    "steps": steps,
    "load_arrays": _reader(st.checkpoint.load_arrays, ".safetensors"),
    "load_npz": _reader(st.checkpoint.load_arrays, ".npz"),
    "load": _reader(st.checkpoint.load, ".ckpt"),
}


def run(name: str, data: bytes) -> bool:
    """Call a target; True where the library took the input, False where it refused it in a way that it may."""
    st.reset_default_store()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            TARGETS[name](Input(data))
        except REFUSALS as error:
            if isinstance(error, MemoryError) or str(error):
                return False
            raise AssertionError(f"{type(error).__name__} without a message") from error
    return True
