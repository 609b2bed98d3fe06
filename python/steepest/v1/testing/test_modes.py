"""Graph and eager mode for the length of a test: TensorFlow's decorators of tests, and its two contexts."""

from __future__ import annotations

import functools
import inspect
import unittest
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ...variables.names import Store
from ..command_line.of_absl import absl_module
from ..functions.traced_functions import function
from ..graph.graph import Graph, default_graphs_set_aside, reset_default_graph
from ..graph.mode import eager_execution_set, executing_eagerly

__all__ = [
    "accepted",
    "build_as_function_and_v1_graph",
    "deprecated_graph_mode_only",
    "device",
    "disable_all_xla",
    "disable_control_flow_v2",
    "disable_mlir_bridge",
    "disable_tfrt",
    "disable_xla",
    "eager_mode",
    "enable_c_shapes",
    "enable_control_flow_v2",
    "force_cpu",
    "force_gpu",
    "gpu_device_type",
    "graph_mode",
    "no_xla_auto_jit",
    "run_all_in_deprecated_graph_mode_only",
    "run_all_in_graph_and_eager_modes",
    "run_all_without_tensor_float_32",
    "run_deprecated_v1",
    "run_in_graph_and_eager_modes",
    "run_without_tensor_float_32",
    "use_gpu",
    "with_c_api",
    "with_c_shapes",
    "with_control_flow_v2",
    "xla_allow_fallback",
]


@contextmanager
def eager_mode() -> Iterator[None]:
    """Compute at once inside ``with``, with variables of its own. Source: ``context.eager_mode``."""
    with default_graphs_set_aside(), eager_execution_set(True), Store().as_default():
        yield


@contextmanager
def graph_mode() -> Iterator[None]:
    """Build nodes inside ``with``, after eager mode in a new graph. Source: ``context.graph_mode``."""
    if not executing_eagerly():
        yield
        return
    with eager_execution_set(False), Graph().as_default():
        yield


def run_in_graph_and_eager_modes(
    func: Any = None, config: Any = None, use_gpu: bool = True, reset_test: bool = True, **accepted: Any
) -> Any:
    """Decorate a method of a test: it runs in a session of a new graph, and again in eager mode."""

    def decorator(method: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isclass(method):
            raise ValueError("`run_in_graph_and_eager_modes` only supports test methods.")

        @functools.wraps(method)
        def decorated(self: Any, *args: Any, **kwargs: Any) -> None:
            with suppress(unittest.SkipTest), graph_mode(), self.test_session(config=config):
                method(self, *args, **kwargs)  # one that skips a graph goes on in eager mode
            if reset_test:
                self.tearDown()
                self._tempdir = None  # a new folder
            with eager_mode():
                if reset_test:
                    reset_default_graph()
                    self.setUp()
                method(self, *args, **kwargs)

        return decorated

    return decorator if func is None else decorator(func)


def run_all_in_graph_and_eager_modes(cls: type) -> type:
    """Decorate a class of tests: every test is one of `run_in_graph_and_eager_modes`."""
    return _for_all_tests(cls, run_in_graph_and_eager_modes)


def deprecated_graph_mode_only(func: Any = None) -> Any:
    """Decorate a test, or a class of tests: it runs in graph mode."""
    if inspect.isclass(func):
        return _for_all_tests(func, deprecated_graph_mode_only)

    def decorator(method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def decorated(self: Any, *args: Any, **kwargs: Any) -> Any:
            with graph_mode():
                return method(self, *args, **kwargs)

        return decorated

    return decorator if func is None else decorator(func)


run_deprecated_v1 = run_all_in_deprecated_graph_mode_only = deprecated_graph_mode_only


def build_as_function_and_v1_graph(func: Any = None) -> Any:
    """Decorate a method of a test: it becomes two, one in a new graph and one in a `tf.function` of eager mode.

    Raises ValueError for a class, RuntimeError where absl-py, whose test cases take such methods, is not installed.
    """

    def decorator(method: Callable[..., Any]) -> Any:
        if inspect.isclass(method):
            raise ValueError("`run_in_graph_mode_and_function` only supports test methods.")
        parameterized = absl_module("testing.parameterized")
        if parameterized is None:
            raise RuntimeError("build_as_function_and_v1_graph: absl-py must be installed")

        @functools.wraps(method)
        def decorated(self: Any, run_mode: str, *args: Any, **kwargs: Any) -> None:
            if run_mode == "v1_graph":
                with Graph().as_default():
                    method(self, *args, **kwargs)
                return
            with Graph().as_default(), eager_mode():
                function(lambda: method(self, *args, **kwargs))()

        return parameterized.named_parameters(("_v1_graph", "v1_graph"), ("_function", "function"))(decorated)

    return decorator if func is None else decorator(func)


def _for_all_tests(cls: type, decorator: Callable[..., Any]) -> type:
    in_graphs = ("testSkipEager", "test_skip_eager")  # names that say so
    for name in dir(cls):  # those of the classes above it too
        apart = decorator is run_in_graph_and_eager_modes and name.startswith(in_graphs)
        if name.startswith("test") and name != "test_session" and not apart and callable(value := getattr(cls, name)):
            setattr(cls, name, decorator(value))
    return cls


def accepted(description: Any = None, func: Any = None) -> Any:
    """Leave a test, or a class of tests, as it is: with its description, or without one."""
    if callable(description) and func is None:
        return description
    return (lambda test: test) if func is None else func


disable_xla = enable_control_flow_v2 = run_without_tensor_float_32 = accepted
enable_c_shapes = with_c_shapes = with_c_api = accepted
disable_all_xla = no_xla_auto_jit = xla_allow_fallback = disable_mlir_bridge = disable_tfrt = accepted
run_all_without_tensor_float_32 = accepted


def with_control_flow_v2(cls: type) -> type:
    """Decorate a class of tests: each has a second one, ``testXWithControlFlowV2``.

    TensorFlow runs these on loops and branches that are functions. Here is one kind of them, so both do the same.
    """
    for name, value in list(vars(cls).items()):
        if name.startswith("test") and callable(value) and not getattr(value, "_disable_control_flow_v2", False):
            setattr(cls, name + "WithControlFlowV2", value)
    return cls


def disable_control_flow_v2(unused_msg: Any) -> Callable[[Any], Any]:
    """Decorate a test: `with_control_flow_v2` makes no second one of it."""

    def decorator(func: Any) -> Any:
        func._disable_control_flow_v2 = True
        return func

    return decorator


@contextmanager
def device(use_gpu: bool) -> Iterator[None]:
    """Do nothing: there is one device."""
    yield


@contextmanager
def force_cpu() -> Iterator[None]:
    """Do nothing: there is one device."""
    yield


use_gpu = force_gpu = force_cpu


def gpu_device_type() -> str:
    """Return an empty string."""
    return ""
