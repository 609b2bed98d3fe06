"""Tests of operators as values of several tensors, and of operators that two of them make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autodiff.gradients import gradients
from ..functions.traced_functions import function
from ..graph.graph import Graph
from ..graph.nests import flatten, pack_sequence_as
from ..ops.creation_ops import ones_like
from ..ops.linear_operator_util import matrix_solve_with_broadcast
from ..ops.loop_ops import while_loop
from ..ops.matmul_ops import matmul

__all__ = ["OF_TWO", "OF_VALUES", "value_test"]


def _check_kind(value: Any, operator: Any) -> None:
    if type(value) is not type(operator):
        raise AssertionError(f"expected a {type(operator).__name__}, got {value!r}")


def _as_argument(test: Any, session: Any, operator: Any, matrix: Any, fed: bool) -> None:
    """Check that an operator is made again of its tensors, taken by functions and carried by loops."""
    again = pack_sequence_as(operator, flatten(operator, expand_composites=True), expand_composites=True)
    _check_kind(again, operator)
    x = test.make_x(operator, adjoint=False)
    of_function, want = function(lambda each: each.matmul(x))(again), matmul(matrix, x)
    if not fed:
        test.assertAllEqual(want.shape, of_function.shape)
    of_loop = while_loop(
        lambda *_: True, lambda each: (type(each)(**each.parameters),), (operator,), maximum_iterations=3
    )
    (carried,) = of_loop if isinstance(of_loop, (list, tuple)) else (of_loop,)
    values = session.run([of_function, carried.matmul(x), want])
    test.assertAC(values[0], values[2])
    test.assertAC(values[1], values[2])


def _differentiated(test: Any, session: Any, operator: Any, matrix: Any, fed: bool) -> None:
    """Check that the gradient of an operator is one of its tensors' gradients."""
    x = test.make_x(operator, adjoint=False)
    y = operator.matmul(x)
    (found,) = gradients(y, operator, grad_ys=ones_like(y))
    parts = flatten(operator, expand_composites=True)
    told = pack_sequence_as(operator, parts, expand_composites=True).matmul(x)
    want = gradients(told, parts, grad_ys=ones_like(told))
    if all(each is None for each in want):
        if found is not None:
            raise AssertionError(f"there is no gradient, but got {found!r}")
        return
    _check_kind(found, operator)
    for own, other in zip(flatten(found, expand_composites=True), want, strict=True):
        if other is not None:
            test.assertAllClose(own, other)


OF_VALUES: dict[str, Callable[..., None]] = {
    "composite_tensor": _as_argument,
    "composite_tensor_gradient": _differentiated,
}
"""What is asked of an operator with its session and matrix, by the name of the test."""
OF_TWO: dict[str, tuple[str, Callable[..., Any]]] = {
    "operator_matmul_with_same_type": ("matmul", matmul),
    "operator_solve_with_same_type": ("solve", matrix_solve_with_broadcast),
}
"""The methods of two operators of one class whose result is one too, and what their matrices make."""


def value_test(info: Any, dtype: Any, fed: bool, name: str) -> Callable[[Any], None]:
    """Return a test that makes its operators itself."""

    def test(self: Any) -> None:
        with Graph().as_default() as graph, self.session(graph=graph) as session:
            graph.seed = 87654321
            first = self.operator_and_matrix(info, dtype, use_placeholder=fed)
            if name in OF_VALUES:
                OF_VALUES[name](self, session, *first, fed)
                return
            second = self.operator_and_matrix(info, dtype, use_placeholder=fed)
            method, of_matrices = OF_TWO[name]
            made = getattr(first[0], method)(second[0])
            _check_kind(made, first[0])
            self.assertAC(*session.run([of_matrices(first[1], second[1]), made.to_dense()]))

    return test
