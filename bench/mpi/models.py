"""The models on steepest: one rank of `mpiexec -n P python -m bench.mpi.models OUT.json SECONDS`, or one process."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import steepest as st
from steepest import mpi

from .clock import measured
from .problems import ACCUMULATOR, PARTS, PROBLEMS, RATE, Batch, Problem, joined

_ROWS = 1 << 14  # what is looked up at once for the digest of a table


def optimizer(problem: Problem) -> Any:
    """Return the optimizer of a model."""
    return st.AdamOptimizer(1e-3) if problem.rule == "adam" else st.AdagradOptimizer(RATE, ACCUMULATOR)


class Model:
    """A model's parameters, and its loss on a batch.

    Args:
        problem: which one.
        sharded: whether the recommender's tables lie on several ranks.
    """

    def __init__(self, problem: Problem, sharded: bool) -> None:
        st.reset_default_store()
        self.sharded = sharded and problem.name == "recommender"
        initial = problem.initial()
        self.v: dict[str, Any] = {}
        for name, value in initial.items():
            if self.sharded and name in problem.tables:
                rows, width = value.shape
                self.v[name] = mpi.ShardedVariable(rows, width, value.__getitem__, name=name)
            else:
                self.v[name] = st.Variable(value, name=name)
        self.loss: Callable[[Batch], Any] = getattr(self, f"_{problem.name}")

    def _rows(self, name: str, ids: Any) -> Any:
        return self.v[name].lookup(ids) if self.sharded else st.nn.embedding_lookup(self.v[name], ids)

    def _words(self, batch: Batch) -> Any:
        words, others = batch
        logits = np.einsum("bkd,bd->bk", self._rows("outputs", others), self._rows("inputs", words))
        labels = np.zeros(others.shape, np.float32)
        labels[:, 0] = 1
        each = st.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        return np.sum(each) / np.float32(len(words))

    def _mlp(self, batch: Batch) -> Any:
        h, labels = batch
        for k in range(3):
            h = h @ self.v[f"w{k}"] + self.v[f"b{k}"]
            h = st.nn.relu(h) if k < 2 else h
        return np.mean(st.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=h))

    def _recommender(self, batch: Batch) -> Any:
        users, items, labels = batch
        both = np.concatenate([self._rows("users", users), self._rows("items", items)], axis=1)
        logits = (st.nn.relu(both @ self.v["w0"] + self.v["b0"]) @ self.v["w1"]).reshape(-1)
        return np.mean(st.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))

    def digest(self) -> str:
        """Return a hash of all parameters' bits."""
        found = hashlib.sha256()
        for value in self.v.values():
            if isinstance(value, mpi.ShardedVariable):
                for first in range(0, value.shape[0], _ROWS):
                    ids = np.arange(first, min(first + _ROWS, value.shape[0]))
                    found.update(np.asarray(value.lookup(ids)).tobytes())
            else:
                found.update(value.value.tobytes())
        return found.hexdigest()[:16]


def plain(problem: Problem, seconds: float) -> dict[str, Any]:
    """Measure one process that takes each batch as a whole."""
    model, opt = Model(problem, False), optimizer(problem)
    ready = [joined(parts) for parts in problem.batches()]

    def step(k: int) -> float:
        return float(opt.minimize(lambda: model.loss(ready[k % len(ready)])))

    return measured(step, lambda loss: loss, lambda number: [number], lambda: 0, seconds)


def distributed(problem: Problem, seconds: float, **options: Any) -> dict[str, Any]:
    """Measure ranks that share the micro-batches of a step."""
    model, mine = Model(problem, True), mpi.share(PARTS)
    opt = mpi.DistributedOptimizer(optimizer(problem), micro_batches=len(mine), **options)
    ready = [[parts[k] for k in mine] for parts in problem.batches()]
    several: list[float] = []

    def step(k: int) -> float:
        several[:] = [float(opt.minimize(lambda part=part: model.loss(part))) for part in ready[k % len(ready)]]
        return several[0]

    def mean_loss(_: float) -> float:
        return float(mpi.allreduce(list(several)))

    def every(number: float) -> list[float]:
        return [float(each) for each in mpi.allgather(number)]

    found = measured(step, mean_loss, every, lambda: opt._wire.sent, seconds)
    checked = Model(problem, True)  # the bits after a few steps: how many were timed differs
    again = mpi.DistributedOptimizer(optimizer(problem), micro_batches=len(mine), **options)
    for parts in ready[:3]:
        for part in parts:
            again.minimize(lambda part=part: checked.loss(part))
    return {**found, "digest": checked.digest()}


def main() -> None:
    """Measure; the first rank writes."""
    out, seconds = Path(sys.argv[1]), float(sys.argv[2])
    ranks = len(mpi.allgather(0))
    found: dict[str, Any] = {}
    for name, problem in PROBLEMS.items():
        if ranks == 1:
            found[name] = {"plain": plain(problem, seconds)}
            if st.config()["threads"] == 1:
                found[name]["distributed"] = distributed(problem, seconds)
        else:
            found[name] = {"distributed": distributed(problem, seconds)}
    if mpi.is_root():
        out.write_text(json.dumps({"ranks": ranks, "models": found}))


if __name__ == "__main__":
    main()
