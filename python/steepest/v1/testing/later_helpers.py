"""What tests of TensorFlow 2 take from its helpers; settings of compilers and devices have no effect here."""

from __future__ import annotations

import functools
import os
import socket
import unittest
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from .. import config
from ..autodiff.gradients import gradients
from ..autodiff.tapes import GradientTape
from ..compat import forward_compatibility_horizon
from ..graph.determinism import disable_op_determinism, enable_op_determinism
from ..graph.mode import executing_eagerly
from ..ops.matmul_ops import matmul
from ..training.servers import Server
from .test_modes import accepted, eager_mode, graph_mode

__all__ = [
    "AbstractGradientTape",
    "IsBuiltWithNvcc",
    "IsBuiltWithXLA",
    "IsCPUTargetAvailable",
    "add_graph_building_optimization_tests",
    "create_local_cluster",
    "deterministic_ops",
    "disable_asan",
    "disable_cudnn_autotune",
    "disable_eager_op_as_function",
    "disable_msan",
    "disable_tsan",
    "disable_ubsan",
    "disable_with_predicate",
    "enable_eager_op_as_function",
    "enable_graph_building_optimization",
    "enable_nested_function_shape_inference",
    "enable_output_all_intermediates",
    "enable_quantized_dtypes_training",
    "enable_tf_xla_constant_folding",
    "is_asan_enabled",
    "is_cpu_target_available",
    "is_mlir_bridge_enabled",
    "is_msan_enabled",
    "is_tsan_enabled",
    "is_ubsan_enabled",
    "is_xla_enabled",
    "matmul_without_tf32",
    "pick_unused_port",
    "run_class_in_v1_v2",
    "run_functions_eagerly",
    "run_gpu_or_tpu",
    "run_in_async_and_sync_mode",
    "run_in_v1_v2",
    "set_xla_env_flag",
    "skip_if_error",
    "sync_devices",
    "with_eager_op_as_function",
    "with_forward_compatibility_horizons",
]


def is_xla_enabled() -> bool:
    """Return False: there is no compiler, no bridge to one, and no sanitizer."""
    return False


is_asan_enabled = is_msan_enabled = is_tsan_enabled = is_ubsan_enabled = is_mlir_bridge_enabled = is_xla_enabled
IsBuiltWithXLA = IsBuiltWithNvcc = is_xla_enabled


def is_cpu_target_available(target: str) -> bool:
    """Tell whether kernels are compiled for a kind of processor, which here are only those of this one."""
    return target == os.uname().machine


IsCPUTargetAvailable = is_cpu_target_available


enable_graph_building_optimization = enable_eager_op_as_function = enable_nested_function_shape_inference = accepted
enable_quantized_dtypes_training = enable_tf_xla_constant_folding = disable_cudnn_autotune = accepted
enable_output_all_intermediates = run_in_async_and_sync_mode = accepted
disable_asan = disable_msan = disable_tsan = disable_ubsan = disable_eager_op_as_function = accepted


def set_xla_env_flag(func: Any = None, flag: str = "") -> Any:
    """Return the function, or a decorator that returns it."""
    del flag
    return accepted(func)


def with_eager_op_as_function(cls: Any = None, only_as_function: bool = False) -> Any:
    """Return the class, or a decorator that returns it."""
    del only_as_function
    return accepted(cls)


def add_graph_building_optimization_tests(cls: type) -> type:
    """Decorate a class of tests: each has a second one, ``testXWithGraphBuildingOptimization``, which does the same."""
    for name, value in list(vars(cls).items()):
        if name.startswith("test") and callable(value):
            setattr(cls, name + "WithGraphBuildingOptimization", value)
    return cls


@contextmanager
def run_functions_eagerly(run_eagerly: bool) -> Iterator[None]:
    """Say inside ``with`` whether each call of a `tf.function` calls the Python function.

    Raises ValueError for what is no bool.
    """
    if not isinstance(run_eagerly, bool):
        raise ValueError(f"Expected bool for `run_eagerly` but got {run_eagerly}")
    before = config.functions_run_eagerly()
    config.run_functions_eagerly(run_eagerly)
    try:
        yield
    finally:
        config.run_functions_eagerly(before)


class AbstractGradientTape:
    """A tape, or with ``use_tape=False`` what asks `tf.gradients`, which needs no tape, by a tape's method.

    Source: ``test_util.AbstractGradientTape``.
    """

    def __init__(self, use_tape: bool, persistent: bool = False) -> None:
        self._tape = GradientTape(persistent=persistent) if use_tape else None

    def __enter__(self) -> Any:
        return self if self._tape is None else self._tape.__enter__()

    def __exit__(self, *details: Any) -> None:
        if self._tape is not None:
            self._tape.__exit__(*details)

    def watch(self, x: Any) -> None:
        """Do nothing: `tf.gradients` finds its way."""

    def gradient(self, y: Any, x: Any, grad_ys: Any = None) -> Any:
        """Return the gradient of y by x: of one x what is not in a list."""
        result = gradients(y, x, grad_ys)
        return result if isinstance(x, (list, tuple)) else result[0]


def disable_with_predicate(pred: Callable[[], bool], skip_message: str) -> Callable[[Any], Any]:
    """Return a decorator of a test that is skipped where ``pred()`` is true."""

    def decorator(func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def decorated(self: Any, *args: Any, **kwargs: Any) -> Any:
            if pred():
                self.skipTest(skip_message)
            return func(self, *args, **kwargs)

        return decorated

    return decorator


def run_gpu_or_tpu(func: Any = None) -> Any:
    """Decorate a test that is skipped: there is neither."""
    skip = disable_with_predicate(lambda: True, "Test requires GPU or TPU")
    return skip if func is None else skip(func)


def with_forward_compatibility_horizons(*horizons: Any) -> Callable[[Any], Any]:
    """Return a decorator of a test that is run once for each date. Raises ValueError for no dates or wrong ones."""
    if not horizons:
        raise ValueError("Expected at least one horizon.")
    for each in horizons:
        if each is not None and not (len(each) == 3 and all(isinstance(part, int) for part in each)):
            raise ValueError(f"Bad horizon value: {each!r}")

    def decorator(func: Any) -> Any:
        if isinstance(func, type):
            raise ValueError("`with_forward_compatibility_horizons` only supports test methods.")

        @functools.wraps(func)
        def decorated(*args: Any, **kwargs: Any) -> None:
            for horizon in horizons:
                with nullcontext() if horizon is None else forward_compatibility_horizon(*horizon):
                    func(*args, **kwargs)

        return decorated

    return decorator


def run_in_v1_v2(device_to_use: Any = None, assert_no_eager_garbage: bool = False) -> Callable[[Any], Any]:
    """Return a decorator of a test that is run in graph mode, and again in eager mode."""
    del device_to_use, assert_no_eager_garbage

    def decorator(func: Callable[..., Any]) -> Callable[..., None]:
        @functools.wraps(func)
        def decorated(self: Any, *args: Any, **kwargs: Any) -> None:
            try:
                with self.subTest("V1_mode"), graph_mode():
                    func(self, *args, **kwargs)
            except unittest.SkipTest:
                pass
            self.tearDown()
            self._tempdir = None
            with self.subTest("V2_mode"), eager_mode():
                self.setUp()
                func(self, *args, **kwargs)

        return decorated

    return decorator


def run_class_in_v1_v2(cls: type) -> type:
    """Run each test of a class in graph mode, and again in eager mode."""
    for name in dir(cls):
        apart = name.startswith(("testSkipEager", "test_skip_eager")) or name in ("test_session", "test_scope")
        if name.startswith(unittest.TestLoader.testMethodPrefix) and not apart and callable(getattr(cls, name)):
            setattr(cls, name, run_in_v1_v2()(getattr(cls, name)))
    return cls


@contextmanager
def skip_if_error(test_obj: Any, error_type: type[Exception], messages: Any = None) -> Iterator[None]:
    """Skip the test where an error of a kind is raised inside that says one of the messages, if there are any."""
    wanted = [messages] if isinstance(messages, str) else list(messages or ())
    try:
        yield
    except error_type as error:
        if wanted and not any(each in str(error) for each in wanted):
            raise
        test_obj.skipTest(f"Skipping error: {type(error)}: {error}")


@contextmanager
def deterministic_ops() -> Iterator[None]:
    """Do what is inside while draws without a seed are refused."""
    enable_op_determinism()
    try:
        yield
    finally:
        disable_op_determinism()


def matmul_without_tf32(a: Any, b: Any, *args: Any, **kwargs: Any) -> Any:
    """Return the product of matrices."""
    return matmul(a, b, *args, **kwargs)


def pick_unused_port() -> int:
    """Return the number of a port of this machine that nobody listens at."""
    with socket.socket() as made:
        made.bind(("localhost", 0))
        return int(made.getsockname()[1])


def create_local_cluster(
    num_workers: int,
    num_ps: int,
    protocol: str = "grpc",
    worker_config: Any = None,
    ps_config: Any = None,
    worker_name: str = "worker",
    ps_name: str = "ps",
) -> tuple[list[Server], list[Server]]:
    """Return the servers of the workers and those of the parameters of a cluster, which are all in this process.

    Source: ``tf.test.create_local_cluster``.
    """
    jobs = {worker_name: num_workers, ps_name: num_ps}
    cluster = {job: [f"localhost:{pick_unused_port()}" for _ in range(count)] for job, count in jobs.items() if count}
    configs = {worker_name: worker_config, ps_name: ps_config}
    workers, parameters = (
        [Server(cluster, job, k, protocol, configs[job]) for k in range(count)] for job, count in jobs.items()
    )
    return workers, parameters


def sync_devices() -> None:
    """Do nothing: an eager call has done its work when it returns. Raises RuntimeError in graph mode."""
    if not executing_eagerly():
        raise RuntimeError("sync_devices() must only be called in Eager mode, outside tf.functions")
