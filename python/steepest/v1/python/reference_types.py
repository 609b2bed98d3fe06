"""The element types of variables under their names in ``tensorflow.python.framework.dtypes``: ``float32_ref``..."""

from __future__ import annotations

from ..graph.dtypes import TYPES

__all__ = [f"{name}_ref" for name in TYPES]
globals().update({f"{name}_ref": dtype.reference() for name, dtype in TYPES.items()})
