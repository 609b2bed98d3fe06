"""Whether functions build nodes (graph mode, the default here as in TensorFlow 1) or compute at once."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...ops.dispatch import set_eager_results
from .eager_tensors import give_tensors_their_methods
from .equality import compare_elements
from .graph import default_graphs_set_aside, get_default_graph, program_graph_has_nodes, within_graph
from .options import ConfigProto

__all__ = [
    "disable_eager_execution",
    "disable_resource_variables",
    "disable_tensor_equality",
    "enable_eager_execution",
    "enable_resource_variables",
    "enable_tensor_equality",
    "executing_eagerly",
    "executing_eagerly_outside_functions",
    "resource_variables_enabled",
]

_eager = False  # for the whole process: `enable_eager_execution`
_resources = False  # `enable_resource_variables`
_blocks = 0  # how many `eagerly` blocks are open, in any thread
_prepared = ""  # where functions of the core return tensors
_lock = threading.RLock()


class _ThisThread(threading.local):
    """Whether this thread is inside `eagerly`."""

    eager = False


_this_thread = _ThisThread()


def executing_eagerly() -> bool:
    """Tell whether functions compute at once: where eager execution is enabled or in `eagerly`, but within a graph."""
    return (_eager or (_blocks > 0 and _this_thread.eager)) and not within_graph()


@contextmanager
def eagerly() -> Iterator[None]:
    """Have this thread compute at once inside ``with``, in whatever mode and graph it was."""
    global _blocks
    before = _this_thread.eager
    with _lock:
        _blocks += 1
        _prepare_tensors()
    _this_thread.eager = True
    try:
        with default_graphs_set_aside():
            yield
    finally:
        _this_thread.eager = before
        with _lock:
            _blocks -= 1
            _prepare_tensors()


def in_graph_store(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of the core work on the default graph's names and collections; in eager mode, on the core's."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if executing_eagerly():
            return function(*args, **kwargs)
        with get_default_graph()._store.as_default():
            return function(*args, **kwargs)

    return call


def enable_eager_execution(config: object = None, device_policy: object = None, execution_mode: object = None) -> None:
    """Make every function of this module compute at once, from now to the end of the program.

    The arguments are accepted for TensorFlow's sake. Raises ValueError when there are nodes already, and for numbers of
    policies and modes that there are not; TypeError for another ``config`` than a ``ConfigProto``.
    """
    if config is not None and not isinstance(config, ConfigProto):
        raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
    if device_policy not in (None, 0, 1, 2, 3):
        raise ValueError("device_policy must be one of None, DEVICE_PLACEMENT_*")
    if execution_mode not in (None, 0, 1):
        raise ValueError("execution_mode must be one of None, SYNC, ASYNC")
    if not _eager and program_graph_has_nodes():
        raise ValueError("tf.enable_eager_execution must be called at program startup.")
    _set_eager(True)


def disable_eager_execution() -> None:
    """Make functions build nodes, which they do unless eager execution was enabled."""
    _set_eager(False)


def _set_eager(on: bool) -> None:
    global _eager
    with _lock:
        _eager = on
        _prepare_tensors()


def _prepare_tensors() -> None:
    """Let functions of the core return tensors, which have ``.numpy()``, in the threads that compute at once."""
    global _prepared
    wanted = "everywhere" if _eager else "in some threads" if _blocks else ""
    if wanted == _prepared:
        return
    if bool(wanted) is not bool(_prepared):
        give_tensors_their_methods(bool(wanted))
    _prepared = wanted
    set_eager_results(bool(wanted), _eager_in_this_thread if wanted == "in some threads" else None)


def _eager_in_this_thread() -> bool:
    return _this_thread.eager


@contextmanager
def eager_execution_set(on: bool) -> Iterator[None]:
    """Have eager execution enabled, or not, inside ``with``: for tests, in which no other thread computes."""
    before = _eager
    _set_eager(on)
    try:
        yield
    finally:
        _set_eager(before)


def enable_resource_variables() -> None:
    """Let new variables be resources where the program does not say which they are to be; all are read as such."""
    global _resources
    _resources = True


def disable_resource_variables() -> None:
    """Take `enable_resource_variables` back."""
    global _resources
    _resources = False


def disable_tensor_equality() -> None:
    """Let ``==`` of eager tensors be whether both are the same one, which it is unless the other was asked for."""
    compare_elements(False)


def enable_tensor_equality() -> None:
    """Let ``==`` of eager tensors compare their elements; as keys they stay themselves."""
    compare_elements(True)


def resource_variables_enabled() -> bool:
    """Tell whether new variables are resources by default: after `enable_resource_variables`, and in eager mode."""
    return _resources or _eager


def executing_eagerly_outside_functions() -> bool:
    """Tell whether functions compute at once where the outermost function is called."""
    return executing_eagerly() or (_eager and get_default_graph().building_function)
