"""Linear operators that scale vectors, as distributions and bijectors make them of their parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...distributions.checks import checked, parameter
from ...distributions.util import maybe_get_static_value, prefer_static_broadcast_shape, rotate_transpose
from ...graph.build import dtype_of, shape_of
from ...graph.scopes import name_scope
from ...ops.array_ops import rank, reshape, shape
from ...ops.compare_checks import assert_none_equal, assert_positive
from ...ops.concat_ops import concat
from ...ops.creation_ops import zeros
from ...ops.diagonal_ops import matrix_diag_part, matrix_set_diag
from ...ops.linalg_ops import matrix_band_part
from ...ops.linear_operator import LinearOperator
from ...ops.linear_operator_identity import LinearOperatorIdentity, LinearOperatorScaledIdentity
from ...ops.linear_operator_ops import LinearOperatorDiag, LinearOperatorLowerTriangular

__all__ = ["along_events", "is_diagonal_scale", "make_diag_scale", "make_tril_scale", "shapes_from_loc_and_scale"]


def _tensor(value: Any, name: str) -> Any:
    return None if value is None else parameter(value, name)


def _checked(value: Any, diagonal: Any, wanted: bool, above: bool) -> Any:
    """Return a scale, whose diagonal is checked to be positive, or to have no 0, where that is wanted."""
    if above:
        return checked(value, wanted, lambda: [assert_positive(diagonal, message="diagonal part must be positive")])
    nothing = zeros([], dtype_of(value))
    message = "diagonal part must be non-zero"
    return checked(value, wanted, lambda: [assert_none_equal(diagonal, nothing, message=message)])


def make_tril_scale(
    loc: Any = None,
    scale_tril: Any = None,
    scale_diag: Any = None,
    scale_identity_multiplier: Any = None,
    shape_hint: Any = None,
    validate_args: bool = False,
    assert_positive: bool = False,
    name: str | None = None,
) -> LinearOperator:
    """Return an operator that is the sum of a lower triangle, a diagonal and a multiple of the identity.

    Source: TensorFlow's ``contrib.distributions.python.ops.distribution_util``.
    """
    if scale_tril is None:
        return make_diag_scale(
            loc, scale_diag, scale_identity_multiplier, shape_hint, validate_args, assert_positive, name
        )
    with name_scope(name, "make_tril_scale"):
        tril = matrix_band_part(parameter(scale_tril, "scale_tril"), -1, 0)
        diagonal = matrix_diag_part(tril)
        if scale_diag is not None:
            diagonal = diagonal + parameter(scale_diag, "scale_diag")
        if scale_identity_multiplier is not None:
            diagonal = diagonal + parameter(scale_identity_multiplier, "scale_identity_multiplier")[..., None]
        tril = matrix_set_diag(tril, diagonal)
        return LinearOperatorLowerTriangular(
            _checked(tril, matrix_diag_part(tril), validate_args, assert_positive),
            is_non_singular=True,
            is_self_adjoint=False,
            is_positive_definite=assert_positive,
        )


def make_diag_scale(
    loc: Any = None,
    scale_diag: Any = None,
    scale_identity_multiplier: Any = None,
    shape_hint: Any = None,
    validate_args: bool = False,
    assert_positive: bool = False,
    name: str | None = None,
) -> LinearOperator:
    """Return an operator that is the sum of a diagonal and a multiple of the identity; the identity of neither.

    Raises ValueError where nothing says how many rows it has.

    Source: TensorFlow's ``contrib.distributions.python.ops.distribution_util``.
    """
    with name_scope(name, "make_diag_scale"):
        loc, diagonal = _tensor(loc, "loc"), _tensor(scale_diag, "scale_diag")
        multiplier = _tensor(scale_identity_multiplier, "scale_identity_multiplier")
        known: dict[str, Any] = {"is_self_adjoint": True, "is_positive_definite": assert_positive}
        if diagonal is not None:
            diagonal = diagonal if multiplier is None else diagonal + multiplier[..., None]
            checked_diagonal = _checked(diagonal, diagonal, validate_args, assert_positive)
            return LinearOperatorDiag(checked_diagonal, is_non_singular=True, **known)
        if loc is None and shape_hint is None:
            raise ValueError("Cannot infer `event_shape` unless `loc` or `shape_hint` is specified.")
        rows = shape_hint
        if rows is None:
            rows = loc.shape[-1].value
            rows = shape(loc)[-1] if rows is None else rows
        if multiplier is None:
            dtype = dtype_of(loc).base_dtype
            return LinearOperatorIdentity(rows, dtype=dtype, assert_proper_shapes=validate_args)
        return LinearOperatorScaledIdentity(
            rows,
            _checked(multiplier, multiplier, validate_args, assert_positive),
            is_non_singular=True,
            assert_proper_shapes=validate_args,
            **known,
        )


def shapes_from_loc_and_scale(loc: Any, scale: Any, name: str = "shapes_from_loc_and_scale") -> tuple[Any, Any]:
    """Return the batch's shape and the event's of vectors ``scale z + loc``, arrays where they are known.

    Raises ValueError for a ``loc`` of another length, which is not 1.

    Source: TensorFlow's ``contrib.distributions.python.ops.distribution_util``.
    """
    with name_scope(name):
        rows = scale.range_dimension_tensor()
        known = maybe_get_static_value(rows)
        event = rows[None] if known is None else known.reshape([1])
        if loc is None:
            batch = scale.batch_shape_tensor()
            known_batch = maybe_get_static_value(batch)
            return (batch if known_batch is None else known_batch), event
        length = loc.shape.with_rank_at_least(1)[-1].value
        if length not in (None, 1) and known is not None and length != known:
            raise ValueError(f"Event size of 'scale' ({length}) could not be broadcast up to that of 'loc' ({known}).")
        sizes = shape_of(loc)
        whole = sizes is not None and None not in sizes[:-1]
        own = parameter(list(sizes[:-1]), "loc_batch_shape", "int32") if sizes and whole else shape(loc)[:-1]
        return prefer_static_broadcast_shape(scale.batch_shape_tensor(), own), event


def is_diagonal_scale(scale: Any) -> bool:
    """Return whether an operator is a diagonal by its class. Raises TypeError for what is no operator.

    Source: TensorFlow's ``contrib.distributions.python.ops.distribution_util``.
    """
    if not isinstance(scale, LinearOperator):
        raise TypeError(f"Expected argument 'scale' to be instance of LinearOperator. Found: {scale}")
    return isinstance(scale, (LinearOperatorIdentity, LinearOperatorScaledIdentity, LinearOperatorDiag))


def along_events(function: Callable[[Any], Any], scale: Any, x: Any) -> Any:
    """Return what a function of the columns of matrices, a product or a solution, makes of vectors.

    Samples ``[S..., B..., n]`` are the S columns of a matrix for each operator of a batch B.
    """
    axes = scale.tensor_rank
    axes = scale.tensor_rank_tensor() - 1 if axes is None else axes - 1
    if isinstance(axes, int) and x.shape.ndims is not None and x.shape.ndims <= axes:
        return function(x[..., None])[..., 0]
    sizes = shape(x)
    before = rank(x) - axes if x.shape.ndims is None else x.shape.ndims - axes
    columns = rotate_transpose(reshape(x, concat([[-1], sizes[before:]], 0)), -1)
    y = rotate_transpose(function(columns), 1)
    return reshape(y, concat([sizes[:before], shape(y)[1:]], 0))
