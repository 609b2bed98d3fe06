"""What a run tells of itself in its `RunMetadata`, as far as the options of the run ask for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .devices import LOCAL_CPU
from .options import DeviceStepStats, NodeExecStats, RunMetadata, RunOptions, StepStats

__all__ = ["recorded"]


@contextmanager
def recorded(graph: Any, options: RunOptions | None, metadata: RunMetadata | None) -> Iterator[None]:
    """Tell in ``metadata`` how long the block took and which graph it ran, where the options ask for that."""
    begin, clock = time.time(), time.perf_counter()
    yield
    if metadata is None:
        return
    metadata.step_stats, metadata.partition_graphs = StepStats(), []
    if options is not None and options.trace_level:
        took = int((time.perf_counter() - clock) * 1e6)
        whole = NodeExecStats("Session.run", int(begin * 1e6), took)
        metadata.step_stats.dev_stats.append(DeviceStepStats(LOCAL_CPU, [whole]))
    if options is not None and options.output_partition_graphs:
        metadata.partition_graphs.append(graph.as_graph_def())  # there is one device, and so one part
