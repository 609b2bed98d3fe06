"""The switch: what debugging replaces, put in when it goes on and put back when it goes off."""

from __future__ import annotations

import threading
from types import ModuleType, TracebackType
from typing import Any

from .. import _core
from ..autodiff import backward
from ..base.errors import must
from ..optim import multi_step
from ..optim.fallback import PythonUpdater
from ..optim.multi_cache import MultiStepCache
from ..optim.native import NativeUpdater
from ..optim.pending_rows import PendingRowsUpdater
from ..optim.step_cache import StepCache
from . import places
from .backward import checked_backward
from .forward import placed
from .updates import checked_apply, checked_apply_one, checked_check, checked_update_of_groups

__all__ = ["Debugging", "debug"]


def _another_step(cache: StepCache | MultiStepCache, source: Any, pairs: Any, global_step: Any) -> bool:
    """Say of every step that it is not like the last one: each is checked."""
    return False


_SWAPS: list[tuple[type | ModuleType, str, Any]] = [
    (backward, "_backward", checked_backward(backward._backward)),
    *((cache, "step", _another_step) for cache in (StepCache, MultiStepCache)),
    *((cls, "check", checked_check(cls.check)) for cls in (NativeUpdater, PendingRowsUpdater, PythonUpdater)),
    *((cls, "apply", checked_apply(cls.apply)) for cls in (NativeUpdater, PythonUpdater)),
    (multi_step, "update_groups", checked_update_of_groups(multi_step.update_groups)),
    (NativeUpdater, "apply_one", checked_apply_one(NativeUpdater.apply_one)),
    (places, "naming", True),
]
_ORIGINALS = [vars(owner)[name] for owner, name, _ in _SWAPS]
_lock = threading.Lock()


class Debugging:
    """What `debug` returns: at the end of its ``with`` block debugging is on or off as it was before."""

    def __init__(self, before: bool) -> None:
        self._before = before

    def __enter__(self) -> Debugging:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _switch(self._before)


def debug(on: bool = True) -> Debugging:
    """Turn the checks for NaN and infinity on or off, for all threads; ``with debug():`` for a block.

    While they are on, the first gradient, loss, parameter or slot that is not finite is a FloatingPointError that
    names the variable, the index, and for what a tape has recorded the operation and the program's line; of a sparse
    gradient the row. In a session it is TensorFlow's InvalidArgumentError, which names the node. Checked are:

    - the loss or target, and the gradient of each source, when a gradient is computed;
    - the gradients and parameters that ``apply_gradients`` is given, before the hooks, and gradients after them;
    - the parameters and slots after the update. The update is then taken back: nothing has changed.

    A NaN that reaches neither a loss nor a gradient (as ``np.where`` leaves one out) is no error. A step that
    ``CheckFinite("skip")`` would leave out is. Every step is then checked and copies what it changes; while debugging
    is off, nothing is slower.

    Args:
        on: False turns the checks off.

    Returns:
        A context manager: at the end of its block debugging is on or off as before.

    Raises:
        TypeError: where ``on`` is no bool.

    Example:
        >>> w = st.Variable([2.0, 0.0], name="w")
        >>> opt = st.GradientDescentOptimizer(0.1)
        >>> with st.debug():  # doctest: +ELLIPSIS
        ...     opt.minimize(lambda: np.sum(np.sqrt(w)))
        Traceback (most recent call last):
        FloatingPointError: minimize: gradient of 'w' must be finite, got inf at (1,); first made by the deri...
    """
    if not isinstance(on, bool):
        raise TypeError(must("debug", "on", "be True or False", on))
    return Debugging(_switch(on))


def _switch(on: bool) -> bool:
    """Put the checks in or take them out; return whether they were in."""
    with _lock:
        before = places.naming
        for (owner, name, replacement), original in zip(_SWAPS, _ORIGINALS, strict=True):
            setattr(owner, name, replacement if on else original)
        _core.note_by(placed if on else None)
    return before
