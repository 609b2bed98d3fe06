"""Compiled from bench/native: the rooflines, and the loops an expert would write in C++ for one rule."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import data
from ..case import Job, Work, contender
from ..compiled import BASELINE, NATIVE, Numbers, library
from ..dense_cases import DENSE, staggered

LOOPS = {"sgd": 0, "momentum": 1, "adagrad": 2, "adam": 3}
NUMBERS = Numbers(data.RATE, data.BETA1, data.BETA2, data.EPSILON, data.MOMENTUM)


def arrays_of(work: Work) -> tuple[list[list[np.ndarray]], np.ndarray]:
    """Return each tensor's arrays (parameter, gradient, states), and their addresses, six for each tensor."""
    states = data.STATES[work.rule]
    slot = np.float64 if work.dtype == "float64" else np.float32
    initial = data.ACCUMULATOR if "adagrad" in work.rule else 0
    tensors, addresses = [], np.zeros((work.count, 6), np.uint64)
    for k in range(work.count):
        arrays = [data.parameter(work.n, work.dtype), data.gradient(work.n, work.dtype)]
        arrays += [np.full(work.n, initial, slot) for _ in range(states)]
        if work.n > 4000:
            arrays = staggered(arrays)
        tensors.append(arrays)
        addresses[k, : len(arrays)] = [x.ctypes.data for x in arrays]
    return tensors, addresses


@contender("mix", *DENSE, "scaling", runtime="native", roofline=True)
def mix(work: Work) -> Job:
    tensors, addresses = arrays_of(work)
    call, size = library().bench_mix, data.STORED[work.dtype]
    a = (data.STATES[work.rule], size, addresses.ctypes.data, work.count, work.n, work.threads)
    return Job(lambda: call(*a), keep=(tensors, addresses))


def loop(architecture: str) -> Callable[[Work], Job | None]:
    def make(work: Work) -> Job | None:
        if work.rule not in LOOPS or data.STORED[work.dtype] < 4:
            return None
        if architecture == BASELINE and work.dtype != "float32":
            return None
        tensors, addresses = arrays_of(work)
        call, done = library(architecture).bench_loop, 0
        a = (LOOPS[work.rule], data.STORED[work.dtype], addresses.ctypes.data, work.count, work.n, work.threads)
        numbers = ctypes.byref(NUMBERS)

        def step() -> None:
            nonlocal done
            done += 1
            call(*a, done, numbers)

        return Job(step, lambda: data.moved(tensors[-1][0], work.n), (tensors, addresses))

    return make


contender("loop", *DENSE, runtime="native")(loop(NATIVE))
contender("loop SSE2", "types", runtime="native")(loop(BASELINE))


def random_rows(work: Work, states: int, row_bytes: int, ahead: int) -> Job:
    """Touch each distinct row of so many tables beside the parameter's, prefetching some ids ahead.

    ``row_bytes`` are read and written of what a row has of its own.
    """
    chosen = data.ids(work.rows, work.batch, work.law)
    first = np.zeros(work.batch, np.uint8)
    first[np.unique(chosen, return_index=True)[1]] = 1
    tables = [np.full((work.rows, work.width), data.START, np.float32) for _ in range(1 + states)]
    own = row_bytes // 2 // tables[0].itemsize
    if own:
        tables.append(np.zeros((work.rows, own), np.float32))
    gradient, *tables = staggered([data.row_gradient(work.batch, work.width), *tables])
    addresses = np.array([x.ctypes.data for x in tables], np.uint64)
    call: Any = library().bench_rows
    a = (1 + states, addresses.ctypes.data, own, chosen.ctypes.data, first.ctypes.data, gradient.ctypes.data)
    b = (work.batch, work.width, ahead, work.threads)
    return Job(lambda: call(*a, *b), keep=(tables, addresses, chosen, first, gradient))


@contender("random rows", "sparse", "widths", "tables", "scaling rows", runtime="native", roofline=True)
def touched(work: Work) -> Job:
    return random_rows(work, data.STATES[work.rule], data.ROW_BYTES.get(work.rule, 0), ahead=16)
