"""TensorFlow's ``python.client``: the devices of this machine, and traces of runs."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from ..graph.devices import canonical_name

__all__ = ["Timeline", "_DeviceAttributes", "list_local_devices"]


class LocalDevice(NamedTuple):
    """A device. Source: ``DeviceAttributes``."""

    name: str
    device_type: str
    memory_limit: int = 0
    physical_device_desc: str = ""


class _DeviceAttributes:
    """A device of a session, its name in its full form. Source: ``session._DeviceAttributes``."""

    def __init__(self, name: str, device_type: str, memory_limit_bytes: int, incarnation: int) -> None:
        self.name, self.device_type = canonical_name(name), device_type
        self.memory_limit_bytes, self.incarnation = memory_limit_bytes, incarnation

    def __repr__(self) -> str:
        parts = self.name, self.device_type, str(self.memory_limit_bytes), str(self.incarnation)
        return f"_DeviceAttributes({', '.join(parts)})"


def list_local_devices(session_config: Any = None) -> list[LocalDevice]:
    """Return the processor, the one device there is. Source: ``device_lib.list_local_devices``."""
    return [LocalDevice("/device:CPU:0", "CPU")]


class Timeline:
    """What a run told of itself as Chrome's trace: one event, which is the whole run.

    Source: ``timeline.Timeline``.
    """

    def __init__(self, step_stats: Any, graph: Any = None) -> None:
        self._step_stats = step_stats

    def generate_chrome_trace_format(
        self, show_dataflow: bool = True, show_memory: bool = False, op_time: str = "schedule"
    ) -> str:
        """Return the trace as JSON."""
        events: list[dict[str, Any]] = []
        for number, device in enumerate(self._step_stats.dev_stats):
            events.append({"name": "process_name", "ph": "M", "pid": number, "args": {"name": device.device}})
            for node in device.node_stats:
                times = {"ts": node.all_start_micros, "dur": node.all_end_rel_micros}
                events.append({"name": node.node_name, "ph": "X", "cat": "Op", "pid": number, "tid": 0, **times})
        return json.dumps({"traceEvents": events}, indent=4)
