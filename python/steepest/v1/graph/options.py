"""Options of sessions and runs that programs for TensorFlow set; most have no effect here."""

from __future__ import annotations

from enum import Enum
from typing import Any

__all__ = [
    "ConfigProto",
    "GPUOptions",
    "GraphOptions",
    "OptimizerOptions",
    "RunMetadata",
    "RunOptions",
    "UnconnectedGradients",
    "VariableAggregation",
    "VariableSynchronization",
]


class ConfigProto:
    """Settings for devices and threads, accepted and without effect: `steepest.set_num_threads` sets threads.

    ``operation_timeout_in_ms`` says how long a run may wait at queues.
    """

    def __init__(self, **settings: Any) -> None:
        self.gpu_options = GPUOptions()
        self.graph_options = GraphOptions()
        self.session_inter_op_thread_pool = Settings()
        self.__dict__.update(settings)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return None


class Settings(list[Any]):
    """A list of groups of settings: ``add()`` appends a group and returns it."""

    def add(self, **settings: Any) -> GPUOptions:
        """Append a group of settings, and return it."""
        self.append(GPUOptions(**settings))
        group: GPUOptions = self[-1]
        return group


class GPUOptions:
    """Settings for GPUs, accepted and without effect."""

    def __init__(self, **settings: Any) -> None:
        self.__dict__.update(settings)


class GraphOptions:
    """Settings for what TensorFlow does to graphs, accepted and without effect."""

    def __init__(self, **settings: Any) -> None:
        self.optimizer_options, self.rewrite_options = OptimizerOptions(), GPUOptions()
        self.__dict__.update(settings)


class OptimizerOptions:
    """Settings for TensorFlow's compiler, accepted and without effect."""

    L1, L0 = 0, -1
    DEFAULT, OFF, ON_1, ON_2 = 0, -1, 1, 2

    def __init__(self, **settings: Any) -> None:
        self.__dict__.update(settings)


class VariableSynchronization(Enum):
    """When copies of a variable are brought together; there is one process, so it has no effect."""

    AUTO, NONE, ON_WRITE, ON_READ = range(4)


class VariableAggregation(Enum):
    """How copies of a variable are brought together; there is one process, so it has no effect."""

    NONE, SUM, MEAN, ONLY_FIRST_REPLICA = range(4)


def trained_by_default(trainable: bool | None, synchronization: Any) -> bool:
    """Tell whether a variable is trained: as the program says, else unless it is synchronized ``ON_READ``."""
    return synchronization is not VariableSynchronization.ON_READ if trainable is None else bool(trainable)


class RunOptions:
    """Options of a run: ``timeout_in_ms`` says how long it may wait at queues; the others have no effect."""

    NO_TRACE, SOFTWARE_TRACE, HARDWARE_TRACE, FULL_TRACE = range(4)

    def __init__(self, **settings: Any) -> None:
        self.timeout_in_ms = 0
        self.__dict__.update(settings)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RunOptions) and vars(self) == vars(other)


class StepStats:
    """What devices did in a run: nothing is recorded."""

    def __init__(self) -> None:
        self.dev_stats: list[Any] = []


class RunMetadata:
    """What a run would tell of itself; nothing is recorded: ``step_stats`` has no devices."""

    def __init__(self) -> None:
        self.step_stats = StepStats()
        self.partition_graphs: list[Any] = []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RunMetadata)  # nothing is recorded in any


class UnconnectedGradients(Enum):
    """What a gradient is where there is no path: None or zeros. Source: ``tf.UnconnectedGradients``."""

    NONE = "none"
    ZERO = "zero"
