"""jax: optax's transformations under jit with donated arguments, and scattered updates of rows."""

from __future__ import annotations

from typing import Any

from .. import data
from ..case import Job, Work, contender
from ..dense_cases import DENSE


def jax_module() -> Any:
    import jax

    jax.config.update("jax_enable_x64", True)
    return jax


def transformation(rule: str) -> Any:
    import optax

    return {
        "sgd": lambda: optax.sgd(data.RATE),
        "momentum": lambda: optax.sgd(data.RATE, momentum=data.MOMENTUM),
        "adagrad": lambda: optax.adagrad(data.RATE, initial_accumulator_value=data.ACCUMULATOR, eps=1e-12),
        "adam": lambda: optax.adam(data.RATE, data.BETA1, data.BETA2, data.EPSILON),
    }[rule]()


@contender("optax", *DENSE, runtime="jax")
def dense(work: Work) -> Job | None:
    if work.rule == "adagrad_decay" or data.STORED[work.dtype] < 4 or work.n > 20_000_000:
        return None
    if work.count > 1 and (work.rule, work.n) != ("adam", 100):
        return None  # it compiles for many seconds
    import optax

    jax = jax_module()
    tx = transformation(work.rule)
    parameters = [jax.numpy.full(work.n, data.START, work.dtype) for _ in range(work.count)]
    gradients = [jax.numpy.asarray(data.gradient(work.n, work.dtype)) for _ in range(work.count)]
    now = [parameters, tx.init(parameters)]

    def update(parameters: Any, state: Any, gradients: Any) -> Any:
        moves, state = tx.update(gradients, state, parameters)
        return optax.apply_updates(parameters, moves), state

    compiled = jax.jit(update, donate_argnums=(0, 1))

    def step() -> None:
        now[:] = compiled(*now, gradients)
        jax.block_until_ready(now[0])

    return Job(step, lambda: data.moved(now[0][-1], work.n))


@contender("jax scatter", "sparse", runtime="jax")
def sparse(work: Work) -> Job | None:
    """Duplicates summed by unique and scatter-add; plain descent scatters at once."""
    if work.rule == "rowwise_adagrad" or work.width != 64 or (work.rule != "sgd" and work.batch > 100_000):
        return None
    from ..sparse import moved

    jax = jax_module()
    np = jax.numpy
    real = np.float32
    ids = np.asarray(data.ids(work.rows, work.batch, work.law))
    g = np.asarray(data.row_gradient(work.batch, work.width))
    initial = (data.START, data.ACCUMULATOR if work.rule == "adagrad" else 0.0, 0.0)[: 1 + data.STATES[work.rule]]
    tables = tuple(np.full((work.rows, work.width), x, real) for x in initial)
    now = [tables, np.asarray(0)]

    def update(tables: Any, steps: Any, ids: Any, g: Any) -> Any:
        steps += 1
        if work.rule == "sgd":
            return (tables[0].at[ids].add(real(-data.RATE) * g),), steps
        rows, place = np.unique(ids, size=work.batch, fill_value=work.rows, return_inverse=True)
        s = np.zeros_like(g).at[place.reshape(-1)].add(g)
        settings = {"mode": "drop", "indices_are_sorted": True}
        if work.rule == "adagrad":
            a = tables[1].at[rows].add(s * s, **settings)
            return (tables[0].at[rows].add(real(-data.RATE) * s / np.sqrt(a[rows]), **settings), a), steps
        alpha = (data.RATE * np.sqrt(1 - data.BETA2**steps) / (1 - data.BETA1**steps)).astype(real)
        m = tables[1][rows] + (s - tables[1][rows]) * real(1 - data.BETA1)
        v = tables[2][rows] + (s * s - tables[2][rows]) * real(1 - data.BETA2)
        w = tables[0].at[rows].add(-alpha * m / (np.sqrt(v) + real(data.EPSILON)), **settings)
        return (w, tables[1].at[rows].set(m, **settings), tables[2].at[rows].set(v, **settings)), steps

    compiled = jax.jit(update, donate_argnums=(0,))

    def step() -> None:
        now[:] = compiled(*now, ids, g)
        jax.block_until_ready(now[0])

    return Job(step, lambda: moved(now[0][0], work))


@contender("optax", "clip", runtime="jax")
def clip(work: Work) -> Job:
    import optax

    jax = jax_module()
    np = jax.numpy

    def each(gradients: Any) -> Any:
        return jax.tree.map(lambda g: g * np.minimum(1, data.NORM_LIMIT / np.linalg.norm(g)), gradients)

    clips = {
        "value": lambda: optax.clip(data.LIMIT),
        "norm": lambda: optax.stateless(lambda gradients, _: each(gradients)),
        "global": lambda: optax.clip_by_global_norm(data.NORM_LIMIT),
    }[work.kind]()
    tx = optax.chain(clips, transformation("adam")) if work.update else clips
    parameters = [np.full(work.n, data.START, "float32") for _ in range(work.count)]
    gradients = [np.asarray(data.gradient(work.n)) for _ in range(work.count)]
    now = [parameters, tx.init(parameters)]

    def update(parameters: Any, state: Any, gradients: Any) -> Any:
        moves, state = tx.update(gradients, state, parameters)
        return (optax.apply_updates(parameters, moves) if work.update else moves), state

    compiled = jax.jit(update, donate_argnums=(0, 1) if work.update else ())

    def step() -> None:
        now[:] = compiled(now[0], now[1], gradients)
        jax.block_until_ready(now[0])

    def answer() -> Any:
        import numpy

        last = numpy.asarray(now[0][-1])
        return data.moved(last, work.n) if work.update else last[data.places(work.n)]

    return Job(step, answer)
