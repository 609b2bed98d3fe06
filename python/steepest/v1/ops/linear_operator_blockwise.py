"""What operators of blocks on a diagonal share: what they are applied to may be a list of blocks."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

from ..graph.nests import is_nested
from ..graph.shapes import TensorShape
from .array_ops import expand_dims, squeeze
from .concat_ops import concat, split, stack
from .decomposition_ops import adjoint as transposed
from .linear_operator import LinearOperator
from .linear_operator_derived import broadcast_batch
from .linear_operator_util import broadcast_matrix_batch_dims
from .sparse_ops import convert_to_tensor

__all__ = ["BlockwiseOperator", "arg_is_blockwise", "split_arg_into_blocks"]


def arg_is_blockwise(block_dimensions: Sequence[Any], arg: Any, arg_split_dim: int) -> bool:
    """Tell whether an argument is a list of blocks of sizes ``block_dimensions``, and not one tensor.

    Raises ValueError for lists of lists that could be either, or neither.
    """
    if not isinstance(arg, (tuple, list)) or len(arg) != len(block_dimensions):
        return False
    if not any(map(is_nested, arg)):
        return True
    own = [each.value for each in block_dimensions]
    sizes = [convert_to_tensor(each).shape[arg_split_dim].value for each in arg]
    if all(each is None for each in own):
        if len(sizes) == 1:
            return False
        if any(each != sizes[0] for each in sizes):
            return True
        raise ValueError(
            "Parsing of the input structure is ambiguous. Please input a blockwise iterable of `Tensor`s or a single "
            "`Tensor`."
        )
    if all(each is None or each == size for each, size in zip(own, sizes, strict=True)):
        return True
    if all(size == sizes[0] for size in sizes) and sizes[0] >= sum(each for each in own if each is not None):
        return False
    raise ValueError("Input dimension does not match operator dimension.")


def split_arg_into_blocks(block_dims: Sequence[Any], block_dims_fn: Callable[[], Any], arg: Any, axis: int = -1) -> Any:
    """Return the parts of a tensor that blocks of these sizes meet; where one is not known, ``block_dims_fn`` tells."""
    sizes = [each.value for each in block_dims]
    return split(arg, block_dims_fn() if None in sizes else sizes, axis=axis)


def _joined(parts: Sequence[Any]) -> Any:
    """Return matrices one below the other, of one batch shape."""
    return concat(broadcast_matrix_batch_dims(parts), -2)


class BlockwiseOperator(LinearOperator):
    """What operators share that can be applied to lists of blocks: each finds the list of results."""

    @property
    def _diagonal_operators(self) -> list[LinearOperator]:
        """The blocks on the diagonal."""
        raise NotImplementedError

    def _matmul_blocks(self, parts: Sequence[Any], adjoint: bool, adjoint_arg: bool) -> list[Any]:
        raise NotImplementedError

    def _solve_blocks(self, parts: Sequence[Any], adjoint: bool) -> list[Any]:
        raise NotImplementedError

    def _block_range_dimensions(self) -> list[Any]:
        return [each.range_dimension for each in self._diagonal_operators]

    def _block_domain_dimensions(self) -> list[Any]:
        return [each.domain_dimension for each in self._diagonal_operators]

    def _block_range_dimension_tensors(self) -> list[Any]:
        return [each.range_dimension_tensor() for each in self._diagonal_operators]

    def _block_domain_dimension_tensors(self) -> list[Any]:
        return [each.domain_dimension_tensor() for each in self._diagonal_operators]

    def _sizes(self, of_range: bool) -> list[Any]:
        return self._block_range_dimensions() if of_range else self._block_domain_dimensions()

    def _are_blocks(self, x: Any, of_range: bool, axis: int) -> bool:
        return not isinstance(x, LinearOperator) and arg_is_blockwise(self._sizes(of_range), x, axis)

    def _blocks(self, given: Sequence[Any], of_range: bool, axis: int) -> list[Any]:
        """Return a list of blocks as tensors of the right type and sizes."""
        parts = []
        for each, size in zip(given, self._sizes(of_range), strict=True):
            part = each
            if not isinstance(each, LinearOperator):
                part = convert_to_tensor(each)
                self._check_input_dtype(part)
                size.assert_is_compatible_with(part.shape[axis])
            parts.append(part)
        return parts

    def _split(self, x: Any, of_range: bool, axis: int) -> Any:
        tensors = self._block_range_dimension_tensors if of_range else self._block_domain_dimension_tensors
        return split_arg_into_blocks(self._sizes(of_range), tensors, x, axis)

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Any:
        """Return the product with a matrix, with a list of its blocks, or the operator that is one with an operator."""
        axis = adjoint_arg - 2
        if not self._are_blocks(x, adjoint, axis):
            return super().matmul(x, adjoint, adjoint_arg, name)
        with self._name_scope(name):
            return self._matmul_blocks(self._blocks(x, adjoint, axis), adjoint, adjoint_arg)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Any:
        """Return the product with a vector, or with a list of its blocks."""
        if not self._are_blocks(x, adjoint, -1):
            return super().matvec(x, adjoint, name)
        with self._name_scope(name):
            columns = [expand_dims(each, -1) for each in self._blocks(x, adjoint, -1)]
            return [squeeze(each, axis=[-1]) for each in self.matmul(columns, adjoint=adjoint)]

    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve") -> Any:
        """Return the X of ``self @ X = rhs``, a list of blocks where ``rhs`` is one."""
        axis = adjoint_arg - 2
        if not self._are_blocks(rhs, not adjoint, axis):
            return super().solve(rhs, adjoint, adjoint_arg, name)
        self._must_be_square("Exact solve")
        with self._name_scope(name):
            parts = self._blocks(rhs, not adjoint, axis)
            return self._solve_blocks([transposed(each) for each in parts] if adjoint_arg else parts, adjoint)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """Return the x of ``self @ x = rhs``, a list of blocks where ``rhs`` is one."""
        if not self._are_blocks(rhs, not adjoint, -1):
            return super().solvevec(rhs, adjoint, name)
        with self._name_scope(name):
            columns = [expand_dims(each, -1) for each in self._blocks(rhs, not adjoint, -1)]
            return [squeeze(each, axis=[-1]) for each in self.solve(columns, adjoint=adjoint)]

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return _joined(self._matmul_blocks(self._split(x, adjoint, adjoint_arg - 2), adjoint, adjoint_arg))

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs = transposed(rhs) if adjoint_arg else rhs
        return _joined(self._solve_blocks(self._split(rhs, not adjoint, -2), adjoint))

    def _determinant(self) -> Any:
        return functools.reduce(operator.mul, [each.determinant() for each in self._diagonal_operators])

    def _log_abs_determinant(self) -> Any:
        return functools.reduce(operator.add, [each.log_abs_determinant() for each in self._diagonal_operators])

    def _of_vectors(self, vectors: Sequence[Any]) -> Any:
        return squeeze(_joined([expand_dims(each, -1) for each in vectors]), axis=[-1])

    def _must_have_square_blocks(self, what: str) -> None:
        if any(each.is_square is False for each in self._diagonal_operators):
            raise NotImplementedError(f"`{what}` not implemented for an operator whose blocks are not square.")

    def _diag_part(self) -> Any:
        self._must_have_square_blocks("diag_part")
        return self._of_vectors([each.diag_part() for each in self._diagonal_operators])

    def _trace(self) -> Any:
        self._must_have_square_blocks("trace")
        return functools.reduce(operator.add, [each.trace() for each in self._diagonal_operators])

    def _eigvals(self) -> Any:
        self._must_have_square_blocks("eigvals")
        return self._of_vectors([each.eigvals() for each in self._diagonal_operators])

    def _whole_tensor(self, batch: Any) -> Any:
        sizes = [functools.reduce(operator.add, self._block_range_dimension_tensors())]
        sizes.append(functools.reduce(operator.add, self._block_domain_dimension_tensors()))
        return concat([batch, stack(sizes)], 0)

    def _whole(self, blocks: Sequence[LinearOperator]) -> TensorShape:
        known = [[each.value for each in self._sizes(of_range)] for of_range in (True, False)]
        return broadcast_batch(blocks).concatenate([None if None in each else sum(each) for each in known])
