"""``tf.keras``: the parts that programs use beside ``tf.layers``; models, layers and their training are left out."""

from typing import Any

from ..graph import missing
from ..graph.left_out import LeftOut
from ..graph.missing import namespace
from . import activations, constraints, initializers, regularizers

__all__ = ["activations", "constraints", "datasets", "initializers", "preprocessing", "regularizers", "utils"]

_getattr, __dir__ = namespace(__name__, late=("datasets", "preprocessing", "utils"))


def __getattr__(name: str) -> Any:
    # Programs that are run as they are may name classes, and make some of their own of them, that they do not use.
    if name[:1].isupper() and missing.stand_in(f"keras.{name}") is not None:
        return LeftOut(f"keras.{name}")
    return _getattr(name)
