"""``tf.contrib.checkpoint.split_dependency``: one state in several objects of a checkpoint."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..ops.control_flow_ops import no_op
from .saveables import SaveableObject, SaveSpec
from .trackable import VARIABLE_VALUE_KEY, Trackable

__all__ = ["split_dependency"]

_Buffer = dict[str, Any]


class _Saveable(SaveableObject):
    def __init__(self, name: str, dtype: Any, device: Any, save: Callable[[], Any], restore: Callable[[Any], Any]):
        self._restore = restore
        super().__init__(save, [SaveSpec(save, "", name, dtype, device)], name)

    def restore(self, restored_tensors: Sequence[Any], restored_shapes: Any) -> Any:
        """Return the operation that takes the value back with the other parts."""
        (tensor,) = restored_tensors
        return self._restore(tensor)


class _Part(Trackable):
    """A part of the state, which is like a variable in a checkpoint."""

    def __init__(self, name: str, dtype: Any, device: Any, whole: _Whole) -> None:
        self._called, self._dtype, self._device, self._whole = name, dtype, device, whole

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        whole, name = self._whole, self._called
        make = functools.partial(
            _Saveable,
            dtype=self._dtype,
            device=self._device,
            save=lambda: whole.saved(name),
            restore=lambda tensor: whole.restored(name, tensor),
        )
        return {VARIABLE_VALUE_KEY: make}


class _Whole:
    """The state: its parts are asked for together, and come back together."""

    def __init__(self, count: int, fill: Callable[[_Buffer], None], consume: Callable[[_Buffer], Any]) -> None:
        self._count, self._fill, self._consume = count, fill, consume
        self._out: _Buffer = {}
        self._in: _Buffer = {}

    def saved(self, name: str) -> Any:
        if name not in self._out:
            if self._out:
                raise AssertionError(f"Split dependency {name} unsynchronized: parts must be saved together.")
            self._fill(self._out)
        return self._out.pop(name)

    def restored(self, name: str, tensor: Any) -> Any:
        if name in self._in:
            raise AssertionError(f"Split dependency {name} unsynchronized: parts must be restored together.")
        self._in[name] = tensor
        if len(self._in) < self._count:
            return no_op()
        done = self._consume(self._in)
        self._in.clear()
        return done


def split_dependency(
    component_names: Sequence[str],
    component_dtypes: Sequence[Any],
    fill_save_buffer_fn: Callable[[_Buffer], None],
    consume_restore_buffer_fn: Callable[[_Buffer], Any],
    device: Any = None,
) -> dict[str, Trackable]:
    """Return objects, by their names, that are saved as variables and are parts of one state.

    Args:
        component_names, component_dtypes: the names of the parts, and their types.
        fill_save_buffer_fn: puts a tensor for each name into the dict that it is given.
        consume_restore_buffer_fn: returns the operation that takes a dict of restored tensors; in eager mode does it.
        device: recorded.

    A checkpoint must have all of them, or none: AssertionError where only some are restored.

    Source: ``tf.contrib.checkpoint.split_dependency``.
    """
    whole = _Whole(len(component_names), fill_save_buffer_fn, consume_restore_buffer_fn)
    return {
        name: _Part(name, dtype, device, whole) for name, dtype in zip(component_names, component_dtypes, strict=True)
    }
