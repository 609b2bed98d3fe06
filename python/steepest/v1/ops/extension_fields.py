"""The fields of `ExtensionType`: their annotations, the defaults, and what values are converted to."""

from __future__ import annotations

import builtins
import inspect
import sys
import types
import typing
from collections.abc import Mapping
from typing import Any

from ..graph.dtypes import DType
from ..graph.shapes import TensorShape
from ..graph.tensor_kind import Tensor
from .extension_conversions import converted
from .type_spec import TypeSpec
from .type_specs import CompositeTensor

__all__ = [
    "ExtensionTypeField",
    "check_class",
    "parameters_of",
    "resolved",
    "validate_field_value_type",
]

_NONE = inspect.Parameter.empty
_NAMES = (
    "self Spec _type_spec _shape_invariant_to_type_spec _consumers value_type is_compatible_with "
    "most_specific_compatible_type _with_tensor_ranks_only _to_components _from_components _component_specs "
    "_to_tensor_list _from_tensor_list _from_compatible_tensor_list _flat_tensor_specs _serialize _deserialize "
    "_to_legacy_output_types _to_legacy_output_shapes _to_legacy_output_classes"
)
_RESERVED = frozenset(_NAMES.split())
_OWN = "_tf_extension_type"
_KEYS = (bool, bytes, float, int, str, None, type(None))
_PLAIN = (*_KEYS, DType, TensorShape)


class _Field(typing.NamedTuple):
    name: str
    value_type: Any
    default: Any = _NONE


class _NoDefault:
    """Stands for no default."""

    def __repr__(self) -> str:
        return "ExtensionTypeField.NO_DEFAULT"


class ExtensionTypeField(_Field):
    """A field: its name, the type of its values, and the default, `NO_DEFAULT` where there is none.

    Raises TypeError for a type of which no field may be, and for a default that is not of it.
    """

    __slots__ = ()
    NO_DEFAULT = _NoDefault()

    def __new__(cls, name: str, value_type: Any, default: Any = NO_DEFAULT) -> Any:
        """Return the field, of which the default is converted."""
        try:
            validate_field_value_type(value_type, allow_forward_references=True)
        except TypeError as error:
            raise TypeError(f"In field {name!r}: {error}") from None
        if default is not cls.NO_DEFAULT:
            default = _default(default, value_type, name)
        return super().__new__(cls, name, value_type, default)

    @staticmethod
    def is_reserved_name(name: str) -> bool:
        """Tell whether no field may have a name: the classes themselves have it."""
        return name in _RESERVED or name.lower().startswith(_OWN)


def validate_field_value_type(
    value_type: Any, in_mapping_key: bool = False, allow_forward_references: bool = False
) -> None:
    """Raise TypeError for a type of which no field may be, and for the name of a class that is not known.

    Source: ``tensorflow/python/framework/extension_type_field.py``.
    """
    if isinstance(value_type, (str, typing.ForwardRef)):
        if not allow_forward_references:
            raise TypeError(f"Unresolved forward reference {value_type!r}")
        return
    if in_mapping_key and value_type not in _KEYS:
        name = getattr(value_type, "__name__", value_type)
        kind = "type" if value_type is Tensor else type(value_type).__name__
        raise TypeError(f"Mapping had a key {name!r} with type {kind!r}")
    origin, args = typing.get_origin(value_type), typing.get_args(value_type)
    if origin in (typing.Union, types.UnionType, tuple, Mapping):
        for place, each in enumerate(args):
            if each is not Ellipsis:
                validate_field_value_type(each, origin is Mapping and place == 0, allow_forward_references)
        return
    if not isinstance(value_type, TypeSpec):
        _check(value_type, "")
        return
    raise TypeError(f"Unsupported type annotation {value_type!r}")


def check_class(cls: type, namespace: Mapping[str, Any]) -> None:
    """Raise ValueError for names in a class that no field or method may have."""
    told = f"The field annotations for {cls.__name__} are invalid. Field"
    spec = namespace.get("Spec", object)
    if not isinstance(spec, type):
        raise ValueError(f"{cls.__qualname__}.Spec must be a nested class; got {spec}.")
    annotated = inspect.get_annotations(cls)
    for name in [*namespace, *annotated]:
        if name != "Spec" and ExtensionTypeField.is_reserved_name(name):
            raise ValueError(f"{told} {name!r} is reserved.")
    for name, value in namespace.items():
        is_field = name in annotated or callable(value) or isinstance(value, (property, classmethod, staticmethod))
        if not (is_field or name.startswith(("__", "_abc_"))):
            raise ValueError(f"{told} {name!r} is missing a type annotation.")


def parameters_of(cls: type, namespace: Mapping[str, Any]) -> dict[str, inspect.Parameter]:
    """Return the fields that a class declares itself, as parameters of its constructor; defaults leave the class."""
    found = {}
    for name, hint in inspect.get_annotations(cls).items():
        if str(hint).startswith(("typing.ClassVar", "ClassVar")):
            continue
        hint = _plain(_evaluated(hint, cls))
        _check(hint, name)
        default = namespace.get(name, _NONE)
        if name in namespace:
            delattr(cls, name)
            if hint is not Tensor and not isinstance(hint, (TypeSpec, str)):
                default = _default(default, hint, name)
        found[name] = inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=hint)
    return found


def _default(value: Any, hint: Any, name: str) -> Any:
    """Return a default as values are held, where no tensor is made for it: there may be no graph for that yet."""
    if "Tensor" in str(hint):
        return value
    try:
        return converted(value, hint, f"default value for {name}")
    except NameError:  # of a class that is still to come
        return value


def _evaluated(hint: Any, cls: type) -> Any:
    """Return what a text stands for, the text where a name of it is not known yet."""
    if not isinstance(hint, str):
        return hint
    try:
        return eval(hint, _names(cls))
    except (NameError, AttributeError):
        return hint


def _names(cls: type) -> dict[str, Any]:
    return {**vars(builtins), **vars(sys.modules.get(cls.__module__, builtins)), cls.__name__: cls}


def _plain(hint: Any) -> Any:
    """Return an annotation without what ``Annotated`` adds to it."""
    if hasattr(hint, "__metadata__"):
        return _plain(hint.__origin__)
    args = typing.get_args(hint)
    if not any(map(_has_more, args)):
        return hint
    return hint.copy_with(tuple(map(_plain, args)))


def _has_more(hint: Any) -> bool:
    return hasattr(hint, "__metadata__") or any(map(_has_more, typing.get_args(hint)))


def _check(hint: Any, name: str) -> None:
    """Raise TypeError for an annotation of which no field may be."""
    origin, args = typing.get_origin(hint), [each for each in typing.get_args(hint) if each is not Ellipsis]
    if origin in (typing.Union, types.UnionType, tuple, Mapping, dict):
        for each in args:
            _check(each, name)
    elif not (
        isinstance(hint, (str, typing.ForwardRef, TypeSpec))
        or hint in (Any, Tensor, *_PLAIN)
        or (isinstance(hint, type) and (issubclass(hint, (CompositeTensor, TypeSpec)) or hasattr(hint, "read_value")))
    ):
        told = repr(hint.__name__) if isinstance(hint, type) else hint
        raise TypeError(f"{f'In field {name!r}: ' if name else ''}Unsupported type annotation {told}")


def resolved(hint: Any, cls: type, name: str) -> Any:
    """Return an annotation with the classes that texts in it name. TypeError where there is none of a name."""
    if isinstance(hint, typing.ForwardRef):
        hint = hint.__forward_arg__
    if isinstance(hint, str):
        found = _evaluated(hint, cls)
        if isinstance(found, str):
            raise TypeError(f"In field {name!r}: Unresolved forward reference {hint!r}")
        return resolved(found, cls, name)
    args = typing.get_args(hint)
    if typing.get_origin(hint) is None or not any(_is_text(each) for each in args):
        return hint
    return hint.copy_with(tuple(each if each is Ellipsis else resolved(each, cls, name) for each in args))


def _is_text(hint: Any) -> bool:
    return isinstance(hint, (str, typing.ForwardRef)) or any(map(_is_text, typing.get_args(hint)))
