"""One name for the variables of both modes."""

from __future__ import annotations

from typing import Any

from ...variables.variable import Variable as EagerVariable
from ..graph.dtypes import as_dtype
from ..graph.mode import executing_eagerly

__all__ = ["EitherMode"]


class EitherMode(type):
    """The class of `Variable`: makes the core's variables in eager mode, and takes them for instances."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return _eager(*args, **kwargs) if executing_eagerly() else super().__call__(*args, **kwargs)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, EagerVariable) or super().__instancecheck__(instance)


def _eager(
    initial_value: Any = None,
    trainable: bool = True,
    collections: Any = None,
    validate_shape: bool = True,
    caching_device: Any = None,
    name: str | None = None,
    variable_def: Any = None,
    dtype: Any = None,
    **accepted: Any,
) -> EagerVariable:
    del validate_shape, caching_device, variable_def, accepted
    wanted = None if dtype is None else as_dtype(dtype).dtype
    return EagerVariable(initial_value, True if trainable is None else trainable, name, wanted, collections)
