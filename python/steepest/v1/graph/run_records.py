"""What a run tells of itself in its `RunMetadata`, as far as the options of the run ask for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .devices import LOCAL_CPU
from .run_messages import NodeExecStats, RunMetadata, RunOptions

__all__ = ["recorded"]


@contextmanager
def recorded(graph: Any, options: RunOptions | None, metadata: RunMetadata | None) -> Iterator[None]:
    """Tell in ``metadata`` how long the block took and which graph it ran, where the options ask for that."""
    begin, clock = time.time(), time.perf_counter()
    yield
    if metadata is None:
        return
    metadata.Clear()
    if options is not None and options.trace_level:
        took = int((time.perf_counter() - clock) * 1e6)
        name, start = "Session.run", int(begin * 1e6)
        whole = NodeExecStats(node_name=name, all_start_micros=start, all_end_rel_micros=took, timeline_label=name)
        metadata.step_stats.dev_stats.add(device=LOCAL_CPU, node_stats=[whole])
    if options is not None and options.output_partition_graphs:
        metadata.partition_graphs.append(graph.as_graph_def())  # there is one device, and so one part
