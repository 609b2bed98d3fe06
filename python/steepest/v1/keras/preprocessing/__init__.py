"""``tf.keras.preprocessing``: lists of numbers and texts made arrays, outside of any graph."""

from __future__ import annotations

from ...graph.missing import namespace
from . import sequence, text

__all__ = ["sequence", "text"]

__getattr__, __dir__ = namespace(__name__)
