"""steepest itself, by its public functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import data
from ..case import Job, Work, contender
from ..kinds import DENSE


def optimizer(rule: str, **more: Any) -> Any:
    import steepest as st

    adam = (data.RATE, data.BETA1, data.BETA2, data.EPSILON)
    return {
        "sgd": lambda: st.GradientDescentOptimizer(data.RATE, **more),
        "momentum": lambda: st.MomentumOptimizer(data.RATE, data.MOMENTUM, **more),
        "adagrad": lambda: st.AdagradOptimizer(data.RATE, data.ACCUMULATOR, **more),
        "rowwise_adagrad": lambda: st.RowWiseAdagradOptimizer(data.RATE, data.ACCUMULATOR, data.EPSILON, **more),
        "adagrad_decay": lambda: st.AdagradDecayOptimizer(
            data.RATE, initial_accumulator_value=data.ACCUMULATOR, accumulator_decay_step=data.DECAY_STEP, **more
        ),
        "adam": lambda: st.AdamOptimizer(*adam, **more),
        "lazy_adam": lambda: st.LazyAdamOptimizer(*adam, **more),
    }[rule]()


def dense(work: Work, variables: bool) -> Job:
    import steepest as st

    shape = (-1, 64) if work.rule == "adagrad_decay" and work.n % 64 == 0 else (-1,)
    parameters = [data.parameter(work.n, work.dtype).reshape(shape) for _ in range(work.count)]
    if variables:
        parameters = [st.Variable(w) for w in parameters]
    pairs = [(data.gradient(work.n, work.dtype).reshape(shape), w) for w in parameters]
    update, last = optimizer(work.rule).apply_gradients, parameters[-1]
    return Job(lambda: update(pairs), lambda: data.moved(last.value if variables else last, work.n))


@contender("steepest", *DENSE, family="steepest")
def variables(work: Work) -> Job:
    return dense(work, variables=True)


@contender("steepest ndarrays", "cache", "small", "many", family="steepest")
def ndarrays(work: Work) -> Job:
    return dense(work, variables=False)


@contender("steepest baseline", "types", family="steepest baseline")
def baseline(work: Work) -> Job | None:
    return dense(work, variables=True) if work.dtype == "float32" else None


def table(work: Work, **more: Any) -> tuple[Any, Any, list[Any]]:
    """Return an optimizer, its table, and the pair that it is given."""
    import steepest as st

    w = st.Variable(np.full((work.rows, work.width), data.START, np.float32))
    g = data.row_gradient(work.batch, work.width)
    slices = st.IndexedSlices(g, data.ids(work.rows, work.batch, work.law), (work.rows, work.width))
    return optimizer(work.rule, **more), w, [(slices, w)]


@contender("steepest", "sparse", "widths", "tables", family="steepest")
def sparse(work: Work) -> Job:
    from ..sparse import moved

    opt, w, pairs = table(work)
    return Job(lambda: opt.apply_gradients(pairs), lambda: moved(w.value, work))
