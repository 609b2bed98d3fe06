"""``tf.test.Benchmark``: the base class of classes that time operations."""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from ..graph.options import ConfigProto

__all__ = ["Benchmark", "benchmark_config"]


def benchmark_config() -> ConfigProto:
    """Return settings of a session."""
    return ConfigProto()


class Benchmark:
    """Functions that time operations of a session and print what they took."""

    def report_benchmark(
        self,
        iters: int | None = None,
        cpu_time: float | None = None,
        wall_time: float | None = None,
        throughput: float | None = None,
        extras: dict[str, Any] | None = None,
        name: str | None = None,
        metrics: Any = None,
    ) -> None:
        """Print a measurement."""
        parts = {
            "iters": iters,
            "cpu_time": cpu_time,
            "wall_time": wall_time,
            "throughput": throughput,
            "extras": extras,
        }
        said = ", ".join(f"{key}: {value}" for key, value in parts.items() if value is not None)
        print(f"entry {{ name: {name or type(self).__name__!r}, {said} }}", file=sys.stderr)

    def run_op_benchmark(
        self,
        sess: Any,
        op_or_tensor: Any,
        feed_dict: Any = None,
        burn_iters: int = 2,
        min_iters: int = 10,
        store_trace: bool = False,
        store_memory_usage: bool = True,
        name: str | None = None,
        extras: dict[str, Any] | None = None,
        mbs: float = 0,
    ) -> dict[str, Any]:
        """Run an operation often, print the median of the seconds it took, and return it as ``wall_time``."""
        for _ in range(burn_iters):
            sess.run(op_or_tensor, feed_dict)
        times = []
        for _ in range(min_iters):
            begin = time.perf_counter()
            sess.run(op_or_tensor, feed_dict)
            times.append(time.perf_counter() - begin)
        median = float(np.median(times))
        found: dict[str, Any] = {"iters": min_iters, "wall_time": median, "extras": extras or {}, "name": name}
        found["throughput"] = mbs / median
        self.report_benchmark(min_iters, None, median, found["throughput"], extras, name)
        return found

    def evaluate(self, tensors: Any) -> Any:
        """Return the values of tensors of eager mode."""
        return [each.numpy() for each in tensors] if isinstance(tensors, (list, tuple)) else tensors.numpy()
