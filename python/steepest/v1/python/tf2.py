"""TensorFlow's ``tensorflow.python.tf2``: whether the behaviour of TensorFlow 2 is asked for."""

from __future__ import annotations

from ..ops.v2_behavior import v2_behavior_enabled as enabled

__all__ = ["enabled"]
