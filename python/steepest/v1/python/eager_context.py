"""``context.context()`` of TensorFlow's eager mode: what programs ask of the one device and the one mode."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..graph.mode import executing_eagerly
from ..ops.internal_names import get_name_scope
from ..ops.random_ops import set_random_seed
from ..summaries.recording import state
from ..variables.resource_ops import ANONYMOUS

__all__ = [
    "ASYNC",
    "DEVICE_PLACEMENT_EXPLICIT",
    "DEVICE_PLACEMENT_SILENT",
    "DEVICE_PLACEMENT_SILENT_FOR_INT32",
    "DEVICE_PLACEMENT_WARN",
    "SYNC",
    "Context",
    "anonymous_name",
    "async_clear_error",
    "async_wait",
    "context",
    "device_policy",
    "ensure_initialized",
    "execution_mode",
    "num_gpus",
    "set_execution_mode",
    "set_global_seed",
]

SYNC, ASYNC = 0, 1
DEVICE_PLACEMENT_EXPLICIT, DEVICE_PLACEMENT_WARN, DEVICE_PLACEMENT_SILENT, DEVICE_PLACEMENT_SILENT_FOR_INT32 = range(4)


class Context:
    """What is in force: the mode, the scope's name, the devices."""

    execution_mode = SYNC

    def executing_eagerly(self) -> bool:
        """Tell whether functions compute at once."""
        return executing_eagerly()

    def num_gpus(self) -> int:
        """Return 0: everything runs on the CPU."""
        return 0

    def ensure_initialized(self) -> None:
        """Do nothing: there is nothing to prepare."""

    def devices(self) -> list[str]:
        """Return the names of the devices."""
        return ["/job:localhost/replica:0/task:0/device:CPU:0"]

    @property
    def scope_name(self) -> str:
        """The name scope, with ``/`` behind it."""
        name = get_name_scope()
        return f"{name}/" if name else ""

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
        """The name of the device, empty where none is asked for."""
        return ""


_CONTEXT = Context()


def context() -> Context:
    """Return what is in force."""
    return _CONTEXT


def anonymous_name() -> str:
    """Return the ``shared_name`` of a resource that is shared with no other."""
    return ANONYMOUS


def num_gpus() -> int:
    """Return 0: everything runs on the CPU."""
    return 0


def ensure_initialized() -> None:
    """Do nothing: there is nothing to prepare, nothing to wait for."""


async_clear_error = async_wait = ensure_initialized


def set_execution_mode(mode: int | None) -> None:
    """Check the mode, `SYNC`, `ASYNC` or None: each computes at once. Raises ValueError for another."""
    if mode not in (None, SYNC, ASYNC):
        raise ValueError(f"Execution mode should be None/SYNC/ASYNC. Got {mode}")


@contextmanager
def device_policy(policy: int | None) -> Iterator[None]:
    """Do nothing inside ``with``: there is one device."""
    del policy
    yield


@contextmanager
def execution_mode(mode: int | None) -> Iterator[None]:
    """Check the mode as `set_execution_mode` does, and compute at once inside ``with``."""
    set_execution_mode(mode)
    yield


def set_global_seed(seed: int) -> None:
    """Set the seed of random values."""
    set_random_seed(seed)
