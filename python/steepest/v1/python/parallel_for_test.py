"""TensorFlow's ``parallel_for.test_util``: a test case that compares `pfor` with `for_loop`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import nest
from ..test import TestCase
from ..variables.variables_initializer import global_variables_initializer
from .parallel_for import for_loop, pfor

__all__ = ["PForTestCase"]


class PForTestCase(TestCase):
    """A test case of loops. Source: TensorFlow's ``parallel_for.test_util.PForTestCase``."""

    def _run_targets(self, targets1: Any, targets2: Any = None, run_init: bool = True) -> list[Any]:
        first, second = nest.flatten(targets1), [] if targets2 is None else nest.flatten(targets2)
        assert len(first) == len(second) or not second
        if run_init:
            self.evaluate(global_variables_initializer())
        results: list[Any] = self.evaluate(first + second)
        return results

    def run_and_assert_equal(self, targets1: Any, targets2: Any) -> None:
        """Compute both, and compare."""
        outputs = nest.flatten(self._run_targets(targets1, targets2))
        half = len(outputs) // 2
        for one, other in zip(outputs[:half], outputs[half:], strict=True):
            if np.asarray(one).dtype == object:
                self.assertAllEqual(one, other)
            else:
                self.assertAllClose(other, one, rtol=1e-4, atol=1e-5)

    def _test_loop_fn(
        self,
        loop_fn: Callable[..., Any],
        iters: Any,
        loop_fn_dtypes: Any = "float32",
        parallel_iterations: int | None = None,
    ) -> None:
        one = pfor(loop_fn, iters, parallel_iterations)
        self.run_and_assert_equal(one, for_loop(loop_fn, loop_fn_dtypes, iters, parallel_iterations))
