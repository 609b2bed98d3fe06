"""The borders of boxes drawn on images."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.build import call
from ..graph.run_values import array_of
from .sparse_ops import convert_to_tensor

__all__ = ["draw_bounding_boxes"]

# The colours of the borders in turn, with opacity: yellow, blue, red, lime, purple, olive, maroon, navy, aqua, fuchsia.
_COLORS = (
    (1, 1, 0, 1), (0, 0, 1, 1), (1, 0, 0, 1), (0, 1, 0, 1), (0.5, 0, 0.5, 1),
    (0.5, 0.5, 0, 1), (0.5, 0, 0, 1), (0, 0, 0.5, 1), (0, 1, 1, 1), (1, 0, 1, 1),
)  # fmt: skip


def draw_bounding_boxes(images: Any, boxes: Any, name: str | None = None, colors: Any = None) -> Any:
    """Return the images with the borders of boxes drawn.

    Args:
        images: [batch, height, width, depth], 1, 3 or 4 channels; those of one are drawn on in white.
        boxes: [batch, n, 4]: y1, x1, y2, x2, where 0 and 1 are the image's first and last row or column.
        colors: [m, depth], taken in turn; by default ten colours.

    Source: ``tf.image.draw_bounding_boxes``.
    """

    def drawn(x: Any, given: Any, *palette: Any) -> Any:
        picture, corners = np.array(unwrap(x)), array_of(given)
        batch, height, width, depth = picture.shape
        if corners.ndim != 3 or corners.shape[0] != batch or corners.shape[2] != 4:
            raise ValueError(f"boxes must have shape [{batch}, n, 4], got {corners.shape}")
        table = array_of(palette[0]) if palette and array_of(palette[0]).size else np.array(_COLORS, np.float32)
        if depth == 1 and not palette:
            table = np.ones((1, 1), np.float32)
        limits = np.array([height - 1, width - 1] * 2, np.float32)
        for image, rectangles in zip(picture, corners, strict=True):
            for k, (top, left, bottom, right) in enumerate((rectangles * limits).astype(np.int64).tolist()):
                if top > bottom or left > right or top >= height or bottom < 0 or left >= width or right < 0:
                    continue
                color = table[k % len(table)][:depth]
                rows, columns = slice(max(top, 0), bottom + 1), slice(max(left, 0), right + 1)
                for row in {top, bottom} & set(range(height)):
                    image[row, columns] = color
                for column in {left, right} & set(range(width)):
                    image[rows, column] = color
        return picture

    palettes = [] if colors is None else [convert_to_tensor(colors, "float32")]
    inputs = (convert_to_tensor(images), convert_to_tensor(boxes, "float32"), *palettes)
    op_type = "DrawBoundingBoxes" if colors is None else "DrawBoundingBoxesV2"
    options: Any = {"shape": lambda shape, *_: shape, "same": False, "differentiable": False}
    return call(op_type, drawn, inputs, name=name, **options)
