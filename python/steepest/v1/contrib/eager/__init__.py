"""``tf.contrib.eager``."""

from __future__ import annotations

from typing import Any

from ...graph.default_session import get_default_session
from ...graph.missing import namespace
from ...graph.mode import enable_eager_execution, executing_eagerly
from ...ops.script_ops import py_function
from ...training.custom_gradients import custom_gradient
from ...training.saver import Saver as _Saver
from ...training.tapes import (
    GradientTape,
    gradients_function,
    implicit_gradients,
    implicit_value_and_gradients,
    value_and_gradients_function,
)
from ...training.test_modes import run_all_in_graph_and_eager_modes as run_all_tests_in_graph_and_eager_modes
from ...training.test_modes import run_in_graph_and_eager_modes as run_test_in_graph_and_eager_modes
from ...training.traced_functions import defun, function
from ...training.variable_stores import EagerVariableStore
from ...training.variables import Variable
from . import metrics

__all__ = [
    "EagerVariableStore",
    "GradientTape",
    "Saver",
    "Variable",
    "custom_gradient",
    "defun",
    "enable_eager_execution",
    "executing_eagerly",
    "function",
    "gradients_function",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "in_eager_mode",
    "metrics",
    "num_gpus",
    "py_func",
    "run_all_tests_in_graph_and_eager_modes",
    "run_test_in_graph_and_eager_modes",
    "value_and_gradients_function",
]

in_eager_mode = executing_eagerly  # until TensorFlow 1.6
py_func = py_function  # here it is the one that takes eager tensors

# ``tensorflow.contrib.eager.python.tfe`` has the same names.
__getattr__, __dir__ = namespace(__name__, "tfe")


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


def num_gpus() -> int:
    """Return 0: everything runs on the CPU."""
    return 0
