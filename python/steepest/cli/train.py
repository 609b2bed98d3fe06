"""Train word vectors: the settings, the optimizers to choose from, and the loop."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

import steepest as st

from ..base.errors import must
from .cbow import Batch, Cbow
from .errors import CommandError
from .progress import SavedProgress
from .ranks import Ranks
from .settings import Settings
from .text import Corpus

__all__ = ["OPTIMIZERS", "Run", "Settings", "train"]


@dataclass(frozen=True)
class Choice:
    """An optimizer's default learning rate for this model, and how to make it from rate, step and steps in an epoch."""

    rate: float
    make: Callable[[Any, st.Variable, int], st.Optimizer]


OPTIMIZERS = {
    "sgd": Choice(0.05, lambda rate, step, epoch: st.GradientDescentOptimizer(rate)),
    "momentum": Choice(0.005, lambda rate, step, epoch: st.MomentumOptimizer(rate, 0.9)),
    "adagrad": Choice(0.1, lambda rate, step, epoch: st.AdagradOptimizer(rate)),
    "adagrad_decay": Choice(
        0.1,
        lambda rate, step, epoch: st.AdagradDecayOptimizer(
            rate, step, accumulator_decay_step=5 * epoch, accumulator_decay_rate=0.9
        ),
    ),
    "adam": Choice(0.005, lambda rate, step, epoch: st.AdamOptimizer(rate)),
    "lazy_adam": Choice(0.005, lambda rate, step, epoch: st.LazyAdamOptimizer(rate)),
    "rowwise_adagrad": Choice(0.1, lambda rate, step, epoch: st.RowWiseAdagradOptimizer(rate)),
    "rmsprop": Choice(0.005, lambda rate, step, epoch: st.RMSPropOptimizer(rate)),
    "lion": Choice(0.006, lambda rate, step, epoch: st.LionOptimizer(rate)),
}


@dataclass
class Run:
    """What a training run has come to; ``losses`` and ``times`` have one item per epoch (mean loss, seconds)."""

    model: Cbow
    expected: int  # examples in all epochs, near enough for a progress bar
    epoch: int = 0
    examples: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    losses: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


def train(
    corpus: Corpus,
    settings: Settings,
    watch: Callable[[Run, float, int], None],
    saved: SavedProgress | None = None,
    ranks: Ranks | None = None,
) -> Run:
    """Train on ``corpus`` and return the finished or, after Ctrl-C, the interrupted run.

    ``watch(run, loss, examples)`` is called after each batch with the batch's mean loss and size.
    The settings' seed decides everything, so that equal calls give equal vectors. ``saved`` is written
    after each epoch, and where it has something already the run goes on from there. ``ranks`` train together, each on
    its part of every batch. Raises CommandError when the loss is no longer finite.
    """
    rng = np.random.default_rng(settings.seed)
    model = Cbow(corpus, settings.size, settings.window, settings.negatives, rng)
    kept = corpus.subsampled(settings.subsample, np.random.default_rng(settings.seed)).ids.size
    steps = max(1, math.ceil(kept / settings.batch))

    choice = OPTIMIZERS[settings.optimizer]
    peak = choice.rate if settings.learning_rate is None else settings.learning_rate
    step = st.Variable(np.int64(0), trainable=False, name="step")
    rate = st.polynomial_decay(peak, step, settings.epochs * steps, end_learning_rate=peak / 100)
    optimizer = choice.make(rate, step, steps)
    take_step = _step_of(model, optimizer, step, ranks)

    run = Run(model, expected=settings.epochs * kept)
    state = {"inputs": model.inputs, "outputs": model.outputs, "optimizer": optimizer, "step": step, "rng": rng}
    state |= {"losses": run.losses, "times": run.times}
    done = 0 if saved is None else saved.restore(settings, corpus, state)
    run.examples, run.seconds = done * kept, run.times[-1] if run.times else 0.0
    start = time.perf_counter() - run.seconds
    with _interrupts() as stop_wanted, np.errstate(all="ignore"):  # a loss that overflows is reported below
        for run.epoch in range(done + 1, settings.epochs + 1):
            total, examples = 0.0, 0
            for batch in model.batches(corpus.subsampled(settings.subsample, rng), settings.batch):
                loss, stop = take_step(batch, stop_wanted())
                count = len(batch.context)
                total, examples = total + loss, examples + count
                run.examples += count
                run.seconds = time.perf_counter() - start
                watch(run, loss / count, count)
                if stop:
                    run.interrupted = True
                    return run
                if not math.isfinite(total):
                    got = f"{loss} in epoch {run.epoch}"
                    raise CommandError(must("words", "loss", "stay finite", got, "lower --learning-rate"))
            run.losses.append(total / max(1, examples))
            run.times.append(run.seconds)
            if saved is not None and ranks is not None:
                ranks.as_root(partial(saved.save, run.epoch, settings, corpus, state))
            elif saved is not None:
                saved.save(run.epoch, settings, corpus, state)
    return run


def _step_of(
    model: Cbow, optimizer: st.Optimizer, step: st.Variable, ranks: Ranks | None
) -> Callable[[Batch, bool], tuple[float, bool]]:
    """Return what takes a step on a batch: given whether this rank wants to stop, it returns the loss and if all do."""
    loss_and_gradients = st.implicit_value_and_gradients(model.loss)
    if ranks is None:

        def alone(batch: Batch, stops: bool) -> tuple[float, bool]:
            loss, gradients = loss_and_gradients(batch)
            optimizer.apply_gradients(gradients, global_step=step)
            return float(loss), stops

        return alone
    together = ranks.optimizer(optimizer)

    def in_parts(batch: Batch, stops: bool) -> tuple[float, bool]:
        losses = []
        for part in ranks.parts(batch):
            loss, gradients = loss_and_gradients(part)
            together.apply_gradients(gradients, global_step=step)
            losses.append(float(loss))
        return ranks.sums(losses, stops)

    return in_parts


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Turn the first Ctrl-C into a question the loop can ask between batches; the second acts as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False  # Python delivers signals to the main thread only
        return
    wanted = False
    before = signal.getsignal(signal.SIGINT)

    def handler(number: int, frame: Any) -> None:
        nonlocal wanted
        wanted = True
        signal.signal(signal.SIGINT, before)

    if before is not None:  # None: set by C code, which Python could not put back
        signal.signal(signal.SIGINT, handler)
    try:
        yield lambda: wanted
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)
