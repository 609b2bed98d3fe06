"""``tf.saved_model.main_op``: what a loaded model runs first."""

from __future__ import annotations

from typing import Any

from ..graph.missing import namespace
from ..ops.control_flow_ops import group
from ..variables.variables_initializer import global_variables_initializer, local_variables_initializer

__all__ = ["main_op"]

__getattr__, __dir__ = namespace(__name__)


def main_op() -> Any:
    """Return what initialises all variables. Source: ``tf.saved_model.main_op.main_op``."""
    return group(global_variables_initializer(), local_variables_initializer())
