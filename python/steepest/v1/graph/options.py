"""Options of sessions and runs that programs for TensorFlow set; most have no effect here."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from .run_messages import RunOptions

__all__ = [
    "CallableOptions",
    "ConfigProto",
    "GPUOptions",
    "GraphOptions",
    "OptimizerOptions",
    "RewriterConfig",
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
        self.device_count: dict[str, int] = {}
        self.graph_options, self.experimental = GraphOptions(), GPUOptions()
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
    """Settings for GPUs, or experimental ones, accepted and without effect."""

    def __init__(self, **settings: Any) -> None:
        self.__dict__.update(settings)


class GraphOptions:
    """Settings for what TensorFlow does to graphs, accepted and without effect."""

    def __init__(self, **settings: Any) -> None:
        self.optimizer_options, self.rewrite_options = OptimizerOptions(), RewriterConfig()
        self.__dict__.update(settings)


class OptimizerOptions:
    """Settings for TensorFlow's compiler, accepted and without effect."""

    L1, L0 = 0, -1
    DEFAULT, OFF, ON_1, ON_2 = 0, -1, 1, 2

    def __init__(self, **settings: Any) -> None:
        self.__dict__.update(settings)


class RewriterConfig:
    """Settings for what TensorFlow rewrites in graphs, accepted and without effect."""

    DEFAULT, ON, OFF, AGGRESSIVE = range(4)
    DEFAULT_MEM_OPT, NO_MEM_OPT, MANUAL, HEURISTICS, SWAPPING_HEURISTICS, RECOMPUTATION_HEURISTICS = 0, 1, 2, 3, 4, 5
    DEFAULT_NUM_ITERS, ONE, TWO = range(3)

    def __init__(self, **settings: Any) -> None:
        self.optimizers: list[str] = []
        self.__dict__.update(settings)


class VariableSynchronization(Enum):
    """When copies of a variable are brought together; there is one process, so it has no effect."""

    AUTO, NONE, ON_WRITE, ON_READ = range(4)


class VariableAggregation(Enum):
    """How copies of a variable are brought together; there is one process, so it has no effect."""

    NONE, SUM, MEAN, ONLY_FIRST_REPLICA = range(4)
    ONLY_FIRST_TOWER = 3  # its older name


def check_collections(collections: Any) -> None:
    """Raise ValueError for what is no list of the collections that a variable enters."""
    if collections is not None and not isinstance(collections, (list, tuple, set, frozenset)):
        raise ValueError(
            f"collections argument to Variable constructor must be a list, tuple, or set. Got {collections} of type "
            f"{type(collections)}"
        )


def trained_by_default(trainable: bool | None, synchronization: Any) -> bool:
    """Tell whether a variable is trained: as the program says, else unless it is synchronized ``ON_READ``."""
    return synchronization is not VariableSynchronization.ON_READ if trainable is None else bool(trainable)


class CallableOptions:
    """What a function made of a session takes and gives: names of tensors and operations.

    Source: ``tf.compat.v1.config_pb2.CallableOptions``.
    """

    def __init__(
        self, feed: Iterable[str] = (), fetch: Iterable[str] = (), target: Iterable[str] = (), run_options: Any = None
    ) -> None:
        self.feed, self.fetch, self.target = list(feed), list(fetch), list(target)
        self.run_options = RunOptions() if run_options is None else run_options


class UnconnectedGradients(Enum):
    """What a gradient is where there is no path: None or zeros. Source: ``tf.UnconnectedGradients``."""

    NONE = "none"
    ZERO = "zero"
