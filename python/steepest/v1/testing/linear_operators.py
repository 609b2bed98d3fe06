"""Tests that a class of `LinearOperator` does what its matrix does: `add_tests` makes them for each type and shape."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any, ClassVar

from ..autodiff.tapes import GradientTape
from ..graph.dtypes import as_dtype
from ..graph.errors import OpError
from ..graph.graph import Graph
from ..graph.mode import executing_eagerly
from ..graph.nests import flatten
from ..graph.shapes import TensorShape
from ..ops.concat_ops import concat
from ..ops.creation_ops import ones
from ..ops.linear_operator_util import is_variable
from ..test import TestCase
from .operator_answers import NEARLY, OF_ARGUMENT, OF_DEFINITE, OF_OPERATOR, parts_of
from .operator_values import OF_TWO, OF_VALUES, value_test
from .random_matrices import random_normal
from .test_modes import run_deprecated_v1

__all__ = [
    "CheckTapeSafeSkipOptions",
    "LinearOperatorDerivedClassTest",
    "NonSquareLinearOperatorDerivedClassTest",
    "OperatorShapesInfo",
    "SquareLinearOperatorDerivedClassTest",
    "add_tests",
]

# How near results must be, by their type.
_LIMITS = {
    as_dtype(name): limit
    for name, limit in (
        ("float16", 1e-3),
        ("float32", 1e-6),
        ("float64", 1e-12),
        ("complex64", 1e-6),
        ("complex128", 1e-12),
    )
}


class OperatorShapesInfo:
    """The shape of an operator to test, and what else its test wants to know."""

    def __init__(self, shape: Any, **kwargs: Any) -> None:
        self.shape = shape
        self.__dict__.update(kwargs)


class CheckTapeSafeSkipOptions:
    """Names of methods."""

    DETERMINANT = "determinant"
    DIAG_PART = "diag_part"
    LOG_ABS_DETERMINANT = "log_abs_determinant"
    TRACE = "trace"


class LinearOperatorDerivedClassTest(TestCase):
    """Base class of tests: a subclass says which operator to make, with which matrix, and what to multiply.

    Source: TensorFlow's ``linear_operator_test_util``.
    """

    _atol: ClassVar[dict[Any, float]] = dict(_LIMITS)  # a subclass may change them
    _rtol: ClassVar[dict[Any, float]] = dict(_LIMITS)

    def assertAC(self, x: Any, y: Any) -> None:
        """Compare arrays with the limits of their type."""
        kind = as_dtype(x.dtype)
        self.assertAllClose(x, y, atol=self._atol[kind], rtol=self._rtol[kind])

    @staticmethod
    def adjoint_options() -> list[bool]:
        """Return whether operators are taken as they are, and as their adjoints."""
        return [False, True]

    @staticmethod
    def adjoint_arg_options() -> list[bool]:
        """Return whether arguments are taken as they are, and as their adjoints."""
        return [False, True]

    @staticmethod
    def dtypes_to_test() -> list[Any]:
        """Return the types to test."""
        return [as_dtype(name) for name in ("float32", "float64", "complex64", "complex128")]

    @staticmethod
    def use_placeholder_options() -> list[bool]:
        """Return whether operators are made of constants, and of what is fed."""
        return [False, True]

    @staticmethod
    def operator_shapes_infos() -> list[OperatorShapesInfo]:
        """Return the shapes to test."""
        raise NotImplementedError("operator_shapes_infos has not been implemented.")

    @staticmethod
    def skip_these_tests() -> list[str]:
        """Return the names of tests to leave out."""
        return []

    @staticmethod
    def optional_tests() -> list[str]:
        """Return the names of tests that are made where they are asked for."""
        return []

    @staticmethod
    def use_blockwise_arg() -> bool:
        """Return whether arguments are cut into blocks."""
        return False

    def operator_and_matrix(
        self, shapes_info: Any, dtype: Any, use_placeholder: bool, ensure_self_adjoint_and_pd: bool = False
    ) -> Any:
        """Return an operator and its matrix."""
        raise NotImplementedError("Not implemented yet.")

    def make_rhs(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """Return the right side of an equation."""
        raise NotImplementedError("make_rhs is not defined.")

    def make_x(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """Return what is multiplied."""
        raise NotImplementedError("make_x is not defined.")

    def assertRaisesError(self, msg: str) -> Any:
        """Expect an error of a run, or of a call in eager mode, that says this."""
        return self.assertRaisesWithPredicateMatch(Exception if executing_eagerly() else OpError, msg)

    def check_tape_safe(self, operator: Any, skip_options: Any = None) -> None:
        """Assert that tapes give gradients of what the operator tells, by the variables that it is made of.

        Raises AssertionError for an operator without variables.

        Args:
            operator: the operator.
            skip_options: names of `CheckTapeSafeSkipOptions`, of what has no gradients.
        """
        sources = operator.variables
        if not sources:
            raise AssertionError("`operator.variables` was empty")

        def check(ask: Callable[[], Any]) -> None:
            with GradientTape() as tape:
                told = ask()
            if any(each is None for each in tape.gradient(told, sources)):
                raise AssertionError(f"a gradient of {told!r} is None")

        x = ones(operator.adjoint().shape_tensor()[:-1], operator.dtype)
        check(operator.to_dense)
        check(lambda: operator.adjoint().to_dense())
        check(lambda: operator.matvec(x))
        if not operator.is_square:
            return
        for name in ("determinant", "log_abs_determinant", "diag_part", "trace"):
            if name not in (skip_options or []):
                check(getattr(operator, name))
        if operator.is_non_singular is False:
            return
        check(lambda: operator.inverse().to_dense())
        check(lambda: operator.solvevec(x))
        if operator.is_self_adjoint and operator.is_positive_definite:
            check(lambda: operator.cholesky().to_dense())

    def check_convert_variables_to_tensors(self, operator: Any) -> None:
        """Assert that an operator of the values of variables tells what the operator of the variables does."""
        read = operator._convert_variables_to_tensors()
        if type(read) is not type(operator) or any(map(is_variable, flatten(read, expand_composites=True))):
            raise AssertionError(f"{read!r} is not {operator!r} without variables")
        self.assertAllClose(*self.evaluate([operator.to_dense(), read.to_dense()]))

    def _columns_for(self, operator: Any, rows: str, with_batch: bool) -> Any:
        """Return a random matrix to multiply: one column, or two where the operator has an even number of axes."""
        columns = 1 if operator.tensor_rank is None or operator.tensor_rank % 2 else 2
        if operator.shape.is_fully_defined():
            batch, count = operator.batch_shape.as_list(), getattr(operator, rows).value
        else:
            batch, count = operator.batch_shape_tensor(), getattr(operator, f"{rows}_tensor")()
        sizes = concat([batch, [count, columns]], 0) if with_batch else [count, columns]
        if with_batch and isinstance(batch, list):
            sizes = [*batch, count, columns]
        return random_normal(sizes, dtype=operator.dtype)


class SquareLinearOperatorDerivedClassTest(LinearOperatorDerivedClassTest):
    """Base class of tests of square operators."""

    @staticmethod
    def operator_shapes_infos() -> list[OperatorShapesInfo]:
        """Return shapes without and with batches, one of them empty."""
        return [OperatorShapesInfo(each) for each in ((0, 0), (1, 1), (1, 3, 3), (3, 4, 4), (2, 1, 4, 4))]

    def make_rhs(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """Return the right side of an equation."""
        return self.make_x(operator, not adjoint, with_batch)

    def make_x(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """Return what is multiplied."""
        return self._columns_for(operator, "domain_dimension", with_batch)


class NonSquareLinearOperatorDerivedClassTest(LinearOperatorDerivedClassTest):
    """Base class of tests of operators with more rows than columns, or fewer."""

    @staticmethod
    def skip_these_tests() -> list[str]:
        """Return the tests that need a square operator."""
        return ["cholesky", "eigvalsh", "inverse", "solve", "solve_with_broadcast", "det", "log_abs_det"]

    @staticmethod
    def operator_shapes_infos() -> list[OperatorShapesInfo]:
        """Return shapes without and with batches."""
        return [OperatorShapesInfo(each) for each in ((2, 1), (1, 2), (1, 3, 2), (3, 3, 4), (2, 1, 2, 4))]

    def make_rhs(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """Raise NotImplementedError: nothing is solved."""
        raise NotImplementedError("make_rhs not implemented because we don't test solve")

    def make_x(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """Return what is multiplied."""
        return self._columns_for(operator, "range_dimension" if adjoint else "domain_dimension", with_batch)


def _test(ask: Any, info: Any, dtype: Any, fed: bool, name: str, **options: bool) -> Callable[[Any], None]:
    def test(self: Any) -> None:
        if name == "slicing" and (len(info.shape) <= 2 or info.shape[0] <= 1):
            return  # there is nothing to take a part of
        if name == "cond" and 0 in info.shape[-2:]:
            return  # there are no singular values
        if not options.get("with_batch", True) and len(info.shape) <= 2:
            return  # it is the same without a batch
        with Graph().as_default() as graph, self.session(graph=graph) as session:
            graph.seed = 87654321
            extra = {"ensure_self_adjoint_and_pd": True} if name in OF_DEFINITE else {}
            operator, matrix = self.operator_and_matrix(info, dtype, use_placeholder=fed, **extra)
            got, want = ask(self, operator, matrix, **options) if options else ask(operator, matrix)
            if not fed:
                self.assertAllEqual(TensorShape(got.shape).as_list(), TensorShape(want.shape).as_list())
            values = session.run([got, want])
            if name in NEARLY:
                limit = 1e-3 if values[1].dtype.itemsize <= 4 or dtype.name == "complex64" else 1e-6
                self.assertAllClose(*values, atol=limit, rtol=limit)
            else:
                self.assertAC(*values)

    return test


def add_tests(test_cls: Any) -> None:
    """Give a class of tests its methods: one for each type, shape and way to ask. Raises RuntimeError for one twice."""
    variants = itertools.product(
        test_cls.dtypes_to_test(), test_cls.use_placeholder_options(), test_cls.operator_shapes_infos()
    )
    skipped = test_cls.skip_these_tests()
    for dtype, fed, info in variants:
        label = f"_shape={info.shape},dtype={dtype},use_placeholder={fed}"
        made = {
            f"test_{name}_{label}": _test(ask, info, dtype, fed, name)
            for name, ask in OF_OPERATOR.items()
            if name not in skipped
        }
        names = [*OF_VALUES, *(name for name in OF_TWO if name in test_cls.optional_tests())]
        made |= {f"test_{name}_{label}": value_test(info, dtype, fed, name) for name in names if name not in skipped}
        if "slicing" not in skipped:
            axes = len(info.shape) - 2
            made[f"test_slicing_{label}"] = _test(functools.partial(parts_of, axes), info, dtype, fed, "slicing")
        ways = itertools.product(test_cls.adjoint_options(), test_cls.adjoint_arg_options())
        for (name, (pair, batch)), (adjoint, arg) in itertools.product(OF_ARGUMENT.items(), ways):
            if name not in skipped:
                options = {"adjoint": adjoint, "adjoint_arg": arg, "with_batch": batch}
                key = f"test_{name}_{label},adjoint={adjoint},adjoint_arg={arg}"
                made[key] = _test(pair, info, dtype, fed, name, **options)
        for name, test in made.items():
            if hasattr(test_cls, name):
                raise RuntimeError(f"Test {name} defined more than once")
            setattr(test_cls, name, run_deprecated_v1(test))
