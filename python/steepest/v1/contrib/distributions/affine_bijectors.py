"""Bijectors that multiply vectors by a matrix and add to them."""

from __future__ import annotations

from typing import Any

from ...distributions.checks import checked, parameter
from ...distributions.util import dimension_size
from ...graph.build import dtype_of
from ...graph.scopes import control_dependencies, name_scope
from ...ops.array_ops import shape
from ...ops.cast_ops import cast
from ...ops.check_ops import is_tensor
from ...ops.compare_checks import assert_none_equal
from ...ops.creation_ops import zeros
from ...ops.linear_operator import LinearOperator
from ...ops.linear_operator_updates import LinearOperatorLowRankUpdate
from ...ops.math_ops import abs as _abs
from ...ops.math_ops import log
from .bijector import Bijector
from .operator_scales import along_events, make_tril_scale

__all__ = ["Affine", "AffineLinearOperator"]


class _OperatorBijector(Bijector):
    """What both share: ``y = scale @ x + shift``, where either may be None."""

    def __init__(self, shift: Any, scale: Any, validate_args: bool, name: str) -> None:
        dtype = None if shift is None else dtype_of(shift).base_dtype
        own = scale.dtype.base_dtype if scale is not None and scale.dtype is not None else None
        if dtype is not None and own is not None and dtype != own:
            raise TypeError(f"shift.dtype({dtype!r}) is incompatible with scale.dtype({own!r}).")
        self._shift, self._scale = shift, scale
        parents = [each for each in (shift, scale) if is_tensor(each)] if scale is None or is_tensor(scale) else []
        super().__init__(
            graph_parents=parents,
            is_constant_jacobian=True,
            validate_args=validate_args,
            dtype=own or dtype or "float32",
            forward_min_event_ndims=1,
            name=name,
        )

    @property
    def shift(self) -> Any:
        """What is added, or None."""
        return self._shift

    @property
    def scale(self) -> Any:
        """The matrix as an operator; None for none."""
        return self._scale

    def _not_singular(self) -> list[Any]:
        """Return the assertion that there is an inverse, where that is to be checked and can be."""
        if not self._validate_args:
            return []
        try:
            return [self._scale.assert_non_singular()]
        except NotImplementedError:
            return []

    def _forward(self, x: Any) -> Any:
        if self._scale is not None:
            with control_dependencies(self._not_singular()):
                x = along_events(self._scale.matmul, self._scale, x)
        return x if self._shift is None else x + self._shift

    def _inverse(self, y: Any) -> Any:
        x = y if self._shift is None else y - self._shift
        return x if self._scale is None else along_events(self._scale.solve, self._scale, x)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        if self._scale is None:
            return zeros([], dtype_of(x))
        with control_dependencies(self._not_singular()):
            return self._scale.log_abs_determinant()


class AffineLinearOperator(_OperatorBijector):
    """``y = scale @ x + shift`` of vectors, ``scale`` a linear operator.

    Raises TypeError for another scale or two types, ValueError for an operator that is not known to have an inverse
    where ``validate_args`` is set.
    """

    def __init__(
        self, shift: Any = None, scale: Any = None, validate_args: bool = False, name: str = "affine_linear_operator"
    ) -> None:
        with name_scope(name):
            moved = None if shift is None else parameter(shift, "shift")
        if scale is not None:
            if not isinstance(scale, LinearOperator):
                raise TypeError("scale is not an instance of tf.LinearOperator")
            if validate_args and not scale.is_non_singular:
                raise ValueError("Scale matrix must be non-singular.")
        super().__init__(moved, scale, validate_args, name)


class Affine(_OperatorBijector):
    """``y = scale @ x + shift`` of vectors, the matrix the sum of what is given.

    Args:
        shift: what is added.
        scale_identity_multiplier: a number that the identity is multiplied by; 1 where nothing else is given.
        scale_diag: a diagonal.
        scale_tril: a lower triangle.
        scale_perturb_factor: ``V``, ``[..., n, r]``, of an update ``V diag V'`` of low rank.
        scale_perturb_diag: the ``diag`` of the update, ones by default.

    Raises TypeError for two types, ValueError for a ``scale_perturb_diag`` without a factor.
    """

    def __init__(
        self,
        shift: Any = None,
        scale_identity_multiplier: Any = None,
        scale_diag: Any = None,
        scale_tril: Any = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        validate_args: bool = False,
        name: str = "affine",
    ) -> None:
        if scale_perturb_diag is not None and scale_perturb_factor is None:
            raise ValueError("When scale_perturb_diag is specified, scale_perturb_factor must be specified.")
        given = (scale_tril, scale_diag, scale_perturb_factor)
        self._is_only_identity_multiplier = all(each is None for each in given)
        with name_scope(name):
            moved = None if shift is None else parameter(shift, "shift")
            if self._is_only_identity_multiplier:
                scale = _multiplier(scale_identity_multiplier, moved, validate_args)
            else:
                factor = None if scale_perturb_factor is None else parameter(scale_perturb_factor, "perturb_factor")
                scale = make_tril_scale(
                    moved,
                    scale_tril,
                    scale_diag,
                    scale_identity_multiplier,
                    None if factor is None else dimension_size(factor, -2),
                    validate_args,
                )
                scale = scale if factor is None else _updated(scale, factor, scale_perturb_diag)
        super().__init__(moved, scale, validate_args, name)

    def _forward(self, x: Any) -> Any:
        if not self._is_only_identity_multiplier:
            return super()._forward(x)
        scaled = x * self._scale
        return scaled if self._shift is None else scaled + self._shift

    def _inverse(self, y: Any) -> Any:
        if not self._is_only_identity_multiplier:
            return super()._inverse(y)
        return (y if self._shift is None else y - self._shift) / self._scale

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        if not self._is_only_identity_multiplier:
            return self._scale.log_abs_determinant()
        return log(_abs(self._scale)) * cast(shape(x)[-1], dtype_of(self._scale))


def _multiplier(value: Any, shift: Any, wanted: bool) -> Any:
    """Return the number that vectors are multiplied by, of the type of the shift."""
    if value is None:
        return parameter(1.0, "identity_multiplier", "float32" if shift is None else dtype_of(shift).base_dtype)
    tensor = parameter(value, "identity_multiplier")
    message = "identity_multiplier should be non-zero."
    return checked(tensor, wanted, lambda: [assert_none_equal(tensor, zeros([], dtype_of(tensor)), message=message)])


def _updated(scale: LinearOperator, factor: Any, diagonal: Any) -> LinearOperator:
    return LinearOperatorLowRankUpdate(
        scale,
        u=factor,
        diag_update=None if diagonal is None else parameter(diagonal, "perturb_diag"),
        is_diag_update_positive=diagonal is None,
        is_non_singular=True,
        is_self_adjoint=True,
        is_positive_definite=True,
        is_square=True,
    )
