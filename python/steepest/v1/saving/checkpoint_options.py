"""``tf.train.CheckpointOptions``: how a checkpoint is written, and what is called then."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["CheckpointOptions", "call_when_written"]


class CheckpointOptions:
    """Options of `Checkpoint.save`, ``write``, ``restore`` and ``read``.

    Args:
        experimental_write_callbacks: functions that are called in their order when the checkpoint has been written:
            with its path, or without arguments.
        experimental_io_device, experimental_enable_async_checkpoint, enable_async, experimental_skip_slot_variables,
            experimental_sharding_callback: kept as they are given, without effect: a file is written on this machine,
            it is there when the call returns, and it is one file.

    Raises:
        AssertionError: for a function that takes more than one argument.

    Source: ``tf.train.CheckpointOptions``.
    """

    def __init__(
        self,
        experimental_io_device: str | None = None,
        experimental_enable_async_checkpoint: bool = False,
        experimental_write_callbacks: Sequence[Callable[..., Any]] | None = None,
        enable_async: bool = False,
        experimental_skip_slot_variables: bool = False,
        experimental_sharding_callback: Any = None,
    ) -> None:
        for callback in experimental_write_callbacks or ():
            if not callable(callback) or len(inspect.signature(callback).parameters) > 1:
                raise AssertionError(f"experimental_write_callbacks must take no argument or the path, got {callback}")
        self.experimental_io_device = experimental_io_device
        self.enable_async = experimental_enable_async_checkpoint or enable_async
        self.experimental_enable_async_checkpoint = self.enable_async
        given = experimental_write_callbacks
        self.experimental_write_callbacks = None if given is None else list(given)
        self.experimental_skip_slot_variables = experimental_skip_slot_variables
        self.experimental_sharding_callback = experimental_sharding_callback

    def __copy__(self) -> CheckpointOptions:
        """Return options that change without these."""
        made = CheckpointOptions.__new__(CheckpointOptions)
        made.__dict__.update({name: copy.copy(value) for name, value in self.__dict__.items()})
        return made


def call_when_written(options: CheckpointOptions | None, path: str) -> None:
    """Call the functions of options with the path of what has been written."""
    for callback in (options and options.experimental_write_callbacks) or ():
        callback(*(path,)[: len(inspect.signature(callback).parameters)])
