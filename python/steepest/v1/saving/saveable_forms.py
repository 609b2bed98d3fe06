"""What a saver takes of variables and of objects, one form made of the other: `SaveableObject`, and tensors by name."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ...variables.variable import Variable as CoreVariable
from ..graph.devices import DeviceSpec
from ..ops.array_ops import reshape
from ..variables.partitioned_variable import PartitionedVariable
from ..variables.variables import Variable
from .object_graphs import base_of
from .saveables import SaveableObject, SaveSpec, TensorsSaveable, check_name
from .trackable import (
    VARIABLE_VALUE_KEY,
    PythonState,
    Trackable,
)
from .trackable import (
    is_of_tensors as trackable_has_serialize_to_tensor,
)

__all__ = [
    "SERIALIZE_TO_TENSORS_NAME",
    "BaseSaverBuilder",
    "ReferenceVariableSaveable",
    "ResourceVariableSaveable",
    "SaveableCompatibilityConverter",
    "saveable_object_to_restore_fn",
    "saveable_object_to_tensor_dict",
    "saveable_objects_for_op",
    "saveable_objects_from_trackable",
    "set_cpu0",
    "trackable_has_serialize_to_tensor",
]

SERIALIZE_TO_TENSORS_NAME = "_TRACKABLE_SERIALIZE_TO_TENSORS"
"""The attribute of an object that saves all its tensors together."""

_VARIABLES = (Variable, CoreVariable)


def set_cpu0(device_string: str) -> str:
    """Return the first processor of a device's machine."""
    return str(DeviceSpec.from_string(device_string).replace(device_type="CPU", device_index=0).to_string())


class ResourceVariableSaveable(SaveableObject):
    """A variable, or a part of a larger one, under a name.

    Source: ``tensorflow/python/training/saving/saveable_object_util.py``, as is all that is here.
    """

    def __init__(self, var: Any, slice_spec: str, name: str) -> None:
        super().__init__(var, [SaveSpec(var.value, slice_spec, name, var.dtype.base_dtype, var.device)], name)

    def restore(self, restored_tensors: Sequence[Any], restored_shapes: Any) -> Any:
        """Return the operation that assigns the value, in another shape where there is one."""
        (value,) = restored_tensors
        return self.op.assign(value if restored_shapes is None else reshape(value, restored_shapes[0]))


ReferenceVariableSaveable = ResourceVariableSaveable


class BaseSaverBuilder:
    """Where programs find the classes. Source: ``BaseSaverBuilder`` of ``tensorflow/python/training/saver.py``."""

    SaveSpec = SaveSpec
    SaveableObject = SaveableObject
    ResourceVariableSaveable = ResourceVariableSaveable
    VariableSaveable = ReferenceVariableSaveable


def saveable_objects_for_op(op: Any, name: str) -> Iterator[SaveableObject]:
    """Give what saves a variable, the parts of one, or an object with values of its own, under a name.

    Raises TypeError for a name that is none and for what is no variable, ValueError for parts of several variables.
    """
    check_name(name)
    if isinstance(op, SaveableObject):
        yield op
    elif isinstance(op, (list, tuple, PartitionedVariable)):
        yield from _of_parts(list(op), name)
    elif isinstance(op, _VARIABLES):
        yield ResourceVariableSaveable(op, "", name)
    elif isinstance(op, Trackable):
        for attribute, make in saveable_objects_from_trackable(op, tf1_saver=True).items():
            own = attribute in (VARIABLE_VALUE_KEY, SERIALIZE_TO_TENSORS_NAME)
            made = make(name if own else f"{name}_{attribute}") if callable(make) else make
            yield from saveable_objects_for_op(made, made.name)
    else:
        raise TypeError(
            f"names_to_saveables must be a dict mapping string names to Tensors/Variables. Not a variable: {op}"
        )


def _of_parts(parts: list[Any], name: str) -> Iterator[SaveableObject]:
    whole = None
    for part in parts:
        if isinstance(part, SaveableObject):
            yield part
            continue
        if not isinstance(part, _VARIABLES):
            raise ValueError(f"Slices must all be Variables: {part}")
        info: Any = getattr(part, "_save_slice_info", None)
        if info is None:
            raise ValueError(f"Slices must all be slices: {part}")
        if whole not in (None, info.full_name):
            raise ValueError(f"Slices must all be from the same tensor: {whole} != {info.full_name}")
        whole = info.full_name
        yield ResourceVariableSaveable(part, info.spec, name)


def saveable_objects_from_trackable(obj: Any, tf1_saver: bool = False) -> dict[str, Any]:
    """Return functions of a name that return what saves an object's values, by attribute."""
    if isinstance(obj, _VARIABLES):
        return {VARIABLE_VALUE_KEY: functools.partial(ResourceVariableSaveable, obj, "")}
    own: dict[str, Any] = obj._gather_saveables_for_checkpoint()
    if isinstance(obj, PythonState) or (tf1_saver and own) or not trackable_has_serialize_to_tensor(obj):
        return own
    return {SERIALIZE_TO_TENSORS_NAME: functools.partial(TensorsSaveable, obj)}


class SaveableCompatibilityConverter(Trackable):
    """An object whose tensors are those of ``saveables``, which save ``obj``."""

    def __init__(self, obj: Any, saveables: Sequence[SaveableObject]) -> None:
        self.obj, self.saveables = obj, saveables

    def _serialize_to_tensors(self) -> dict[str, Any]:
        return saveable_object_to_tensor_dict(self.saveables)

    def _restore_from_tensors(self, restored_tensors: dict[str, Any]) -> Any:
        wanted = [local_name(spec.name) for saveable in self.saveables for spec in saveable.specs]
        if set(wanted) != restored_tensors.keys():
            raise ValueError(
                f"Could not restore object {self.obj} because not all expected tensors were in the checkpoint."
                f"\n\tExpected: {wanted}\n\tGot: {list(restored_tensors)}"
            )
        return saveable_object_to_restore_fn(self.saveables)(restored_tensors)


def local_name(key: str) -> str:
    """Return the last part of a name in a file, which tells which of its object's values it is."""
    return key.removeprefix(base_of(key, None)) if "/.ATTRIBUTES/" in f"/{key}" else key


def saveable_object_to_tensor_dict(saveables: Sequence[SaveableObject]) -> dict[str, Any]:
    """Return tensors by name; of a part of one, by name and part. What is a function until it is saved stays one."""
    found: dict[str, Any] = {}
    for spec in (spec for saveable in saveables for spec in saveable.specs):
        tensor = spec if callable(spec._tensor) else spec.tensor
        if spec.slice_spec:
            found.setdefault(spec.name, {})[spec.slice_spec] = tensor
        else:
            found[spec.name] = tensor
    return found


def saveable_object_to_restore_fn(saveables: Sequence[SaveableObject]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return the function that gives all of them their tensors, and returns what each made of that, by its name."""

    def restore(restored_tensors: Mapping[str, Any]) -> dict[str, Any]:
        def of(spec: SaveSpec) -> Any:
            found = restored_tensors[local_name(spec.name)]
            return found[spec.slice_spec] if isinstance(found, dict) else found

        return {each.name: each.restore([of(spec) for spec in each.specs], None) for each in saveables}

    return restore
