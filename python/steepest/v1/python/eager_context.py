"""``context.context()`` of TensorFlow's eager mode: what programs ask of the one device and the one mode."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .. import config
from ..config import get_log_device_placement, set_log_device_placement
from ..functions import collected_graphs
from ..functions.concrete_functions import known_functions
from ..graph.errors import NotFoundError
from ..ops.random_sequences import set_random_seed
from ..variables.resource_ops import ANONYMOUS
from .eager_executor import Executor
from .eager_state import ASYNC, SYNC, Context

__all__ = [
    "ASYNC",
    "DEVICE_PLACEMENT_EXPLICIT",
    "DEVICE_PLACEMENT_SILENT",
    "DEVICE_PLACEMENT_SILENT_FOR_INT32",
    "DEVICE_PLACEMENT_WARN",
    "SYNC",
    "Context",
    "_EagerTensorCache",
    "_reset_context",
    "_reset_jit_compiler_flags",
    "_set_context",
    "anonymous_name",
    "async_clear_error",
    "async_scope",
    "async_wait",
    "collect_graphs",
    "context",
    "context_safe",
    "device",
    "device_policy",
    "ensure_initialized",
    "execution_mode",
    "executor_scope",
    "function_executor_type",
    "get_function_def",
    "get_log_device_placement",
    "is_async",
    "num_gpus",
    "set_execution_mode",
    "set_global_seed",
    "set_log_device_placement",
]

DEVICE_PLACEMENT_EXPLICIT, DEVICE_PLACEMENT_WARN, DEVICE_PLACEMENT_SILENT, DEVICE_PLACEMENT_SILENT_FOR_INT32 = range(4)


class _EagerTensorCache:
    """Small tensors by keys; the oldest go first."""

    def __init__(self, max_items: int = 256, max_tensor_size: int = 10000) -> None:
        self._data: dict[Any, Any] = {}
        self._max_items, self._max_tensor_size = max_items, max_tensor_size

    def put(self, key: Any, value: Any) -> None:
        """Keep a tensor, unless it is too large."""
        if value.shape.num_elements() <= self._max_tensor_size:
            self._data[key] = value
            while len(self._data) > self._max_items:
                del self._data[next(iter(self._data))]

    def get(self, key: Any) -> Any:
        """Return a tensor, None where it is not kept."""
        return self._data.get(key)

    def flush(self) -> None:
        """Forget all."""
        self._data = {}


_context = Context()


def context() -> Context:
    """Return what is in force."""
    return _context


context_safe = context


def get_function_def(name: str | bytes) -> Any:
    """Return the message of the function of a name. NotFoundError where there is none."""
    word = name.decode() if isinstance(name, bytes) else name
    if (function := known_functions.get(word)) is None:
        raise NotFoundError(None, None, f"Function '{word}' not found in EagerContext.")
    return function.function_def


@contextmanager
def collect_graphs(optimized: bool = True) -> Iterator[list[Any]]:
    """Give a list that has the graphs of the functions' bodies that are made inside ``with``, once it is left.

    ``optimized`` is accepted: a graph runs as it was made.
    """
    del optimized
    graphs: list[Any] = []
    collected_graphs.collect_graphs(True)
    try:
        yield graphs
        graphs += collected_graphs.collected().partition_graphs
    finally:
        collected_graphs.collect_graphs(False)


def _set_context(ctx: Context) -> None:
    """Let another context be in force."""
    global _context
    _context = ctx


def _reset_context() -> None:
    """Forget what was said of the context, and settings of ``tf.config``."""
    config.forget_settings()
    _set_context(Context())


def _reset_jit_compiler_flags() -> None:
    """Do nothing: nothing is compiled."""


def anonymous_name() -> str:
    """Return the ``shared_name`` of a resource that is shared with no other."""
    return ANONYMOUS


def num_gpus() -> int:
    """Return 0: everything runs on the CPU."""
    return 0


def ensure_initialized() -> None:
    """Let the settings of ``tf.config`` that are made before anything is computed stay as they are."""
    context().ensure_initialized()


def async_wait() -> None:
    """Do nothing: there is nothing to wait for."""


async_clear_error = async_wait


def is_async() -> bool:
    """Tell whether this thread asked for `ASYNC`."""
    return context().is_async()


def set_execution_mode(mode: int | None) -> None:
    """Note the mode, `SYNC`, `ASYNC` or None: each computes at once. Raises ValueError for another."""
    context().execution_mode = mode


def device(name: Any) -> Any:
    """Ask for a device inside ``with``, as `Context.device` does."""
    return context().device(name)


@contextmanager
def function_executor_type(executor_type: str | None) -> Iterator[None]:
    """Accept how functions that are called inside ``with`` are to run: one operation after another, as all do here."""
    del executor_type
    yield


@contextmanager
def device_policy(policy: int | None) -> Iterator[None]:
    """Do nothing inside ``with``: there is one device."""
    del policy
    yield


@contextmanager
def execution_mode(mode: int | None) -> Iterator[None]:
    """Note the mode as `set_execution_mode` does, inside ``with``."""
    with executor_scope(context()._thread.executor):
        set_execution_mode(mode)
        yield


@contextmanager
def executor_scope(e: Executor | None) -> Iterator[None]:
    """Have an executor compute for this thread inside ``with``."""
    before = context()._thread.executor
    context().executor = e
    try:
        yield
    finally:
        context().executor = before


@contextmanager
def async_scope() -> Iterator[None]:
    """Ask for `ASYNC` inside ``with``."""
    with execution_mode(ASYNC):
        yield


def set_global_seed(seed: int) -> None:
    """Set the seed of random values."""
    set_random_seed(seed)
