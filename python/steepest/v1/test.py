"""``tf.test``: a test case with sessions and comparisons of arrays."""

# ruff: noqa: PT009 - it is the base class of unittest's style
from __future__ import annotations

import os
import random
import re
import tempfile
import unittest
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any
from unittest import mock as mock  # tf.test.mock: not of this library, so not shown

import numpy as np

from ..ops.indexed_slices import IndexedSlices
from .autodiff.gradient_checker import compute_gradient, compute_gradient_error
from .errors import InvalidArgumentError, OpError
from .graph.default_session import get_default_session
from .graph.fetches import IndexedSlicesValue, SparseTensorValue
from .graph.graph import get_default_graph, reset_default_graph, within_graph
from .graph.missing import namespace
from .graph.mode import executing_eagerly
from .graph.nests import is_own, items_of, like
from .graph.node import Node
from .graph.session import Session
from .ops.sparse_ops import SparseTensor
from .random import set_random_seed
from .testing.benchmark import Benchmark, benchmark_config
from .testing.checked_thread import CheckedThread
from .testing.close_assertions import CloseAssertions
from .testing.eager_runs import EagerRuns
from .testing.later_helpers import create_local_cluster
from .testing.stub_out import StubOutForTesting
from .testing.temporary_folder import get_temp_dir, new_folder
from .testing.test_helpers import CapturedWrites, assert_equal_graph_def

__all__ = [
    "Benchmark",
    "StubOutForTesting",
    "TestCase",
    "assert_equal_graph_def",
    "benchmark_config",
    "compute_gradient",
    "compute_gradient_error",
    "create_local_cluster",
    "get_temp_dir",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_built_with_gpu_support",
    "is_built_with_rocm",
    "is_built_with_xla",
    "is_gpu_available",
    "main",
]

__getattr__, __dir__ = namespace(__name__)


def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """Return False."""
    return False


def is_built_with_cuda() -> bool:
    """Return False."""
    return False


is_built_with_gpu_support = is_built_with_rocm = is_built_with_xla = is_built_with_cuda


def gpu_device_name() -> str:
    """Return an empty string."""
    return ""


def main(argv: list[str] | None = None) -> None:
    """Run the tests of the program and exit."""
    unittest.main(argv=argv)


def _is_run(value: Any) -> bool:
    """Tell whether a session computes a value."""
    return isinstance(value, Node) or (hasattr(value, "graph") and not executing_eagerly())


def _gather(value: Any, nodes: list[Any]) -> None:
    """Put the nodes within lists, tuples and dicts into a list."""
    if isinstance(value, (list, tuple)):
        for each in value:
            _gather(each, nodes)
    elif isinstance(value, dict):
        for each in value.values():
            _gather(each, nodes)
    elif is_own(value):
        _gather(items_of(value), nodes)
    elif _is_run(value):
        nodes.append(value)


def _placed(value: Any, found: Iterator[Any]) -> Any:
    """Return lists, tuples and dicts with the next found value in the place of each node."""
    if isinstance(value, (list, tuple)):
        parts = [_placed(each, found) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, dict):
        return {key: _placed(each, found) for key, each in value.items()}
    if is_own(value):
        return like(value, _placed(items_of(value), found))
    if _is_run(value):
        return next(found)
    if callable(value) and not hasattr(value, "dtype") and executing_eagerly():
        return _placed(value(), found)
    if isinstance(value, SparseTensor):
        return SparseTensorValue(*_placed([value.indices, value.values, value.dense_shape], found))
    if isinstance(value, IndexedSlices):
        return IndexedSlicesValue(*_placed([value.values, value.indices, value.dense_shape], found))
    return value.numpy() if hasattr(value, "numpy") else value


def _holds_tensors(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_holds_tensors(each) for each in value)
    if isinstance(value, dict):
        return any(_holds_tensors(each) for each in value.values())
    return _is_run(value) or hasattr(value, "numpy")


def _placed_on(session: Session, use_gpu: bool) -> AbstractContextManager[None]:
    """Put the nodes that are made inside on the CPU, as TensorFlow's tests do where they do not ask for a GPU."""
    return nullcontext() if use_gpu else session.graph.device("/device:CPU:0")


class TestCase(CloseAssertions):
    """A test with a graph of its own. Source: ``tf.test.TestCase``."""

    _tempdir: str | None = None
    # Of the class: tests have a setUp of their own that does not call this one.
    _session: Session | None = None
    _session_arguments: tuple[Any, Any, bool] = (None, None, False)

    def setUp(self) -> None:
        """Begin with an empty graph and fixed seeds."""
        super().setUp()
        self._session = None
        random.seed(87654321)
        np.random.seed(87654321)  # noqa: NPY002 - TensorFlow's tests rely on it
        if not executing_eagerly() and not within_graph():
            reset_default_graph()
        set_random_seed(87654321)

    def tearDown(self) -> None:
        """Close the session that tests share."""
        if self._session is not None:
            self._session.close()
        super().tearDown()

    def get_temp_dir(self) -> str:
        """Return a folder of this test."""
        if self._tempdir is None:
            self._tempdir = new_folder(re.sub(r"[^\w.]", "_", f"{self.id()[-100:]}."))
        return self._tempdir

    @contextmanager
    def session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Iterator[Any]:
        """Give a new session, the default one inside."""
        if executing_eagerly():
            yield EagerRuns(self)
            return
        with Session(graph=graph or get_default_graph(), config=config) as session, _placed_on(session, use_gpu):
            yield session

    def test_session(self, *args: Any, **kwargs: Any) -> Any:
        """Give the test's one session, a new one for another graph: an old name, which programs use. It is no test."""
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")
        graph = args[0] if args else kwargs.get("graph")
        return (self._shared_session if graph is None else self.session)(*args, **kwargs)

    @contextmanager
    def cached_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Iterator[Any]:
        """Give the test's one session, made where it is missing, the default one inside.

        Raises ValueError where the session was made with other arguments.
        """
        if self._session is not None and not executing_eagerly():
            given = (graph, config, force_gpu)
            for name, one, other in zip(
                ("graph", "config", "force_gpu value"), given, self._session_arguments, strict=True
            ):
                if one is not other:
                    raise ValueError(
                        f"The {name} used to get the cached session is different than the one that was used to create "
                        "the session. Maybe create a new session with self.session()"
                    )
        with self._shared_session(graph, config, use_gpu, force_gpu) as session:
            yield session

    @contextmanager
    def _shared_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Iterator[Any]:
        if executing_eagerly():
            yield EagerRuns(self)
            return
        if self._session is None:
            self._session = Session(graph=graph or get_default_graph(), config=config)
            self._session_arguments = graph, config, force_gpu
        with self._session.graph.as_default(), self._session.as_default(), _placed_on(self._session, use_gpu):
            yield self._session

    def evaluate(self, tensors: Any) -> Any:
        """Return the values of tensors: in eager mode as they are, else of one run of the default session.

        Without a default session the test's own one runs, the same at each call. A name is that of a node.
        """
        if isinstance(tensors, str) and not executing_eagerly():
            session: Any = get_default_session()
            return self.evaluate((get_default_graph() if session is None else session.graph).as_graph_element(tensors))
        if callable(tensors) and not hasattr(tensors, "dtype"):
            return self.evaluate(tensors())
        nodes: list[Any] = []
        _gather(tensors, nodes)
        found = iter(self._evaluated(nodes) if nodes else [])
        return _placed(tensors, found)

    def _evaluated(self, nodes: list[Any]) -> Any:
        session: Any = get_default_session()
        if session is not None:
            return session.run(nodes)
        with nodes[0].graph.as_default(), self._shared_session() as own:
            return own.run(nodes)

    def _evaluated_or_given(self, value: Any) -> Any:
        return self.evaluate(value) if _holds_tensors(value) else value

    def _evaluated_together(self, a: Any, b: Any) -> tuple[Any, Any]:
        if _holds_tensors(a) and _holds_tensors(b):
            a, b = self.evaluate((a, b))
        return self._evaluated_or_given(a), self._evaluated_or_given(b)

    def assertNear(self, f1: Any, f2: Any, err: float, msg: str | None = None) -> None:
        """Fail where two numbers differ by more than ``err``."""
        self.assertTrue(np.abs(np.subtract(f1, f2)).item() <= float(err), msg or f"{f1!r} != {f2!r} +/- {err!r}")

    def assertArrayNear(self, farray1: Any, farray2: Any, err: float, msg: str | None = None) -> None:
        """Fail where numbers of two lists differ by more than ``err``."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for f1, f2 in zip(farray1, farray2, strict=True):
            self.assertNear(float(f1), float(f2), err, msg)

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """Return the context that expects a TensorFlow error whose message matches."""
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)

    def assertRaisesIncompatibleShapesError(self, exception_type: Any = InvalidArgumentError, func: Any = None) -> Any:
        """Return the context that expects an error of shapes that do not go together; with ``func`` call it there."""
        words = "Incompatible shapes|Dimensions must be equal|required broadcastable shapes"
        context = self.assertRaisesWithPredicateMatch(exception_type, words)
        if func is None:
            return context
        with context:
            return func()

    @contextmanager
    def captureWritesToStream(self, stream: Any) -> Iterator[CapturedWrites]:
        """Give what is written to a stream of the process, such as ``sys.stderr``, inside."""
        stream.flush()
        number = stream.fileno()
        file, path = tempfile.mkstemp(dir=self.get_temp_dir())
        before = os.dup(number)
        os.dup2(file, number)
        try:
            yield CapturedWrites(path)
        finally:
            stream.flush()
            os.close(file)
            os.dup2(before, number)
            os.close(before)

    def checkedThread(self, target: Any, args: Any = None, kwargs: Any = None) -> CheckedThread:
        """Return a thread whose ``join`` fails the test where the thread failed."""
        return CheckedThread(self, target, args or (), kwargs or {})

    def assertStartsWith(self, actual: str, expected_start: str, msg: str | None = None) -> None:
        """Fail where a text begins otherwise."""
        self.assertTrue(actual.startswith(expected_start), msg or f"{actual!r} does not start with {expected_start!r}")
