"""How a rank measures a model: its first losses, then seconds and bytes of a step."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

__all__ = ["CHECKED", "measured"]

CHECKED = 8  # steps whose losses are compared; they warm up, too


def measured(
    step: Callable[[int], float],
    mean_loss: Callable[[float], float],
    every: Callable[[float], list[float]],
    sent: Callable[[], int],
    seconds: float,
) -> dict[str, Any]:
    """Return the losses of the first steps, the median seconds of a step, and the bytes that a rank sends in it.

    Args:
        step: takes step k of the program, returns this rank's loss.
        mean_loss: returns the mean of all ranks' losses; without ranks the loss itself.
        every: returns the numbers of all ranks.
        sent: counts the bytes that this rank has sent.
        seconds: how long to measure.
    """
    losses = [mean_loss(step(k)) for k in range(CHECKED)]
    begin = time.perf_counter()
    step(CHECKED)
    count = max(5, int(seconds / max(every(time.perf_counter() - begin))))
    before = sent()
    found = []
    for k in range(CHECKED + 1, CHECKED + 1 + count):
        begin = time.perf_counter()
        step(k)
        found.append(time.perf_counter() - begin)
    moved = (sent() - before) / count
    bytes_of_ranks = every(moved)
    return {
        "seconds": max(every(statistics.median(found))),
        "sent": statistics.mean(bytes_of_ranks),
        "sent_most": max(bytes_of_ranks),
        "steps": count,
        "losses": losses,
    }
