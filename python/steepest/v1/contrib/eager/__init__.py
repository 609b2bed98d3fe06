"""``tf.contrib.eager``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...autodiff.custom_gradients import custom_gradient
from ...autodiff.tapes import (
    GradientTape,
    gradients_function,
    implicit_gradients,
    implicit_value_and_gradients,
    value_and_gradients_function,
)
from ...functions.traced_functions import defun, function
from ...graph.default_session import get_default_session
from ...graph.errors import NotFoundError
from ...graph.missing import namespace
from ...graph.mode import enable_eager_execution, executing_eagerly
from ...ops.script_ops import py_function
from ...ops.type_specs import TensorSpec
from ...python.eager_context import (
    ASYNC,
    DEVICE_PLACEMENT_EXPLICIT,
    DEVICE_PLACEMENT_SILENT,
    DEVICE_PLACEMENT_WARN,
    SYNC,
    async_clear_error,
    async_wait,
    context,
    execution_mode,
    set_execution_mode,
)
from ...saving.checkpoint import Checkpoint
from ...saving.checkpoint_state import load_checkpoint
from ...saving.data_structures import AutoTrackable as Checkpointable
from ...saving.saver import Saver as _Saver
from ...testing.test_modes import run_all_in_graph_and_eager_modes as run_all_tests_in_graph_and_eager_modes
from ...testing.test_modes import run_in_graph_and_eager_modes as run_test_in_graph_and_eager_modes
from ...variables.resource_variable import ResourceVariable as Variable
from ...variables.templates import make_template_internal as make_template
from ...variables.variable_creators import variable_creator_scope
from ...variables.variable_stores import EagerVariableStore
from . import metrics

__all__ = [
    "ASYNC",
    "DEVICE_PLACEMENT_EXPLICIT",
    "DEVICE_PLACEMENT_SILENT",
    "DEVICE_PLACEMENT_WARN",
    "SYNC",
    "Checkpoint",
    "Checkpointable",
    "EagerVariableStore",
    "GradientTape",
    "Saver",
    "TensorSpec",
    "Variable",
    "async_clear_error",
    "async_wait",
    "custom_gradient",
    "defun",
    "enable_eager_execution",
    "executing_eagerly",
    "execution_mode",
    "function",
    "get_optimizer_variables",
    "gradients_function",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "in_eager_mode",
    "list_devices",
    "make_template",
    "metrics",
    "num_gpus",
    "py_func",
    "restore_variables_on_create",
    "run_all_tests_in_graph_and_eager_modes",
    "run_test_in_graph_and_eager_modes",
    "set_execution_mode",
    "value_and_gradients_function",
]

in_eager_mode = executing_eagerly  # until TensorFlow 1.6
py_func = py_function  # here it is the one that takes eager tensors

# Modules below ``tensorflow.contrib.eager.python`` have the same names.
__getattr__, __dir__ = namespace(__name__, "saver tfe")


class Saver:
    """Saves and restores variables without a session.

    Args:
        var_list: the variables: a list of them, or a dict from names in the checkpoint.

    Source: ``tf.contrib.eager.Saver``.
    """

    def __init__(self, var_list: Any) -> None:
        self._saver = _Saver(var_list)

    def save(self, file_prefix: str, global_step: Any = None) -> str | None:
        """Write the values to a checkpoint; return its path."""
        session: Any = get_default_session()  # None in eager mode, where no saver asks for one
        return self._saver.save(session, file_prefix, global_step=global_step)

    def restore(self, file_prefix: str) -> None:
        """Give the variables the values of a checkpoint; errors are those of ``tf.train.Saver``."""
        session: Any = get_default_session()
        self._saver.restore(session, file_prefix)


def get_optimizer_variables(optimizer: Any) -> list[Any]:
    """Return the variables of an optimizer, to be saved beside those that it trains."""
    return list(optimizer.variables())


@contextmanager
def restore_variables_on_create(save_path: str, map_func: Callable[[str], str] | None = None) -> Iterator[None]:
    """Give variables that are made inside ``with`` the values of a checkpoint, whatever their initial values are.

    Args:
        save_path: the checkpoint.
        map_func: returns the name in the checkpoint for the name of a variable; without it they are the same.

    Raises:
        ValueError: in graph mode. NotFoundError: for a variable that the checkpoint does not have.

    Source: ``tf.contrib.eager.restore_variables_on_create``.
    """
    if not executing_eagerly():
        raise ValueError("Currently, restore_variables_on_create can only be used with eager execution enabled.")
    reader = load_checkpoint(save_path)

    def creator(make: Callable[..., Any], **arguments: Any) -> Any:
        variable = make(**arguments)
        own = arguments.get("name") or variable.name.removesuffix(":0")
        name = own if map_func is None else map_func(own)
        if not reader.has_tensor(name):
            raise NotFoundError(None, None, f"{name} not found in checkpoint {save_path}")
        variable.assign(reader.get_tensor(name))
        return variable

    with variable_creator_scope(creator):
        yield


def list_devices() -> list[str]:
    """Return the names of the devices: the CPU."""
    return context().devices()


def num_gpus() -> int:
    """Return 0: everything runs on the CPU."""
    return 0
