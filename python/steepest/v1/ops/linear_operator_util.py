"""What operators do with matrices whose batches differ, and what is asserted of their elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..graph.build import shape_of
from ..graph.scopes import name_scope
from ..graph.static_values import constant_value
from .array_ops import shape
from .cast_ops import cast
from .check_ops import assert_rank
from .compare_checks import assert_equal, assert_less, assert_non_negative
from .complex_ops import imag
from .concat_ops import concat
from .control_flow_ops import with_dependencies
from .creation_ops import zeros, zeros_like
from .linalg_ops import matrix_solve
from .math_ops import abs as _abs
from .matmul_ops import matmul
from .rearranging_ops import broadcast_dynamic_shape, broadcast_static_shape
from .sparse_ops import convert_to_tensor
from .triangular_ops import cholesky_solve, matrix_triangular_solve

__all__ = [
    "Followed",
    "assert_compatible_matrix_dimensions",
    "assert_is_batch_matrix",
    "assert_no_entries_with_modulus_zero",
    "assert_zero_imag_part",
    "batch_of",
    "broadcast_matrix_batch_dims",
    "cholesky_solve_with_broadcast",
    "is_variable",
    "kept_by",
    "matmul_with_broadcast",
    "matrix_solve_with_broadcast",
    "matrix_triangular_solve_with_broadcast",
    "size_of",
    "use_operator_or_provided_hint_unless_contradicting",
    "with_proper_rows",
]


def is_variable(value: Any) -> bool:
    """Tell whether something is a variable, of a graph or of eager mode."""
    return hasattr(value, "assign") and hasattr(value, "trainable")


class Followed:
    """An attribute that an operator is made of: a tensor, or a variable, which is read whenever it is used."""

    def __init__(self, name: str, change: Callable[[Any], Any] | None = None) -> None:
        self._name, self._change, self._slot = name, change, name

    def __set_name__(self, owner: type, name: str) -> None:
        self._slot = f"{name}_given"

    def __set__(self, operator: Any, value: Any) -> None:
        kept = value if value is None or is_variable(value) else convert_to_tensor(value, name=self._name)
        if kept is not None and self._change is not None and not is_variable(kept):
            kept = self._change(kept)
        vars(operator)[self._slot] = kept

    def __get__(self, operator: Any, owner: type | None = None) -> Any:
        if operator is None:
            return self
        kept = vars(operator)[self._slot]
        if kept is None or not is_variable(kept):
            return kept
        read = convert_to_tensor(kept, name=self._name)
        return read if self._change is None else self._change(read)


def kept_by(operator: Any) -> dict[str, Any]:
    """Return the tensors and variables that an operator follows, by the names of its arguments."""
    found = [each for kind in type(operator).__mro__ for each in vars(kind).values() if isinstance(each, Followed)]
    return {each._name: vars(operator)[each._slot] for each in found if each._slot in vars(operator)}


def assert_no_entries_with_modulus_zero(x: Any, message: str | None = None, name: str | None = None) -> Any:
    """Return an operation that raises InvalidArgumentError where an element is 0."""
    with name_scope(name, "assert_no_entries_with_modulus_zero"):
        length = _abs(convert_to_tensor(x, name="x"))
        return assert_less(zeros_like(length), length, message=message)


def assert_zero_imag_part(x: Any, message: str | None = None, name: str | None = None) -> Any:
    """Return an operation that raises InvalidArgumentError where an element is no real number."""
    with name_scope(name, "assert_zero_imag_part"):
        x = convert_to_tensor(x, name="x")
        part = imag(x) if x.dtype.is_complex else zeros_like(x)
        return assert_equal(zeros_like(part), part, message=message)


def assert_is_batch_matrix(tensor: Any) -> None:
    """Raise ValueError for a tensor that is known to have fewer than two axes."""
    known = shape_of(tensor)
    if known is not None and len(known) < 2:
        raise ValueError(f"Expected [batch] matrix to have at least two dimensions.  Found: {tensor}")


def assert_compatible_matrix_dimensions(operator: Any, x: Any) -> Any:
    """Return an operation that raises InvalidArgumentError unless ``x`` has as many rows as the operator columns."""
    return assert_equal(shape(x)[-2], operator.domain_dimension_tensor(), message="Incompatible matrix dimensions.")


def with_proper_rows(operator: Any, x: Any, axis: int, proper: bool) -> Any:
    """Return ``x``; a run asserts that it has as many rows as the operator where ``proper`` is set.

    Raises ValueError for what is known to have others.
    """
    x.shape[axis].assert_is_compatible_with(operator.domain_dimension)
    if not proper or (x.shape[axis].value is not None and operator.domain_dimension.value is not None):
        return x
    words = "Dimensions are not compatible.  shape[-2] of argument to be the same as this operator"
    return with_dependencies([assert_equal(shape(x)[axis], operator.domain_dimension_tensor(), message=words)], x)


def broadcast_matrix_batch_dims(batch_matrices: Sequence[Any], name: str | None = None) -> list[Any]:
    """Return matrices with the batch shape that all of theirs broadcast to.

    Raises ValueError for a tensor that is no matrix, or batches that do not broadcast.
    """
    with name_scope(name, "broadcast_matrix_batch_dims"):
        matrices = [convert_to_tensor(each) for each in batch_matrices]
        for each in matrices:
            assert_is_batch_matrix(each)
        if len(matrices) < 2:
            return matrices
        known = [each.shape for each in matrices]
        if all(each.is_fully_defined() for each in known):
            batch = known[0][:-2]
            for each in known[1:]:
                batch = broadcast_static_shape(batch, each[:-2])
            if all(each[:-2].as_list() == batch.as_list() for each in known):
                return matrices
            sizes: Any = [*batch.as_list(), 1, 1]
        else:
            batch = shape(matrices[0])[:-2]
            for each in matrices[1:]:
                batch = broadcast_dynamic_shape(batch, shape(each)[:-2])
            sizes = concat([batch, [1, 1]], 0)
        wide = zeros(sizes, matrices[0].dtype)
        return [each + cast(wide, each.dtype) for each in matrices]


def _broadcasting(function: Callable[..., Any], text: str) -> Callable[..., Any]:
    def solve(matrix: Any, rhs: Any, *args: Any, **kwargs: Any) -> Any:
        matrix, rhs = broadcast_matrix_batch_dims([matrix, rhs])
        return function(matrix, rhs, *args, **kwargs)

    solve.__doc__ = text
    return solve


cholesky_solve_with_broadcast = _broadcasting(cholesky_solve, "Do what `tf.cholesky_solve` does, of one batch shape.")
matmul_with_broadcast = _broadcasting(matmul, "Do what `tf.matmul` does, of one batch shape.")
matrix_solve_with_broadcast = _broadcasting(matrix_solve, "Do what `tf.matrix_solve` does, of one batch shape.")
matrix_triangular_solve_with_broadcast = _broadcasting(
    matrix_triangular_solve, "Do what `tf.matrix_triangular_solve` does, of one batch shape."
)


def use_operator_or_provided_hint_unless_contradicting(
    operator: Any, hint_attr_name: str, provided_hint_value: bool | None, message: str
) -> bool | None:
    """Return what an operator or a caller knows; ValueError with the message where they say opposite things."""
    own = getattr(operator, hint_attr_name)
    if None not in (own, provided_hint_value) and own != provided_hint_value:
        raise ValueError(message)
    return provided_hint_value if own is None else own


def batch_of(value: Any, proper: bool) -> Any:
    """Return the shape of a batch as a tensor, which a run checks where ``proper`` is set.

    Raises TypeError for numbers that are no integers, ValueError for what is known to be no shape.
    """
    is_empty = isinstance(value, (list, tuple)) and not value
    sizes = convert_to_tensor(value, "int32" if is_empty else None, name="batch_shape_arg")
    if not sizes.dtype.is_integer:
        raise TypeError(f"Argument batch_shape must be integer type.  Found: {sizes}")
    if sizes.shape.ndims not in (None, 1):
        raise ValueError(f"Argument batch_shape must be a 1-D Tensor.  Found: {value}")
    known = constant_value(sizes)
    if known is not None and (known < 0).any():
        raise ValueError(f"Argument batch_shape must be non-negative.  Found:{value}")
    return _proper(sizes, "batch_shape", 1) if proper and known is None else sizes


def _proper(size: Any, name: str, ndims: int) -> Any:
    rank = assert_rank(size, ndims, message=f"Argument {name} must be a {ndims}-D Tensor.")
    return with_dependencies([rank, assert_non_negative(size, message=f"Argument {name} must be non-negative.")], size)


def size_of(value: Any, name: str, proper: bool = False) -> Any:
    """Return a size as an integer where it is known, else as a tensor, which a run checks where ``proper`` is set.

    Raises TypeError and ValueError for what is no size.
    """
    size = convert_to_tensor(value, name=name)
    if not size.dtype.is_integer:
        raise TypeError(f"Argument {name} must be integer type.  Found: {size}")
    if size.shape.ndims not in (None, 0):
        raise ValueError(f"Argument {name} must be a 0-D Tensor.  Found: {value}")
    known = constant_value(size)
    if known is not None and known < 0:
        raise ValueError(f"Argument {name} must be non-negative.  Found: {value}")
    if known is None:
        return _proper(size, name, 0) if proper else size
    return int(known)
