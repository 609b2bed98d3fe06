"""HIPS autograd's own optimizers, which are NumPy without out=."""

from __future__ import annotations

from typing import Any

from .. import data
from ..case import Job, Work, contender


@contender("autograd", "cache", "small", runtime="autograd")
def dense(work: Work) -> Job | None:
    """Their steps come only as whole loops, which start from nothing: no answer after three single steps."""
    if work.rule not in ("sgd", "adam") or work.threads > 1 or work.n > 100_000:
        return None
    from autograd.misc import optimizers

    g, w = data.gradient(work.n), data.parameter(work.n)
    steps = 20
    settings: dict[str, Any] = {"num_iters": steps, "step_size": data.RATE}
    if work.rule == "sgd":
        settings["mass"] = 0.0
    run = getattr(optimizers, work.rule)
    return Job(lambda: run(lambda w, k: g, w, **settings), steps=steps)
