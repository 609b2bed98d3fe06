"""Images seen through projective transforms: ``[a0, a1, a2, b0, b1, b2, c0, c1]``, from output to input points.

An output point (x, y) is taken from ``((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k)``, ``k = c0 x + c1 y + 1``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....base.errors import must
from ....ops.dispatch import apply
from ....ops.registry import Primitive
from ...graph.arguments import as_sizes, call_with
from ...graph.node import Tensor
from ...graph.run_values import array_of
from ...graph.scopes import name_scope
from ...ops.array_ops import reshape, shape, stop_gradient
from ...ops.cast_ops import cast
from ...ops.concat_ops import concat
from ...ops.creation_ops import ones, zeros
from ...ops.math_ops import cos, sin
from ...ops.matmul_ops import matmul
from ...ops.sparse_ops import convert_to_tensor

__all__ = [
    "angles_to_projective_transforms",
    "compose_transforms",
    "flat_transforms_to_matrices",
    "matrices_to_flat_transforms",
    "rotate",
    "transform",
    "translate",
    "translations_to_projective_transforms",
]

_TYPES = ("uint8", "int32", "int64", "float16", "float32", "float64")


def transform(
    images: Any, transforms: Any, interpolation: str = "NEAREST", output_shape: Any = None, name: str | None = None
) -> Any:
    """Return images whose points are taken from where transforms say; what is outside of an image is 0.

    Args:
        images: [n, height, width, channels], [height, width, channels] or [height, width].
        transforms: [8], or one for each image, [n, 8]; they have no gradient. The gradient of the images is, as in
            TensorFlow, what the inverse transforms make of that of the result.
        interpolation: NEAREST or BILINEAR, in the precision of float32.
        output_shape: the height and width of the result, by default those of the images.

    Raises:
        TypeError: for images of another type or number of axes, transforms of another number of axes.
        ValueError: for another interpolation.
        InvalidArgumentError: in a run, for another number of transforms than one, or one for each image.

    Source: ``tf.contrib.image.transform``.
    """
    kind = interpolation.upper()
    if kind not in ("NEAREST", "BILINEAR"):
        raise ValueError(must("transform", "interpolation", "be NEAREST or BILINEAR", interpolation))
    with name_scope(name, "transform", [images, transforms]):
        given, maps = convert_to_tensor(images, name="images"), convert_to_tensor(transforms, "float32", "transforms")
        batch = _batch(given)
        if maps.shape.ndims is None:
            raise TypeError("transform_or_transforms rank must be statically known")
        if maps.shape.ndims not in (1, 2):
            raise TypeError("Transforms should have rank 1 or 2.")
        maps = stop_gradient(reshape(maps, [1, -1]) if maps.shape.ndims == 1 else maps)
        sizes = shape(batch)[1:3] if output_shape is None else output_shape
        seen = call_with(
            "ImageProjectiveTransformV2",
            [(sizes, as_sizes)],
            lambda size, x, rows: apply(_PROJECT, (x, array_of(rows), tuple(size), kind)),
            (batch, maps),
            shape=_shape,
            same=False,
        )
        return seen if given.shape.ndims == 4 else seen[0] if given.shape.ndims == 3 else seen[0, :, :, 0]


def rotate(images: Any, angles: Any, interpolation: str = "NEAREST", name: str | None = None) -> Any:
    """Return images turned counterclockwise about their centers by angles in radians: one, or one for each.

    See `transform`. Source: ``tf.contrib.image.rotate``.
    """
    with name_scope(name, "rotate", [images, angles]):
        given = convert_to_tensor(images)
        sizes = shape(_batch(given))
        height, width = (cast(sizes[place : place + 1], "float32") for place in (1, 2))
        return transform(given, angles_to_projective_transforms(angles, height, width), interpolation)


def translate(images: Any, translations: Any, interpolation: str = "NEAREST", name: str | None = None) -> Any:
    """Return images moved by a vector [dx, dy], or each by its own, [n, 2].

    See `transform`. Source: ``tf.contrib.image.translate``.
    """
    with name_scope(name, "translate", [images, translations]):
        return transform(images, translations_to_projective_transforms(translations), interpolation)


def angles_to_projective_transforms(angles: Any, image_height: Any, image_width: Any, name: str | None = None) -> Any:
    """Return the transforms [n, 8] that turn images of a size about their centers, by an angle or by n of them.

    Source: ``tf.contrib.image.angles_to_projective_transforms``.
    """
    with name_scope(name, "angles_to_projective_transforms", [angles, image_height, image_width]):
        turns = convert_to_tensor(angles, "float32", "angles")
        if turns.shape.ndims not in (0, 1):
            raise TypeError("Angles should have rank 0 or 1.")
        turns = reshape(turns, [1]) if turns.shape.ndims == 0 else turns
        bottom, right, c, s = image_height - 1, image_width - 1, cos(turns), sin(turns)
        x = (right - (c * right - s * bottom)) / 2.0
        y = (bottom - (s * right + c * bottom)) / 2.0
        columns = [part[:, None] for part in (c, -s, x, s, c, y)]
        return concat([*columns, zeros([shape(turns)[0], 2])], 1)


def translations_to_projective_transforms(translations: Any, name: str | None = None) -> Any:
    """Return the transforms [n, 8] that move images by a vector [dx, dy], or by n of them.

    Source: ``tf.contrib.image.translations_to_projective_transforms``.
    """
    with name_scope(name, "translations_to_projective_transforms", [translations]):
        moves = convert_to_tensor(translations, "float32", "translations")
        if moves.shape.ndims is None:
            raise TypeError("translation_or_translations rank must be statically known")
        if moves.shape.ndims not in (1, 2):
            raise TypeError("Translations should have rank 1 or 2.")
        moves = reshape(moves, [1, 2]) if moves.shape.ndims == 1 else moves
        count = shape(moves)[0]
        one, none = ones([count, 1]), zeros([count, 1])
        return concat([one, none, -moves[:, :1], none, one, -moves[:, 1:], none, none], 1)


def compose_transforms(*transforms: Any) -> Any:
    """Return the transform that does what several do, one after the other; each is [8], or each [n, 8].

    Source: ``tf.contrib.image.compose_transforms``.
    """
    assert transforms, "transforms cannot be empty"
    with name_scope("compose_transforms"):
        composed, *others = [flat_transforms_to_matrices(each) for each in transforms]
        for other in others:
            composed = matmul(composed, other)
        return matrices_to_flat_transforms(composed)


def flat_transforms_to_matrices(transforms: Any) -> Any:
    """Return the matrices [n, 3, 3] of transforms [8] or [n, 8], which map homogeneous output points to input points.

    Source: ``tf.contrib.image.flat_transforms_to_matrices``.
    """
    with name_scope("flat_transforms_to_matrices"):
        rows = convert_to_tensor(transforms, name="transforms")
        if rows.shape.ndims not in (1, 2):
            raise ValueError(f"Transforms should be 1D or 2D, got: {rows}")
        rows = reshape(rows, [-1, 8])
        return reshape(concat([rows, ones([shape(rows)[0], 1])], 1), [-1, 3, 3])


def matrices_to_flat_transforms(transform_matrices: Any) -> Any:
    """Return the transforms [n, 8] of matrices [3, 3] or [n, 3, 3]; see `flat_transforms_to_matrices`.

    Source: ``tf.contrib.image.matrices_to_flat_transforms``.
    """
    with name_scope("matrices_to_flat_transforms"):
        matrices = convert_to_tensor(transform_matrices, name="transform_matrices")
        if matrices.shape.ndims not in (2, 3):
            raise ValueError(f"Matrices should be 2D or 3D, got: {matrices}")
        rows = reshape(matrices, [-1, 9])
        return (rows / rows[:, 8:9])[:, :8]


def _batch(images: Any) -> Any:
    """Return images as [n, height, width, channels]. Raises TypeError for another type or number of axes."""
    if images.dtype.base_dtype.name not in _TYPES:
        raise TypeError(f"Invalid dtype {images.dtype}.")
    ndims = images.shape.ndims
    if ndims is None:
        raise TypeError("image_or_images rank must be statically known")
    if ndims not in (2, 3, 4):
        raise TypeError("Images should have rank between 2 and 4.")
    return images if ndims == 4 else images[None] if ndims == 3 else images[None, :, :, None]


def _shape(sizes: Any, images: Any, transforms: Any) -> Any:
    del transforms
    if isinstance(sizes, Tensor):
        sizes = (None, None) if sizes._shape in (None, (2,), (None,)) else ()
    if len(sizes) != 2:
        raise ValueError("output_shape must be a 1-D Tensor of 2 elements: new_height, new_width")
    return images[0], *sizes, images[3]


def _projected(images: Any, transforms: Any, sizes: tuple[int, ...], kind: str) -> Any:
    """Return the images as transforms show them, with a height and width."""
    if transforms.shape not in ((1, 8), (len(images), 8)):
        raise ValueError("Input transform should be num_images x 8 or 1 x 8")
    x, y = np.arange(sizes[1], dtype=np.float32), np.arange(sizes[0], dtype=np.float32)[:, None]
    a0, a1, a2, b0, b1, b2, c0, c1 = (part[:, None, None] for part in transforms.T)
    k = c0 * x + c1 * y + np.float32(1)
    with np.errstate(all="ignore"):
        columns, rows = (a0 * x + a1 * y + a2) / k, (b0 * x + b1 * y + b2) / k
    far = ~(np.isfinite(columns) & np.isfinite(rows)) | (np.maximum(np.abs(columns), np.abs(rows)) > 2**30)
    columns, rows = (np.where(far, np.float32(-2), part) for part in (columns, rows))
    if kind == "NEAREST":
        return _at(images, _rounded(rows), _rounded(columns))
    top, left = np.floor(rows), np.floor(columns)
    down, along = (rows - top)[..., None], (columns - left)[..., None]
    up, back = (top + 1 - rows)[..., None], (left + 1 - columns)[..., None]
    low, high = (
        back * _at(images, row, left).astype(np.float32) + along * _at(images, row, left + 1).astype(np.float32)
        for row in (top, top + 1)
    )
    return (up * low + down * high).astype(images.dtype)


def _rounded(places: Any) -> Any:
    """Round half away from 0, as C++ does."""
    exact = places.astype(np.float64)
    return np.where(exact < 0, np.ceil(exact - 0.5), np.floor(exact + 0.5))


def _at(images: Any, rows: Any, columns: Any) -> Any:
    """Return the pixels at places, 0 outside of an image; places are [1 or n, height, width]."""
    height, width = images.shape[1:3]
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    down, along = (np.where(inside, part, 0).astype(np.intp) for part in (rows, columns))
    if 0 in (height, width):
        return np.zeros((len(images), *rows.shape[1:], images.shape[3]), images.dtype)
    found = images[np.arange(len(images))[:, None, None], down, along]
    return np.where(inside[..., None], found, np.zeros((), images.dtype))


def _project_back(g: Any, y: Any, images: Any, transforms: Any, sizes: Any, kind: str) -> Any:
    del y, sizes
    ones_behind = np.ones((len(transforms), 1), np.float32)
    inverse = np.linalg.inv(np.reshape(np.concatenate([transforms, ones_behind], 1), (-1, 3, 3)))
    rows = np.reshape(inverse, (-1, 9))
    back = (rows / rows[:, 8:])[:, :8].astype(np.float32)
    return apply(_PROJECT, (g, back, tuple(images.shape[1:3]), kind))


_PROJECT = Primitive(_projected, (_project_back,), name="image_projective_transform")
