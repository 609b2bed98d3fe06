"""The whole family: steepest's optimizers, and the loops that move the same bytes."""

from __future__ import annotations

import numpy as np

from .. import data
from ..case import Job, Work, contender
from ..compiled import library
from ..dense_cases import staggered
from ..family import FAMILY
from .loops import random_rows


@contender("steepest", "family", runtime="steepest")
def dense(work: Work) -> Job:
    import steepest as st

    w = st.Variable(data.parameter(work.n).reshape(-1, work.width))
    pairs, update = [(data.gradient(work.n).reshape(-1, work.width), w)], FAMILY[work.member].make().apply_gradients
    return Job(lambda: update(pairs))


@contender("mix", "family", runtime="native", roofline=True)
def mix(work: Work) -> Job:
    member = FAMILY[work.member]
    arrays = staggered([data.parameter(work.n), data.gradient(work.n), *[np.zeros(work.n, np.float32)] * member.states])
    addresses = np.array([x.ctypes.data for x in arrays], np.uint64)
    at, compiled = addresses.ctypes.data, library()

    def step() -> None:
        if member.measured:
            compiled.bench_read(member.measured, at, work.n, work.threads)
        compiled.bench_mix(member.states, 4, at, 1, work.n, work.threads)

    return Job(step, keep=(arrays, addresses))


@contender("steepest", "family rows", runtime="steepest")
def rows(work: Work) -> Job:
    import steepest as st

    w = st.Variable(np.full((work.rows, work.width), data.START, np.float32))
    g = data.row_gradient(work.batch, work.width)
    pairs = [(st.IndexedSlices(g, data.ids(work.rows, work.batch, work.law), (work.rows, work.width)), w)]
    update = FAMILY[work.member].make().apply_gradients
    return Job(lambda: update(pairs))


@contender("random rows", "family rows", runtime="native", roofline=True)
def touched(work: Work) -> Job:
    member = FAMILY[work.member]
    return random_rows(work, member.states, member.row_bytes, ahead=16)
