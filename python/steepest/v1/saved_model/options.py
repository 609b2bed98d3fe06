"""``tf.saved_model.SaveOptions`` and ``LoadOptions``: how a saved model of objects is written and read."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any

__all__ = ["LoadOptions", "SaveOptions", "VariablePolicy"]


class VariablePolicy(enum.Enum):
    """Whether a saved model tells where variables were: everything is on this machine here."""

    NONE = None
    SAVE_VARIABLE_DEVICES = "save_variable_devices"
    EXPAND_DISTRIBUTED_VARIABLES = "expand_distributed_variables"

    def _save_variable_devices(self) -> bool:
        return self is not VariablePolicy.NONE

    def _expand_distributed_variables(self) -> bool:
        return self is VariablePolicy.EXPAND_DISTRIBUTED_VARIABLES

    @staticmethod
    def from_obj(obj: Any) -> VariablePolicy:
        """Return the policy of a name, in capitals or not, None, or a policy. ValueError for anything else."""
        if obj is None:
            return VariablePolicy.NONE
        if isinstance(obj, VariablePolicy):
            return obj
        for policy in VariablePolicy:
            if policy.value is not None and policy.value == str(obj).lower():
                return policy
        raise ValueError(f"Received invalid VariablePolicy value: {obj}.")


class SaveOptions:
    """Options of ``tf.saved_model.save``.

    Args:
        function_aliases: functions of the object by other names, kept as they are.
        experimental_variable_policy: see `VariablePolicy`; without effect.
        namespace_whitelist, save_debug_info, experimental_io_device, experimental_custom_gradients,
            experimental_image_format, experimental_skip_saver, experimental_sharding_callback,
            experimental_debug_stripper, extra_tags: kept as they are given, without effect.

    Raises:
        TypeError: for a list that is a single text. ValueError: for an unknown policy.

    Source: ``tf.saved_model.SaveOptions``.
    """

    def __init__(
        self,
        namespace_whitelist: Sequence[str] | None = None,
        save_debug_info: bool = False,
        function_aliases: Mapping[str, Any] | None = None,
        experimental_debug_stripper: bool = False,
        experimental_io_device: str | None = None,
        experimental_variable_policy: Any = None,
        experimental_custom_gradients: bool = True,
        experimental_image_format: bool = False,
        experimental_skip_saver: bool = False,
        experimental_sharding_callback: Callable[..., Any] | None = None,
        extra_tags: Sequence[str] | None = None,
    ) -> None:
        self.namespace_whitelist = _names(namespace_whitelist)
        self.save_debug_info = save_debug_info
        self.function_aliases = dict(function_aliases or {})
        self.experimental_debug_stripper = experimental_debug_stripper
        self.experimental_io_device = experimental_io_device
        self.experimental_variable_policy = VariablePolicy.from_obj(experimental_variable_policy)
        self.experimental_custom_gradients = experimental_custom_gradients
        self.experimental_image_format = experimental_image_format
        self.experimental_skip_saver = experimental_skip_saver
        self.experimental_sharding_callback = experimental_sharding_callback
        self.extra_tags = extra_tags


def _names(given: Any) -> list[str] | None:
    if given is None:
        return None
    if not isinstance(given, (list, tuple)):
        raise TypeError(f"`namespace_whitelist` must be a list of strings. Got: {given} with type {type(given)}.")
    return [each if isinstance(each, str) else bytes(each).decode() for each in given]


class LoadOptions:
    """Options of ``tf.saved_model.load``.

    Args:
        allow_partial_checkpoint: whether objects that are given to `load_partial` may lack values in the model.
        experimental_skip_checkpoint: variables keep their first values.
        experimental_io_device, experimental_variable_policy, experimental_load_function_aliases: kept as given.

    Source: ``tf.saved_model.LoadOptions``.
    """

    def __init__(
        self,
        allow_partial_checkpoint: bool = False,
        experimental_io_device: str | None = None,
        experimental_skip_checkpoint: bool = False,
        experimental_variable_policy: Any = None,
        experimental_load_function_aliases: bool = False,
    ) -> None:
        self.allow_partial_checkpoint = allow_partial_checkpoint
        self.experimental_io_device = experimental_io_device
        self.experimental_skip_checkpoint = experimental_skip_checkpoint
        self.experimental_variable_policy = VariablePolicy.from_obj(experimental_variable_policy)
        self.experimental_load_function_aliases = experimental_load_function_aliases
