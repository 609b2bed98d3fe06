"""The fields of `ExtensionType`: their annotations, the defaults, and what values are converted to."""

from __future__ import annotations

import builtins
import inspect
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from ..graph.dtypes import DType, as_dtype
from ..graph.shapes import TensorShape
from ..graph.tensor_kind import Tensor
from .sparse_ops import convert_to_tensor
from .type_spec import TypeSpec
from .type_specs import CompositeTensor, TensorSpec

__all__ = ["ExtensionTypeField", "ImmutableDict", "check_class", "converted", "parameters_of", "resolved"]

_NONE = inspect.Parameter.empty
_NAMES = (
    "self Spec _type_spec _shape_invariant_to_type_spec _consumers value_type is_compatible_with "
    "most_specific_compatible_type _with_tensor_ranks_only _to_components _from_components _component_specs "
    "_to_tensor_list _from_tensor_list _from_compatible_tensor_list _flat_tensor_specs _serialize _deserialize "
    "_to_legacy_output_types _to_legacy_output_shapes _to_legacy_output_classes"
)
_RESERVED = frozenset(_NAMES.split())
_OWN = "_tf_extension_type"
_PLAIN = (bool, bytes, float, int, str, type(None), DType, TensorShape)


class ImmutableDict(Mapping[Any, Any]):
    """A dict that does not change. Source: ``framework.immutable_dict.ImmutableDict``."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._dict = dict(*args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._dict[key]

    def __contains__(self, key: object) -> bool:
        return key in self._dict

    def __iter__(self) -> Iterator[Any]:
        return iter(self._dict)

    def __len__(self) -> int:
        return len(self._dict)

    def __repr__(self) -> str:
        return f"ImmutableDict({self._dict})"

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.__dict__ or name != "_dict":
            raise AttributeError("ImmutableDict is immutable.")
        super().__setattr__(name, value)


class _Field(typing.NamedTuple):
    name: str
    value_type: Any
    default: Any = _NONE


class ExtensionTypeField(_Field):
    """A field: its name, the type of its values, and the default, `NO_DEFAULT` where there is none."""

    __slots__ = ()
    NO_DEFAULT = _NONE

    @staticmethod
    def is_reserved_name(name: str) -> bool:
        """Tell whether no field may have a name: the classes themselves have it."""
        return name in _RESERVED or name.lower().startswith(_OWN)


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
        or hint in (None, Any, Tensor, *_PLAIN)
        or (isinstance(hint, type) and (issubclass(hint, (CompositeTensor, TypeSpec)) or hasattr(hint, "read_value")))
    ):
        raise TypeError(f"In field {name!r}: Unsupported type annotation `{hint}`")


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


def converted(value: Any, hint: Any, path: str) -> Any:
    """Return a value as a field of a type holds it. Raises TypeError for what cannot be of it."""
    origin = typing.get_origin(hint)
    if hint is Any:
        return value
    if origin in (typing.Union, types.UnionType):
        return _of_union(value, hint, path)
    if origin is tuple:
        kinds, items = typing.get_args(hint), value
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"{path}: expected tuple, got {type(value).__name__!r}")
        if len(kinds) == 2 and kinds[1] is Ellipsis:
            kinds = (kinds[0],) * len(items)
        if len(kinds) != len(items):
            raise TypeError(f"{path}: expected tuple with length {len(kinds)}, got {value!r}")
        return tuple(
            converted(item, kind, f"{path}[{k}]") for k, (item, kind) in enumerate(zip(items, kinds, strict=True))
        )
    if origin in (Mapping, dict):
        kind_of_key, kind = typing.get_args(hint)
        if not isinstance(value, Mapping):
            raise TypeError(f"{path}: expected mapping, got {type(value).__name__!r}")
        return ImmutableDict(
            {
                converted(key, kind_of_key, path): converted(item, kind, f"{path}[{key!r}]")
                for key, item in value.items()
            }
        )
    if isinstance(hint, TypeSpec) or hint is Tensor:
        return _tensor(value, hint, path)
    if hint in (None, type(None)) and value is None:
        return None
    if hint is DType:
        return as_dtype(value)
    if hint is TensorShape:
        return TensorShape(value)
    if isinstance(hint, type):
        is_number = hint is not int or not isinstance(value, bool)  # True is no int here
        stands_for_one = issubclass(hint, CompositeTensor) and isinstance(value, TypeSpec)
        if (isinstance(value, hint) and is_number) or stands_for_one:
            return value
    raise TypeError(f"{path}: expected {getattr(hint, '__name__', hint)!r}, got {type(value).__name__!r}")


def _of_union(value: Any, hint: Any, path: str) -> Any:
    for choice in typing.get_args(hint):
        try:
            return converted(value, choice, path)
        except (TypeError, ValueError):
            continue
    raise TypeError(f"{path}: expected {hint}, got {value!r}")


def _tensor(value: Any, hint: Any, path: str) -> Any:
    if isinstance(value, TypeSpec):
        return value
    dtype = hint.dtype if isinstance(hint, TensorSpec) else None
    try:
        made = value if isinstance(value, Tensor) else convert_to_tensor(value, dtype)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{path}: expected a Tensor, got {type(value).__name__!r}") from error
    if isinstance(hint, TypeSpec) and not hint.is_compatible_with(made):
        raise ValueError(f"{path}: expected {hint}, got {made!r}")
    return made
