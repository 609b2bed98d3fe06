"""What values of fields of `ExtensionType` are converted to, and dicts that do not change."""

from __future__ import annotations

import enum
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..graph.dtypes import DType, as_dtype
from ..graph.shapes import TensorShape
from ..graph.tensor_kind import Tensor
from .sparse_ops import convert_to_tensor
from .type_spec import TypeSpec
from .type_specs import CompositeTensor, TensorSpec

__all__ = [
    "ImmutableDict",
    "_ConversionContext",
    "_convert_value",
    "convert_fields",
    "convert_fields_for_spec",
    "converted",
]


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


class _ConversionContext(enum.Enum):
    """For what a value is converted: to be a field's, or that of a spec, or a default."""

    VALUE, SPEC, DEFAULT = 1, 2, 3


def _convert_value(
    value: Any, expected_type: Any, path: Sequence[Any], context: _ConversionContext = _ConversionContext.VALUE
) -> Any:
    """Return a value as a field of a type holds it, or as a spec does; ``path`` tells where it is."""
    where = "".join([str(path[0]), *(f"[{each!r}]" for each in path[1:])])
    if context is _ConversionContext.SPEC and expected_type is Tensor and not isinstance(value, TypeSpec):
        raise TypeError(f"{where}: expected a TensorSpec, got {type(value).__name__!r}")
    return converted(value, expected_type, where)


def convert_fields(fields: Sequence[Any], field_values: dict[str, Any]) -> None:
    """Convert values of fields, in the dict itself. Raises ValueError where some are missing, or are of no field."""
    _convert(fields, field_values, _ConversionContext.VALUE)


def convert_fields_for_spec(fields: Sequence[Any], field_values: dict[str, Any]) -> None:
    """Do what `convert_fields` does for the fields of a spec, which has specs for tensors."""
    _convert(fields, field_values, _ConversionContext.SPEC)


def _convert(fields: Sequence[Any], values: dict[str, Any], context: _ConversionContext) -> None:
    names = {field.name for field in fields}
    if missing := names - set(values):
        raise ValueError(f"Missing required fields: {missing}")
    if unexpected := set(values) - names:
        raise ValueError(f"Got unexpected fields: {unexpected}")
    for field in fields:
        values[field.name] = _convert_value(values[field.name], field.value_type, (field.name,), context)


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
    if hint in (DType, TensorShape):
        try:
            return as_dtype(value) if hint is DType else TensorShape(value)
        except (TypeError, ValueError):
            raise TypeError(f"{path}: expected 'tf.{hint.__name__}', got {type(value).__name__!r}") from None
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
    raise TypeError(f"{path}: expected {hint}, got {type(value).__name__!r}")


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
