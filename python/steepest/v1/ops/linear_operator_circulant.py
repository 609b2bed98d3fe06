"""Operators that are diagonal after a Fourier transform: circulant matrices, and with them Toeplitz's."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..graph.dtypes import as_dtype
from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from .array_ops import expand_dims, matrix_transpose, reshape, shape
from .cast_ops import cast
from .compare_checks import assert_equal, assert_less, assert_positive
from .complex_ops import conj, imag, real
from .concat_ops import concat
from .creation_ops import ones, zeros_like
from .decomposition_ops import adjoint as transposed
from .linear_operator import LinearOperator
from .linear_operator_util import (
    assert_no_entries_with_modulus_zero,
    assert_zero_imag_part,
    broadcast_matrix_batch_dims,
)
from .math_ops import abs as _abs
from .math_ops import log
from .rearranging_ops import broadcast_dynamic_shape, broadcast_static_shape, reverse
from .reduce_ops import reduce_prod, reduce_sum
from .sparse_ops import convert_to_tensor
from .spectral_ops import fft, fft2d, fft3d, ifft, ifft2d, ifft3d

__all__ = [
    "CirculantOperator",
    "LinearOperatorCirculant",
    "LinearOperatorCirculant2D",
    "LinearOperatorCirculant3D",
    "LinearOperatorToeplitz",
]


def _to_complex(x: Any) -> Any:
    if x.dtype.is_complex:
        return x
    return cast(x, "complex128" if x.dtype.name == "float64" else "complex64")


class CirculantOperator(LinearOperator):
    """What circulant matrices in one to three dimensions share; `LinearOperatorCirculant` tells of the arguments."""

    _depth = 1
    _transforms: tuple[Any, Any] = (fft, ifft)

    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = "complex64",
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        name: str | None = None,
    ) -> None:
        name = type(self).__name__ if name is None else name
        with name_scope(name):
            self._spectrum = convert_to_tensor(spectrum, name="spectrum")
            axes = self._spectrum.shape.ndims
            if axes is not None and axes < self._depth:
                raise ValueError(
                    f"Argument spectrum must have at least {self._depth} dimensions.  Found: {self._spectrum}"
                )
            if not self._spectrum.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real spectrum always corresponds to a self-adjoint operator.")
                is_self_adjoint = True
            if is_square is False:
                raise ValueError("A [[nested] block] circulant operator is always square.")
            self._complex = _to_complex(self._spectrum)
        known = is_non_singular, is_self_adjoint, is_positive_definite, True
        super().__init__(as_dtype(input_output_dtype), [self._spectrum], *known, name)

    @property
    def block_depth(self) -> int:
        """The number of dimensions."""
        return self._depth

    @property
    def spectrum(self) -> Any:
        """The eigenvalues."""
        return self._spectrum

    @property
    def block_shape(self) -> TensorShape:
        """The sizes of the dimensions."""
        return TensorShape(self._spectrum.shape[-self._depth :])

    def block_shape_tensor(self) -> Any:
        """Return the sizes of the dimensions as a tensor."""
        return shape(self._spectrum)[-self._depth :]

    def convolution_kernel(self, name: str = "convolution_kernel") -> Any:
        """Return what products are convolutions with: the first column, in the dimensions' shape."""
        with self._name_scope(name):
            return cast(self._transforms[1](self._complex), self.dtype)

    def assert_hermitian_spectrum(self, name: str = "assert_hermitian_spectrum") -> Any:
        """Return an operation that raises InvalidArgumentError unless the convolution kernel is real."""
        kind = self.dtype.real_dtype
        with self._name_scope(name):
            largest = np.finfo(kind.as_numpy_dtype).eps * cast(self.domain_dimension_tensor(), kind)
            part = imag(self.convolution_kernel())
            return assert_less(_abs(part), largest, message="Spectrum was not Hermitian")

    def _shape(self) -> TensorShape:
        count = self.block_shape.num_elements()
        return TensorShape(self._spectrum.shape[: -self._depth]).concatenate([count, count])

    def _shape_tensor(self) -> Any:
        count = reduce_prod(self.block_shape_tensor())
        return concat([shape(self._spectrum)[: -self._depth], [count, count]], 0)

    def _filtered(self, x: Any, change: Any, adjoint: bool) -> Any:
        """Return the columns of ``x`` after ``change(their transform, the eigenvalues)``."""
        spectrum = conj(self._complex) if adjoint else self._complex
        x = cast(x, spectrum.dtype)
        column = reshape(spectrum, concat([shape(spectrum)[: -self._depth], [-1, 1]], 0))
        known = (
            broadcast_static_shape(x.shape[:-2], self.batch_shape)
            if None not in (x.shape.ndims, self.batch_shape.ndims)
            else None
        )
        x, column = broadcast_matrix_batch_dims([x, column])
        batch, block = shape(x)[:-2], self.block_shape_tensor()
        rows = reshape(matrix_transpose(x), concat([batch, shape(x)[-1:], block], 0))
        values = reshape(column, concat([batch, [1], block], 0))
        forth, back = self._transforms
        made = back(change(forth(rows), values))
        result = matrix_transpose(reshape(made, concat([batch, shape(x)[-1:], shape(x)[-2:-1]], 0)))
        if known is not None:
            result.set_shape(known.concatenate([self.shape[-1].value, x.shape[-1].value]))
        return cast(result, self.dtype)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._filtered(transposed(x) if adjoint_arg else x, lambda rows, values: rows * values, adjoint)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._filtered(transposed(rhs) if adjoint_arg else rhs, lambda rows, values: rows / values, adjoint)

    def _axes(self) -> list[int]:
        return [-(k + 1) for k in range(self._depth)]

    def _determinant(self) -> Any:
        return cast(reduce_prod(self._spectrum, self._axes()), self.dtype)

    def _log_abs_determinant(self) -> Any:
        return cast(reduce_sum(log(_abs(self._spectrum)), self._axes()), self.dtype)

    def _trace(self) -> Any:
        if self.dtype.is_complex:
            return cast(reduce_sum(self._complex, self._axes()), self.dtype)
        return cast(reduce_sum(real(self._complex), self._axes()), self.dtype)

    def _diag_part(self) -> Any:
        each = self.trace() / cast(self.domain_dimension_tensor(), self.dtype)
        return expand_dims(each, -1) * ones(self.shape_tensor()[:-1], self.dtype)

    def _eigvals(self) -> Any:
        return reshape(self._spectrum, self.shape_tensor()[:-1])

    def _assert_non_singular(self) -> Any:
        message = "Singular operator:  Spectrum contained zero values."
        return assert_no_entries_with_modulus_zero(self._spectrum, message=message)

    def _assert_positive_definite(self) -> Any:
        message = "Not positive definite:  Real part of spectrum was not all positive."
        return assert_positive(real(self._spectrum), message=message)

    def _assert_self_adjoint(self) -> Any:
        message = "Not self-adjoint:  The spectrum contained non-zero imaginary part."
        return assert_zero_imag_part(self._spectrum, message=message)


class LinearOperatorCirculant(CirculantOperator):
    """A circulant matrix, by the Fourier transform of its first column: products are convolutions.

    Args:
        spectrum: ``[..., n]``, the eigenvalues. Real ones belong to a self-adjoint operator.
        input_output_dtype: The type of the elements and of what is multiplied. The other arguments are those of
            `LinearOperator`.

    Raises ValueError for a hint that is not so, or a spectrum of too few axes.

    Source: ``tf.linalg.LinearOperatorCirculant``.
    """

    _parts: ClassVar[dict[str, Any]] = {"spectrum": 1}


class LinearOperatorCirculant2D(CirculantOperator):
    """A matrix of circulant blocks in circulant order: products are convolutions in two dimensions.

    Source: ``tf.linalg.LinearOperatorCirculant2D``.
    """

    _parts: ClassVar[dict[str, Any]] = {"spectrum": 2}

    _depth = 2
    _transforms = (fft2d, ifft2d)


class LinearOperatorCirculant3D(CirculantOperator):
    """Circulant blocks of circulant blocks: products are convolutions in three dimensions.

    Source: ``tf.linalg.LinearOperatorCirculant3D``.
    """

    _parts: ClassVar[dict[str, Any]] = {"spectrum": 3}

    _depth = 3
    _transforms = (fft3d, ifft3d)


class LinearOperatorToeplitz(LinearOperator):
    """A matrix whose elements depend on the distance from the diagonal alone.

    Args:
        col: The first column, ``[..., n]``.
        row: The first row, ``[..., n]``; its first element is not looked at. The other arguments are those of
            `LinearOperator`.

    Raises ValueError for vectors of different lengths.

    Source: ``tf.linalg.LinearOperatorToeplitz``.
    """

    _parts: ClassVar[dict[str, Any]] = {"row": 1, "col": 1}

    def __init__(
        self,
        col: Any,
        row: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorToeplitz",
    ) -> None:
        with name_scope(name):
            self._row, self._col = convert_to_tensor(row, name="row"), convert_to_tensor(col, name="col")
            for label, each in (("row", self._row), ("col", self._col)):
                if each.shape.ndims == 0:
                    raise ValueError(f"Argument {label} must have at least 1 dimension.  Found: {each}")
            if None not in (self._row.shape.ndims, self._col.shape.ndims):
                lengths = self._row.shape[-1].value, self._col.shape[-1].value
                if None not in lengths and lengths[0] != lengths[1]:
                    raise ValueError("Expected square matrix, got row and col with mismatched dimensions.")
            if is_square is False:
                raise ValueError("Only square Toeplitz operators currently supported.")
            # The first column of a circulant matrix whose upper left quarter this one is.
            rest = reverse(self._row[..., 1:], [-1])
            column = concat([self._col, zeros_like(self._col[..., :1]), rest], -1)
            self._circulant = LinearOperatorCirculant(fft(_to_complex(column)), self._row.dtype)
        known = is_non_singular, is_self_adjoint, is_positive_definite, True
        super().__init__(self._row.dtype, [self._row, self._col], *known, name)

    @property
    def col(self) -> Any:
        """The first column."""
        return self._col

    @property
    def row(self) -> Any:
        """The first row."""
        return self._row

    def _shape(self) -> TensorShape:
        known = broadcast_static_shape(self._row.shape, self._col.shape)
        return known.concatenate(known[-1:])

    def _shape_tensor(self) -> Any:
        sizes = broadcast_dynamic_shape(shape(self._row), shape(self._col))
        return concat([sizes, sizes[-1:]], 0)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = transposed(x) if adjoint_arg else x
        whole = self._circulant.matmul(concat([x, zeros_like(x)], -2), adjoint=adjoint)
        rows = self.domain_dimension.value
        return whole[..., : self.domain_dimension_tensor() if rows is None else rows, :]

    def _trace(self) -> Any:
        return cast(self.domain_dimension_tensor(), self.dtype) * self._col[..., 0]

    def _diag_part(self) -> Any:
        return self._col[..., :1] * ones(expand_dims(self.domain_dimension_tensor(), 0), self.dtype)

    def _assert_self_adjoint(self) -> Any:
        message = "row and col are not the same, and so this operator is not self-adjoint."
        return assert_equal(self._row, self._col, message=message)
