"""The process that one runtime's contenders run in: builds jobs and times them as the driver asks, line by line."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import sys
import time
from typing import Any

import numpy as np

from .case import CASES, CONTENDERS, Contender, Job, Work
from .discover import discover
from .runtimes import missing, versions


def seconds_of(job: Job, steps: int) -> float:
    """Return the time of a step, the mean of so many."""
    step = job.step
    start = time.perf_counter()
    for _ in range(steps):
        step()
    return (time.perf_counter() - start) / (steps * job.steps)


def estimate(job: Job) -> float:
    took = seconds_of(job, 1)
    return took if took > 2e-3 else seconds_of(job, max(2, int(1e-3 / max(took, 1e-7))))


class Worker:
    def __init__(self, runtime: str) -> None:
        self.runtime = runtime
        self.jobs: dict[str, Job] = {}

    def hello(self) -> dict[str, Any]:
        lacking = missing(self.runtime)
        return {"missing": lacking} if lacking else {"versions": versions(self.runtime)}

    def find(self, name: str, case: str) -> Contender:
        return next(c for c in CONTENDERS if (c.name, c.case, c.runtime) == (name, case, self.runtime))

    def build(self, name: str, work: dict[str, Any], answer: str) -> dict[str, Any]:
        made = Work(**{**work, "across": tuple(work["across"])})
        job = self.find(name, made.case).make(made)
        if job is None:
            return {"declined": True}
        for _ in range(CASES[made.case].checked):
            job.step()
        if job.answer is not None:
            np.save(answer, np.asarray(job.answer(), np.float64).ravel())
        self.jobs[name] = job
        return {"seconds": estimate(job), "answered": job.answer is not None, "extras": job.extras}

    def sample(self, name: str, steps: int, warm: int) -> dict[str, Any]:
        job = self.jobs[name]
        gc.disable()
        try:
            if warm:
                seconds_of(job, warm)
            return {"seconds": seconds_of(job, steps)}
        finally:
            gc.enable()

    def drop(self, name: str | None = None) -> dict[str, Any]:
        for gone in [name] if name else list(self.jobs):
            self.jobs.pop(gone, None)
        gc.collect()
        return {}


def main() -> None:
    # Libraries print; the answers go to a stream of their own.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    discover()
    worker = Worker(sys.argv[1])
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            reply = getattr(worker, asked.pop("do"))(**asked)
        except Exception as error:  # reported in the table, and the next contender goes on
            with contextlib.suppress(KeyError):
                worker.drop(asked.get("name"))
            reply = {"error": f"{type(error).__name__}: {error}"[:200]}
        answers.write(json.dumps(reply) + "\n")


if __name__ == "__main__":
    main()
