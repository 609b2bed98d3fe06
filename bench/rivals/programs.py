"""Derivatives of whole programs by steepest, torch, autograd, and by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..case import Job, Work, contender
from ..cases import programs, tape


def job(gradients: Any) -> Job:
    return Job(gradients, lambda: programs.shown(gradients()))


@contender("steepest", "programs", runtime="steepest")
def steepest(work: Work) -> Job:
    import steepest as st

    program = programs.PROGRAMS[work.kind]
    values, given = programs.values(work)
    parameters = [st.Variable(p) for p in values]

    def gradients() -> list[Any]:
        with st.GradientTape() as recorded:
            loss = program(np, parameters, *given)
        found = recorded.gradient(loss, parameters)
        return [g.to_dense() if isinstance(g, st.IndexedSlices) else g for g in found]  # as the others' are

    return job(gradients)


@contender("NumPy", "programs", runtime="numpy")
def by_hand(work: Work) -> Job | None:
    if work.kind != "mlp":
        return None
    parameters, (x, labels, _) = programs.values(work)
    return job(lambda: tape.mlp_by_hand(x, labels, parameters)[1])


@contender("torch", "programs", runtime="torch")
def torch(work: Work) -> Job:
    import torch

    torch.set_num_threads(work.threads)

    class Names:
        """NumPy's names for torch's functions."""

        exp, log, sum, mean, einsum, reshape, linalg = (
            *(torch.exp, torch.log, torch.sum, torch.mean),
            *(torch.einsum, torch.reshape, torch.linalg),
        )
        maximum = staticmethod(lambda x, low: torch.clamp_min(x, low))
        max = staticmethod(lambda x, axis, keepdims: torch.amax(x, axis, keepdims))

    program = programs.PROGRAMS[work.kind]
    values, given = programs.values(work)
    parameters = [torch.from_numpy(p.copy()).requires_grad_() for p in map(np.asarray, values)]
    data = [torch.from_numpy(np.asarray(a)) for a in given]

    def gradients() -> list[Any]:
        return list(torch.autograd.grad(program(Names, parameters, *data), parameters))

    return Job(gradients, lambda: programs.shown([g.numpy() for g in gradients()]))


@contender("autograd", "programs", runtime="autograd")
def autograd(work: Work) -> Job:
    import autograd
    import autograd.numpy as anp

    program = programs.PROGRAMS[work.kind]
    values, given = programs.values(work)
    derivative = autograd.grad(lambda parameters: program(anp, parameters, *given))
    return job(lambda: derivative(values))
