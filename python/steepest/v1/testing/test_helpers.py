"""What TensorFlow's tests take from its helpers besides modes: conditions, checks of graphs, layouts of images."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from ..graph.graph_def import GraphDef
from ..graph.session import Session
from ..ops.array_ops import transpose
from ..ops.check_ops import is_tensor
from ..ops.v2_behavior import v2_behavior_enabled
from .in_functions import py_func_if_in_function
from .test_modes import eager_mode

__all__ = [
    "CapturedWrites",
    "ErrorLoggingSession",
    "GpuSupportsHalfMatMulAndConv",
    "IsBuiltWithROCm",
    "IsGoogleCudaEnabled",
    "IsMklEnabled",
    "NCHWToNHWC",
    "NHWCToNCHW",
    "also_run_as_tf_function",
    "assert_equal_graph_def",
    "assert_equal_graph_def_v1",
    "assert_equal_graph_def_v2",
    "assert_meta_graph_protos_equal",
    "assert_no_garbage_created",
    "assert_no_new_pyobjects_executing_eagerly",
    "assert_no_new_tensors",
    "assert_ops_in_graph",
    "fft_kernel_label_map",
    "for_all_test_methods",
    "generate_combinations_with_testcase_name",
    "get_node_def_from_graph",
    "py_func_if_in_function",
    "run_cuda_only",
    "run_gpu_only",
    "run_v1_only",
    "run_v2_only",
    "set_producer_version",
    "skip_if",
]

ErrorLoggingSession = Session


def GpuSupportsHalfMatMulAndConv() -> bool:
    """Return False: there is no GPU."""
    return False


IsBuiltWithROCm = IsGoogleCudaEnabled = IsMklEnabled = GpuSupportsHalfMatMulAndConv


def _skipped(why: str, unless: Callable[[], bool] = lambda: False) -> Callable[..., Any]:
    def decorator(func: Any = None, reason: str | None = None) -> Any:
        if func is None or isinstance(func, str):
            return decorator

        @functools.wraps(func)
        def decorated(self: Any, *args: Any, **kwargs: Any) -> Any:
            if not unless():
                self.skipTest(why)
            return func(self, *args, **kwargs)

        return decorated

    return decorator


run_v2_only = _skipped("Test is only compatible with v2", unless=v2_behavior_enabled)
run_gpu_only = run_cuda_only = _skipped("Test requires GPU")


def run_v1_only(reason: str, func: Any = None) -> Any:
    """Skip a test, or the tests of a class, for a reason where TensorFlow 2's behaviour was asked for."""
    skipping = _skipped(reason, unless=lambda: not v2_behavior_enabled())

    def decorator(test: Any) -> Any:
        return for_all_test_methods(lambda: skipping)(test) if isinstance(test, type) else skipping(test)

    return decorator if func is None else decorator(func)


def fft_kernel_label_map() -> AbstractContextManager[None]:
    """Return a block that changes nothing: each transform has one kernel."""
    return nullcontext()


def skip_if(condition: Any) -> Callable[..., Any]:
    """Decorate a test: it does nothing where a condition, or what a function returns, is true."""

    def decorator(func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def decorated(self: Any, *args: Any, **kwargs: Any) -> None:
            if not (condition() if callable(condition) else condition):
                func(self, *args, **kwargs)

        return decorated

    return decorator


def for_all_test_methods(decorator: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[[type], type]:
    """Return what decorates every test of a class."""

    def decorate(cls: type) -> type:
        for name, value in list(vars(cls).items()):
            if name.startswith("test") and name != "test_session" and callable(value):
                setattr(cls, name, decorator(*args, **kwargs)(value))
        return cls

    return decorate


def assert_no_new_pyobjects_executing_eagerly(func: Any = None, **accepted: Any) -> Any:
    """Decorate a test: it runs in eager mode, twice; objects are not counted."""

    def decorator(method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def decorated(self: Any, *args: Any, **kwargs: Any) -> None:
            for _ in range(2):
                with eager_mode():
                    method(self, *args, **kwargs)

        return decorated

    return decorator(func) if callable(func) else decorator


def also_run_as_tf_function(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a test: it runs in eager mode."""

    @functools.wraps(func)
    def decorated(*args: Any, **kwargs: Any) -> None:
        with eager_mode():
            func(*args, **kwargs)

    return decorated


def assert_no_new_tensors(func: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function: what it leaves behind is not counted."""
    return func


assert_no_garbage_created = assert_no_new_tensors


def assert_ops_in_graph(expected_ops: dict[str, str], graph: Any) -> dict[str, Any]:
    """Return the operations of these names. Raises ValueError for missing ones, and for those of another type."""
    found = {}
    for node in graph.get_operations():
        if node.name in expected_ops:
            if expected_ops[node.name] != node.type:
                raise ValueError(
                    f"Expected op for node {node.name} is different. {expected_ops[node.name]} vs {node.type}"
                )
            found[node.name] = node
    if set(expected_ops) != set(found):
        raise ValueError(f"Not all expected ops are present. Expected {sorted(expected_ops)}, found {sorted(found)}")
    return found


def assert_equal_graph_def(
    actual: Any, expected: Any, checkpoint_v2: bool = False, hash_table_shared_name: bool = False
) -> None:
    """Raise AssertionError where messages of two graphs have other operations, in whatever order.

    TypeError for what is no message of a graph.
    """
    for which, message in (("actual", actual), ("expected", expected)):
        if not isinstance(message, GraphDef):
            raise TypeError(f"Expected tf.GraphDef for {which}, got {type(message).__name__}")
    remaining = {node.name: node for node in actual.node}
    for wanted in expected.node:
        node = remaining.pop(wanted.name, None)
        if node is None:
            raise AssertionError(f"Did not find expected node '{{{{node {wanted.name}}}}}'")
        for what in ("op", "device", "input", "attr"):
            if getattr(node, what) != getattr(wanted, what):
                raise AssertionError(
                    f"Node named '{node.name}' has {what} {getattr(node, what)!r} that is not the expected "
                    f"{getattr(wanted, what)!r}"
                )
    if remaining:
        raise AssertionError(f"Found unexpected node '{{{{node {list(remaining)[-1]}}}}}'")


assert_equal_graph_def_v1 = assert_equal_graph_def_v2 = assert_equal_graph_def


def assert_meta_graph_protos_equal(tester: Any, a: Any, b: Any) -> None:
    """Check that two graphs in files have the same collections and the same nodes."""
    if set(a.collection_def) != set(b.collection_def):
        raise AssertionError(f"Collections {sorted(a.collection_def)} are not {sorted(b.collection_def)}")
    for key, items in a.collection_def.items():
        tester.assertProtoEquals(items, b.collection_def[key])
    assert_equal_graph_def(a.graph_def, b.graph_def)
    tester.assertProtoEquals(a.graph_def.versions, b.graph_def.versions)
    tester.assertProtoEquals(a.meta_info_def, b.meta_info_def)


def get_node_def_from_graph(node_name: str, graph_def: Any) -> Any:
    """Return the node of a name in what ``Graph.as_graph_def`` returned, None where there is none."""
    return next((node for node in graph_def.node if node.name == node_name), None)


def generate_combinations_with_testcase_name(**kwargs: Any) -> list[dict[str, Any]]:
    """Return every combination of what lists have, each with a ``testcase_name``: what named parameters are made of."""
    keys = sorted(kwargs)
    found = []
    for values in itertools.product(*(kwargs[key] for key in keys)):
        parts = [(k, getattr(v, "__name__", v) if inspect.isclass(v) else v) for k, v in zip(keys, values, strict=True)]
        name = "".join(f"_{''.join(c for c in str(k) if c.isalnum())}_{_word(v)}" for k, v in parts)
        found.append({**dict(zip(keys, values, strict=True)), "testcase_name": f"_test{name}"})
    return found


def _word(value: Any) -> str:
    return "".join(c for c in str(value) if c.isalnum())


def NHWCToNCHW(input_tensor: Any) -> Any:
    """Return images, or a list of sizes, with the channels before height and width."""
    return _moved(input_tensor, {4: [0, 3, 1, 2], 5: [0, 4, 1, 2, 3]})


def NCHWToNHWC(input_tensor: Any) -> Any:
    """Return images, or a list of sizes, with the channels last."""
    return _moved(input_tensor, {4: [0, 2, 3, 1], 5: [0, 2, 3, 4, 1]})


def _moved(value: Any, axes: dict[int, list[int]]) -> Any:
    if isinstance(value, np.ndarray):
        return np.transpose(value, axes[value.ndim])
    if is_tensor(value):
        return transpose(value, axes[value.shape.ndims])
    return [value[axis] for axis in axes[len(value)]]


class CapturedWrites:
    """What was written to a stream while a test captured it."""

    def __init__(self, path: str) -> None:
        self._path = path

    def contents(self) -> str:
        """Return the text."""
        with open(self._path, encoding="utf8") as file:
            return file.read()


def set_producer_version(graph: Any, producer_version: int) -> None:
    """Set the version of the form of a graph."""
    graph.graph_def_versions.producer = producer_version
