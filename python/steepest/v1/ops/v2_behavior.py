"""TensorFlow 2's ways switched on and off together: eager execution, shapes, equality, variables as resources."""

from __future__ import annotations

from ..graph.mode import (
    disable_eager_execution,
    disable_resource_variables,
    disable_tensor_equality,
    enable_eager_execution,
    enable_resource_variables,
    enable_tensor_equality,
)
from ..graph.shapes import disable_v2_tensorshape, enable_v2_tensorshape

__all__ = ["disable_v2_behavior", "enable_v2_behavior"]

_asked_for = False


def v2_behavior_enabled() -> bool:
    """Return whether the ways of TensorFlow 2 are switched on. Source: ``tensorflow.python.tf2.enabled``."""
    return _asked_for


def enable_v2_behavior() -> None:
    """Compute at once, let sizes be numbers, ``==`` compare elements and variables be resources.

    Raises ValueError where there are nodes already. Source: ``tf.enable_v2_behavior``.
    """
    global _asked_for
    enable_eager_execution()
    _asked_for = True
    enable_v2_tensorshape()
    enable_resource_variables()
    enable_tensor_equality()


def disable_v2_behavior() -> None:
    """Take `enable_v2_behavior` back. Source: ``tf.disable_v2_behavior``."""
    global _asked_for
    disable_eager_execution()
    _asked_for = False
    disable_v2_tensorshape()
    disable_resource_variables()
    disable_tensor_equality()
