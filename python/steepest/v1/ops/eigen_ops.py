"""Eigenvalues and eigenvectors: of symmetric matrices, of those with three diagonals, of any square ones."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.build import call, convert, dtype_of
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.scopes import name_scope
from .cast_ops import cast
from .complex_ops import conj, real
from .decomposition_ops import several
from .diagonal_ops import matrix_diag
from .gather_ops import boolean_mask
from .linalg_ops import in_floats, square
from .math_ops import logical_and
from .sparse_ops import convert_to_tensor

__all__ = ["eig", "eigh_tridiagonal", "eigvals", "eigvalsh", "self_adjoint_eig", "self_adjoint_eigvals"]


_SELF_ADJOINT = "Self-adjoint eigen"


class Eig(NamedTuple):
    """The eigenvalues and the eigenvectors, in columns."""

    e: Any
    v: Any


def self_adjoint_eig(tensor: Any, name: str | None = None) -> Any:
    """Return eigenvalues, smallest first, and eigenvectors in columns, of a symmetric matrix."""

    def parts(x: Any) -> Any:
        found = np.linalg.eigh(_finite(x, _SELF_ADJOINT))
        return found[0].astype(x.dtype), found[1]

    def shapes(s: Any) -> Any:
        return [None, None] if s is None else [square(s)[:-1], square(s)]

    return several("SelfAdjointEigV2", parts, tensor, shapes, name)


def self_adjoint_eigvals(tensor: Any, name: str | None = None) -> Any:
    """Return the eigenvalues of a symmetric matrix, smallest first."""
    return call(
        "SelfAdjointEigV2",
        in_floats(lambda x: np.linalg.eigvalsh(_finite(x, _SELF_ADJOINT)).astype(x.dtype)),
        (tensor,),
        name=name,
        shape=lambda s: None if s is None else square(s)[:-1],
    )


eigvalsh = self_adjoint_eigvals


def complex_of(input: Any, output: Any = None) -> tuple[Any, Any]:
    """Return the input, and the type of its eigenvalues. Raises InvalidArgumentError where another one is wanted."""
    x = input if executing_eagerly() else convert(input)
    own = dtype_of(x).base_dtype
    wanted = own if own.is_complex else as_dtype("complex64" if own.size <= 4 else "complex128")
    if output is not None and as_dtype(output) != wanted:
        text = f"Invalid output dtype {as_dtype(output).name} for the type {own.name}: it must be {wanted.name}"
        raise InvalidArgumentError(None, None, text)
    return x, wanted


def _finite(x: Any, kind: str = "Eigen") -> Any:
    if not np.isfinite(unwrap(x)).all():
        words = f"{kind} decomposition was not successful. The input might not be valid."
        raise InvalidArgumentError(None, None, words)
    return x


def eig(tensor: Any, name: str | None = None) -> Any:
    """Return the eigenvalues and the eigenvectors, in columns of length 1, of any square matrices, as complex numbers.

    Neither their order nor the phases of the vectors mean anything. Raises InvalidArgumentError, when a session runs,
    for matrices with NaNs or infinities. Source: ``tf.linalg.eig``.
    """
    x, dtype = complex_of(tensor)

    def parts(a: Any) -> Any:
        found = np.linalg.eig(_finite(a).astype(dtype.dtype))
        return found[0], found[1]

    def shapes(s: Any) -> Any:
        return [None, None] if s is None else [square(s)[:-1], square(s)]

    return Eig(*several("Eig", parts, x, shapes, name, dtype, dtype))


def eigvals(tensor: Any, name: str | None = None) -> Any:
    """Return the eigenvalues of any square matrices, as complex numbers. Source: ``tf.linalg.eigvals``."""
    x, dtype = complex_of(tensor)

    def values(a: Any) -> Any:
        return np.linalg.eigvals(_finite(a).astype(dtype.dtype))

    return call("Eig", values, (x,), name=name, shape=lambda s: None if s is None else square(s)[:-1], dtype=dtype)


def eigh_tridiagonal(
    alpha: Any,
    beta: Any,
    eigvals_only: bool = True,
    select: str = "a",
    select_range: Any = None,
    tol: Any = None,
    name: str | None = None,
) -> Any:
    """Return the eigenvalues, smallest first, of a Hermitian matrix that has three diagonals.

    Args:
        alpha: The diagonal, ``[N]``.
        beta: The diagonal above it, ``[N - 1]``; that below has its conjugates.
        eigvals_only: ``False`` gives the eigenvectors too, in columns.
        select, select_range: "a" for all; "i" for those from one index to another, which counts too; "v" for those
            that are larger than one number, and not larger than another.
        tol: how exact values must be: they are as exact as the type.

    Raises ValueError for another ``select``, or for a range that is none. Source: ``tf.linalg.eigh_tridiagonal``.
    """
    del tol
    with name_scope(name, "eigh_tridiagonal"):
        alpha = convert_to_tensor(alpha, name="alpha")
        beta = convert_to_tensor(beta, dtype=alpha.dtype, name="beta")
        if select not in ("a", "i", "v"):
            raise ValueError("select must have a value in {'a', 'i', 'v'}.")
        if alpha.shape.ndims != 1 or beta.shape.ndims != 1:
            raise ValueError("Only vectors of diagonals are supported.")
        if alpha.shape[0].value == 1:
            values, vectors = real(alpha), (alpha * 0 + 1)[:, None]
        else:
            middle = cast(real(alpha), alpha.dtype)
            matrix = matrix_diag(middle) + matrix_diag(beta, k=1) + matrix_diag(conj(beta), k=-1)
            values, vectors = self_adjoint_eig(matrix)
            values = real(values)
        if select == "i":
            first, last = select_range
            if first > last:
                raise ValueError("Got empty index range in select_range.")
            values, vectors = values[first : last + 1], vectors[:, first : last + 1]
        elif select == "v":
            low, high = (cast(real(convert_to_tensor(bound, dtype=None)), values.dtype) for bound in select_range)
            kept = logical_and(values >= low, values <= high)
            values, vectors = boolean_mask(values, kept), boolean_mask(vectors, kept, axis=1)
        return values if eigvals_only else (values, vectors)
