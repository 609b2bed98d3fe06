"""torch.optim: fused, foreach, and its optimizers for sparse gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import data
from ..case import Job, Work, contender
from ..dense_cases import DENSE


def torch_module(threads: int) -> Any:
    import torch

    torch.set_num_threads(threads)
    return torch


def optimizer(torch: Any, rule: str, parameters: list[Any], **more: Any) -> Any:
    optim = torch.optim
    adam = {"lr": data.RATE, "betas": (data.BETA1, data.BETA2), "eps": data.EPSILON}
    return {
        "sgd": lambda: optim.SGD(parameters, data.RATE, **more),
        "momentum": lambda: optim.SGD(parameters, data.RATE, momentum=data.MOMENTUM, **more),
        "adagrad": lambda: optim.Adagrad(
            parameters, data.RATE, initial_accumulator_value=data.ACCUMULATOR, eps=0.0, **more
        ),
        "adam": lambda: optim.Adam(parameters, **adam, **more),
        "lazy_adam": lambda: optim.SparseAdam(parameters, **adam),
    }[rule]()


def dense(way: str) -> Callable[[Work], Job | None]:
    def make(work: Work) -> Job | None:
        # Its half types have slots of half the size and another result.
        if work.rule == "adagrad_decay" or data.STORED[work.dtype] < 4 or (way == "foreach" and work.n > 20_000_000):
            return None
        torch = torch_module(work.threads)
        parameters = []
        for _ in range(work.count):
            w = torch.nn.Parameter(torch.full((work.n,), data.START, dtype=getattr(torch, work.dtype)))
            w.grad = torch.from_numpy(data.gradient(work.n, work.dtype))
            parameters.append(w)
        step = optimizer(torch, work.rule, parameters, **{way: True}).step
        return Job(step, lambda: data.moved(parameters[-1].detach().numpy(), work.n))

    return make


contender("torch fused", *DENSE, runtime="torch")(dense("fused"))
contender("torch foreach", *DENSE, runtime="torch")(dense("foreach"))


@contender("torch", "sparse", runtime="torch")
def sparse(work: Work) -> Job | None:
    if work.rule == "rowwise_adagrad" or work.width != 64:
        return None
    from ..sparse import moved

    torch = torch_module(work.threads)
    w = torch.nn.Parameter(torch.full((work.rows, work.width), data.START))
    index = torch.from_numpy(data.ids(work.rows, work.batch, work.law))[None]
    values = torch.from_numpy(data.row_gradient(work.batch, work.width))
    opt = optimizer(torch, work.rule, [w])

    def step() -> None:
        w.grad = torch.sparse_coo_tensor(index, values, (work.rows, work.width), check_invariants=False)
        opt.step()

    return Job(step, lambda: moved(w.detach().numpy(), work))


@contender("torch index_add_", "sparse", runtime="torch")
def index_add(work: Work) -> Job | None:
    if work.rule != "sgd":
        return None
    from ..sparse import moved

    torch = torch_module(work.threads)
    w = torch.full((work.rows, work.width), data.START)
    index = torch.from_numpy(data.ids(work.rows, work.batch, work.law))
    values = torch.from_numpy(data.row_gradient(work.batch, work.width))
    return Job(lambda: w.index_add_(0, index, values, alpha=-data.RATE), lambda: moved(w.numpy(), work))


@contender("torch", "clip", runtime="torch")
def clip(work: Work) -> Job:
    """torch.nn.utils, foreach, in place; then fused Adam. Clipping what is clipped leaves it as it is."""
    torch = torch_module(work.threads)
    utils, parameters = torch.nn.utils, []
    for _ in range(work.count):
        w = torch.nn.Parameter(torch.full((work.n,), data.START))
        w.grad = torch.from_numpy(data.gradient(work.n))
        parameters.append(w)
    clips = {
        "value": lambda: utils.clip_grad_value_(parameters, data.LIMIT, foreach=True),
        "norm": lambda: [utils.clip_grad_norm_([w], data.NORM_LIMIT, foreach=True) for w in parameters],
        "global": lambda: utils.clip_grad_norm_(parameters, data.NORM_LIMIT, foreach=True),
    }[work.kind]
    update = optimizer(torch, "adam", parameters, fused=True).step

    def both() -> None:
        clips()
        update()

    def answer() -> Any:
        last = parameters[-1]
        if work.update:
            return data.moved(last.detach().numpy(), work.n)
        return last.grad.numpy()[data.places(work.n)]

    return Job(both if work.update else clips, answer)
