"""``tf.saved_model.main_op``: what a loaded model runs first."""

from __future__ import annotations

from typing import Any

from ..graph.missing import namespace
from ..graph.scopes import control_dependencies
from ..ops.control_flow_ops import group
from ..variables.variables_initializer import (
    global_variables_initializer,
    local_variables_initializer,
    tables_initializer,
)

__all__ = ["main_op", "main_op_with_restore"]

__getattr__, __dir__ = namespace(__name__)


def main_op_with_restore(restore_op_name: str) -> Any:
    """Return what runs an operation that restores variables, once variables and tables are initialised.

    Source: ``tf.saved_model.main_op_with_restore``.
    """
    first = main_op()
    with control_dependencies([first]):
        return group(restore_op_name)


def main_op() -> Any:
    """Return what initialises all variables and tables. Source: ``tf.saved_model.main_op.main_op``."""
    return group(global_variables_initializer(), local_variables_initializer(), tables_initializer())
