"""steepest itself, by its public functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import data
from ..case import Job, Work, contender
from ..dense_cases import DENSE


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


def well_placed(values: np.ndarray) -> np.ndarray:
    import steepest as st

    out = st.empty_like(values)
    out[...] = values
    return out


def dense(work: Work, variables: bool, placed: bool = False) -> Job:
    import steepest as st

    shape = (-1, 64) if work.rule == "adagrad_decay" and work.n % 64 == 0 else (-1,)
    place = well_placed if placed else np.asarray
    parameters = [place(data.parameter(work.n, work.dtype).reshape(shape)) for _ in range(work.count)]
    if variables:
        parameters = [st.Variable(w) for w in parameters]
    pairs = [(place(data.gradient(work.n, work.dtype).reshape(shape)), w) for w in parameters]
    update, last = optimizer(work.rule).apply_gradients, parameters[-1]
    return Job(lambda: update(pairs), lambda: data.moved(last.value if variables else last, work.n))


@contender("steepest", *DENSE, "scaling", runtime="steepest")
def variables(work: Work) -> Job:
    return dense(work, variables=True)


@contender("steepest placed", "dense", "cache", runtime="steepest")
def placed(work: Work) -> Job:
    """Parameters and gradients that `steepest.empty` has made."""
    return dense(work, variables=False, placed=True)


@contender("steepest ndarrays", "cache", "small", "many", runtime="steepest")
def ndarrays(work: Work) -> Job:
    return dense(work, variables=False)


@contender("steepest baseline", "types", runtime="steepest baseline")
def baseline(work: Work) -> Job | None:
    return dense(work, variables=True) if work.dtype == "float32" else None


def table(work: Work, placed: bool = False) -> tuple[Any, Any, list[Any]]:
    """Return an optimizer, its table, and the pair that it is given."""
    import steepest as st

    values = np.full((work.rows, work.width), data.START, np.float32)
    w = well_placed(values) if placed else st.Variable(values)
    g = data.row_gradient(work.batch, work.width)
    slices = st.IndexedSlices(g, data.ids(work.rows, work.batch, work.law), (work.rows, work.width))
    return optimizer(work.rule), w, [(slices, w)]


@contender("steepest", "sparse", "widths", "tables", "scaling rows", runtime="steepest")
def sparse(work: Work) -> Job:
    from ..sparse import moved

    opt, w, pairs = table(work)
    return Job(lambda: opt.apply_gradients(pairs), lambda: moved(w.value, work))


@contender("steepest placed", "sparse", "widths", runtime="steepest")
def sparse_placed(work: Work) -> Job:
    """The table by `steepest.empty`: no row lies across two cache lines that need not."""
    from ..sparse import moved

    opt, w, pairs = table(work, placed=True)
    return Job(lambda: opt.apply_gradients(pairs), lambda: moved(w, work))


@contender("steepest", "clip", runtime="steepest")
def clip(work: Work) -> Job:
    """As a hook of Adam, or the functions by themselves."""
    import steepest as st

    low, high, limit = -data.LIMIT, data.LIMIT, data.NORM_LIMIT
    gradients = [data.gradient(work.n) for _ in range(work.count)]
    if work.update:
        hook = {"value": st.ClipByValue(low, high), "norm": st.ClipByNorm(limit), "global": st.ClipByGlobalNorm(limit)}
        return updated(work, gradients, hooks=[hook[work.kind]])
    alone = {
        "value": lambda: [st.clip_by_value(g, low, high) for g in gradients],
        "norm": lambda: [st.clip_by_norm(g, limit) for g in gradients],
        "global": lambda: st.clip_by_global_norm(gradients, limit)[0],
    }[work.kind]
    return Job(alone, lambda: np.asarray(alone()[-1])[data.places(work.n)])


def updated(work: Work, gradients: list[np.ndarray], **more: Any) -> Job:
    import steepest as st

    pairs = [(g, st.Variable(data.parameter(work.n))) for g in gradients]
    update = optimizer("adam", **more).apply_gradients
    return Job(lambda: update(pairs), lambda: data.moved(pairs[-1][1].value, work.n))


@contender("steepest unclipped", "clip", runtime="steepest", roofline=True)
def unclipped(work: Work) -> Job | None:
    job = updated(work, [data.gradient(work.n) for _ in range(work.count)]) if work.update else None
    return job and Job(job.step)
