"""Bijectors of a program's own functions, of conditions that each call names, and of the diagonals of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ops.diagonal_ops import matrix_diag_part, matrix_set_diag
from .bijector import Bijector
from .composed_bijectors import Chain
from .elementwise_bijectors import AffineScalar, Softplus
from .matrix_bijectors import FillTriangular

__all__ = ["ConditionalBijector", "Inline", "ScaleTriL", "TransformDiagonal"]


class Inline(Bijector):
    """A bijector of functions that are given; NotImplementedError is raised where one is asked for that is not."""

    def __init__(
        self,
        forward_fn: Callable[..., Any] | None = None,
        inverse_fn: Callable[..., Any] | None = None,
        inverse_log_det_jacobian_fn: Callable[..., Any] | None = None,
        forward_log_det_jacobian_fn: Callable[..., Any] | None = None,
        forward_event_shape_fn: Callable[..., Any] | None = None,
        forward_event_shape_tensor_fn: Callable[..., Any] | None = None,
        inverse_event_shape_fn: Callable[..., Any] | None = None,
        inverse_event_shape_tensor_fn: Callable[..., Any] | None = None,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None,
        name: str = "inline",
    ) -> None:
        super().__init__(
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            forward_min_event_ndims=forward_min_event_ndims,
            inverse_min_event_ndims=inverse_min_event_ndims,
            name=name,
        )
        self._values = {
            "forward_fn": forward_fn,
            "inverse_fn": inverse_fn,
            "inverse_log_det_jacobian_fn": inverse_log_det_jacobian_fn,
            "forward_log_det_jacobian_fn": forward_log_det_jacobian_fn,
        }
        self._shapes = {
            "forward_event_shape": forward_event_shape_fn,
            "forward_event_shape_tensor": forward_event_shape_tensor_fn,
            "inverse_event_shape": inverse_event_shape_fn,
            "inverse_event_shape_tensor": inverse_event_shape_tensor_fn,
        }

    def _value(self, which: str, value: Any, kwargs: dict[str, Any]) -> Any:
        function = self._values[which]
        if not callable(function):
            raise NotImplementedError(f"{which} is not a callable function.")
        return function(value, **kwargs)

    def _shape(self, which: str, sizes: Any) -> Any:
        function = self._shapes[which]
        return sizes if function is None else function(sizes)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return self._shape("forward_event_shape", input_shape)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return self._shape("forward_event_shape_tensor", input_shape)

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return self._shape("inverse_event_shape", output_shape)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return self._shape("inverse_event_shape_tensor", output_shape)

    def _forward(self, x: Any, **kwargs: Any) -> Any:
        return self._value("forward_fn", x, kwargs)

    def _inverse(self, y: Any, **kwargs: Any) -> Any:
        return self._value("inverse_fn", y, kwargs)

    def _forward_log_det_jacobian(self, x: Any, **kwargs: Any) -> Any:
        return self._value("forward_log_det_jacobian_fn", x, kwargs)

    def _inverse_log_det_jacobian(self, y: Any, **kwargs: Any) -> Any:
        return self._value("inverse_log_det_jacobian_fn", y, kwargs)


class ConditionalBijector(Bijector):
    """Base class of bijectors whose methods take conditions: what a call names goes to the subclass' methods."""

    def forward(self, x: Any, name: str = "forward", **condition_kwargs: Any) -> Any:
        """Return the function's value under the conditions."""
        return self._call_forward(x, name, **condition_kwargs)

    def inverse(self, y: Any, name: str = "inverse", **condition_kwargs: Any) -> Any:
        """Return where the function has the value ``y`` under the conditions."""
        return self._call_inverse(y, name, **condition_kwargs)

    def forward_log_det_jacobian(
        self, x: Any, event_ndims: Any = None, name: str = "forward_log_det_jacobian", **condition_kwargs: Any
    ) -> Any:
        """Return by what the function stretches at ``x`` under the conditions, as a logarithm."""
        return self._call_forward_log_det_jacobian(x, event_ndims, name, **condition_kwargs)

    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: Any = None, name: str = "inverse_log_det_jacobian", **condition_kwargs: Any
    ) -> Any:
        """Return by what the inverse stretches at ``y`` under the conditions, as a logarithm."""
        return self._call_inverse_log_det_jacobian(y, event_ndims, name, **condition_kwargs)


class TransformDiagonal(Bijector):
    """Another bijector, applied to the diagonals of matrices."""

    def __init__(self, diag_bijector: Bijector, validate_args: bool = False, name: str = "transform_diagonal") -> None:
        self._diag_bijector = diag_bijector
        super().__init__(validate_args=validate_args, forward_min_event_ndims=2, name=name)

    def _forward(self, x: Any) -> Any:
        return matrix_set_diag(x, self._diag_bijector.forward(matrix_diag_part(x)))

    def _inverse(self, y: Any) -> Any:
        return matrix_set_diag(y, self._diag_bijector.inverse(matrix_diag_part(y)))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return self._diag_bijector.forward_log_det_jacobian(matrix_diag_part(x), event_ndims=1)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return self._diag_bijector.inverse_log_det_jacobian(matrix_diag_part(y), event_ndims=1)


class ScaleTriL(Chain):
    """Lower triangles with a positive diagonal, of vectors of any numbers: `FillTriangular`, then the diagonal's.

    Args:
        diag_bijector: makes the diagonal positive; `Softplus` by default.
        diag_shift: what is added to it then, so that it is not 0; None for nothing.
    """

    def __init__(
        self,
        diag_bijector: Bijector | None = None,
        diag_shift: Any = 1e-5,
        validate_args: bool = False,
        name: str = "scale_tril",
    ) -> None:
        of_diagonal = Softplus(validate_args=validate_args) if diag_bijector is None else diag_bijector
        if diag_shift is not None:
            of_diagonal = Chain([AffineScalar(shift=diag_shift), of_diagonal])
        super().__init__([TransformDiagonal(of_diagonal), FillTriangular()], validate_args=validate_args, name=name)
