"""The class of contexts of eager mode: what a thread said of devices, scopes and modes, and what is in force."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from .. import config as settings
from ..config import LogicalDevice, PhysicalDevice, list_logical_devices, list_physical_devices
from ..functions.collected_graphs import collect_graphs, collected
from ..functions.concrete_functions import known_functions
from ..graph.devices import LOCAL_CPU, DeviceSpec
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.run_messages import RunMetadata
from ..ops.internal_names import get_name_scope
from ..ops.random_sequences import set_random_seed
from ..summaries.recording import state
from ..testing.test_modes import eager_mode
from .eager_executor import Executor

__all__ = ["ASYNC", "SYNC", "Context", "ContextSwitch"]

SYNC, ASYNC = 0, 1
_CPUS = (None, "CPU")


class ContextSwitch(NamedTuple):
    """How a graph or eager mode was entered."""

    is_building_function: bool
    enter_context_fn: Any
    device_stack: Any


class _Switches(NamedTuple):
    stack: list[ContextSwitch]


class _OfThread(threading.local):
    """What a thread said of a context: each begins with the same."""

    scope_name: str | None = None
    executor: Executor | None = None
    spec = DeviceSpec()


class Context:
    """What is in force: the mode, the scope's name, the devices. Everything is computed at once, on the CPU.

    Args:
        config, device_policy, server_def: accepted for TensorFlow's sake.
        execution_mode: `SYNC`, `ASYNC` or None, which is `SYNC`; ValueError for another.
    """

    def __init__(
        self, config: Any = None, device_policy: Any = None, execution_mode: int | None = None, server_def: Any = None
    ) -> None:
        del config, device_policy, server_def
        if execution_mode not in (None, SYNC, ASYNC):
            raise ValueError(f"execution_mode should be None/SYNC/ASYNC. Got {execution_mode}")
        self._thread = _OfThread()
        self._default = Executor(execution_mode == ASYNC)
        self._cpus: int | None = None
        self._handle = object()

    @property
    def executor(self) -> Executor:
        """What computes for this thread."""
        return self._thread.executor or self._default

    @executor.setter
    def executor(self, executor: Executor | None) -> None:
        self._thread.executor = executor

    @property
    def execution_mode(self) -> int:
        """`SYNC` or `ASYNC`, as this thread asked for it. ValueError for another."""
        return ASYNC if self.executor.is_async() else SYNC

    @execution_mode.setter
    def execution_mode(self, mode: int | None) -> None:
        if mode not in (None, SYNC, ASYNC):
            raise ValueError(f"Execution mode should be None/SYNC/ASYNC. Got {mode}")
        self._thread.executor = Executor(mode == ASYNC)

    def list_function_names(self) -> set[str]:
        """Return the names of the functions that were made for given arguments."""
        return set(known_functions)

    def _set_global_seed(self, seed: Any) -> None:
        set_random_seed(int(seed))

    def is_async(self) -> bool:
        """Tell whether this thread asked for `ASYNC`."""
        return self.execution_mode == ASYNC

    def executing_eagerly(self) -> bool:
        """Tell whether functions compute at once."""
        return executing_eagerly()

    def num_gpus(self) -> int:
        """Return 0: everything runs on the CPU."""
        return 0

    def ensure_initialized(self) -> None:
        """Let the settings of ``tf.config`` that are made before anything is computed stay as they are."""
        settings.initialized()

    def devices(self) -> list[str]:
        """Return the names of the devices."""
        return [LOCAL_CPU]

    def list_logical_devices(self, device_type: str | None = None) -> list[LogicalDevice]:
        """Return the devices as programs name them."""
        if self._cpus is None:
            return list_logical_devices(device_type)
        return [LogicalDevice(f"/device:CPU:{k}", "CPU") for k in range(self._cpus if device_type in _CPUS else 0)]

    def set_logical_cpu_devices(self, num_cpus: int) -> None:
        """Name parts of the CPU, all of which are the whole of it. RuntimeError for the second time."""
        if self._cpus is not None:
            raise RuntimeError("Virtual CPUs already set, cannot modify again.")
        self._cpus = num_cpus

    def get_memory_info(self, dev: str) -> dict[str, int]:
        """Raise ValueError: of the CPU it is not known how much memory it takes, and there is no other device."""
        kind, _, number = dev.rpartition(":")
        if not (kind and number.isdecimal()):
            raise ValueError(f'Failed parsing device name: {dev!r}. Note a valid device string is like "GPU:0"')
        if kind.rpartition(":")[2].upper() != "CPU":
            raise ValueError(f"No matching devices found for {dev!r}")
        raise ValueError(f"Allocator stats not available for device {dev!r}")

    intra_op_parallelism_threads = property(lambda self: settings.get_intra_op_parallelism_threads())
    inter_op_parallelism_threads = property(lambda self: settings.get_inter_op_parallelism_threads())
    log_device_placement = property(
        lambda self: settings.get_log_device_placement(),
        lambda self, enabled: settings.set_log_device_placement(enabled),
    )
    soft_device_placement = property(
        lambda self: settings.get_soft_device_placement(),
        lambda self, enabled: settings.set_soft_device_placement(enabled),
    )

    def enable_run_metadata(self) -> None:
        """Collect the graphs that functions are made of from now on; times are not measured."""
        collect_graphs(True)

    enable_graph_collection = enable_run_metadata

    def disable_run_metadata(self) -> None:
        """Collect no more graphs, and forget those that were."""
        collect_graphs(False)

    disable_graph_collection = disable_run_metadata

    def export_run_metadata(self) -> RunMetadata:
        """Return the graphs that were collected since the last time."""
        return collected()

    def get_optimizer_experimental_options(self) -> dict[str, Any]:
        """Return what ``tf.config.optimizer.set_experimental_options`` was given."""
        return settings.get_experimental_options()

    def list_physical_devices(self, device_type: str | None = None) -> list[PhysicalDevice]:
        """Return the devices of the machine."""
        return list_physical_devices(device_type)

    @property
    def context_switches(self) -> _Switches:
        """How the modes in force were entered: eager mode first, then the function whose graph is built."""
        graph = get_default_graph()
        inside = [] if executing_eagerly() else [ContextSwitch(graph.building_function, graph.as_default, None)]
        return _Switches([ContextSwitch(False, eager_mode, None), *inside])

    @property
    def scope_name(self) -> str:
        """The name scope, with ``/`` behind it, or what this thread set."""
        if self._thread.scope_name is not None:
            return self._thread.scope_name
        name = get_name_scope()
        return f"{name}/" if name else ""

    @scope_name.setter
    def scope_name(self, name: str | None) -> None:
        self._thread.scope_name = name

    @property
    def summary_writer(self) -> Any:
        """What summaries of this thread are written by."""
        return state.writer

    @summary_writer.setter
    def summary_writer(self, writer: Any) -> None:
        state.writer = writer

    @property
    def summary_recording(self) -> Any:
        """Whether they are recorded, None where nothing was said."""
        return state.recording

    @summary_recording.setter
    def summary_recording(self, condition: Any) -> None:
        state.recording = condition

    @property
    def summary_step(self) -> Any:
        """The step that they are of where they do not say it."""
        return state.step

    @summary_step.setter
    def summary_step(self, step: Any) -> None:
        state.step = step

    @property
    def device_name(self) -> str:
        """The name of the device that this thread asked for by `device`, empty where none is."""
        return self.device_spec.to_string()

    @property
    def device_spec(self) -> DeviceSpec:
        """The same, in parts."""
        return self._thread.spec

    @contextmanager
    def device(self, name: Any) -> Iterator[None]:
        """Ask for a device inside ``with``, for none with None; everything runs on the CPU.

        Args:
            name: ``"cpu:0"``, a `tf.DeviceSpec` or one of the logical devices. ValueError for no name of a device.
        """
        before = self._thread.spec
        spec = DeviceSpec()
        if name is not None:
            if isinstance(name, LogicalDevice):
                name = name.name
            for part in (LOCAL_CPU, before.to_string(), name if isinstance(name, str) else name.to_string()):
                spec.merge_from(DeviceSpec.from_string(part))
        self._thread.spec = spec
        try:
            yield
        finally:
            self._thread.spec = before
