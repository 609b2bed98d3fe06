"""TensorFlow's ``type_annotations``: what kind of generic type an annotation is, and what it is made of."""

from __future__ import annotations

import collections.abc
import types
import typing
from typing import Any

__all__ = [
    "get_generic_type_args",
    "is_forward_ref",
    "is_generic_list",
    "is_generic_mapping",
    "is_generic_tuple",
    "is_generic_union",
]


def is_generic_union(tp: Any) -> bool:
    """Tell whether a type is ``Union[...]``; not ``Union`` itself."""
    return tp is not typing.Union and typing.get_origin(tp) in (typing.Union, types.UnionType)


def is_generic_tuple(tp: Any) -> bool:
    """Tell whether a type is ``Tuple[...]``; not ``Tuple`` itself."""
    return tp is not typing.Tuple and typing.get_origin(tp) is tuple  # noqa: UP006 - the object of that name


def is_generic_list(tp: Any) -> bool:
    """Tell whether a type is ``List[...]``; not ``List`` itself."""
    return tp is not typing.List and typing.get_origin(tp) is list  # noqa: UP006 - the object of that name


def is_generic_mapping(tp: Any) -> bool:
    """Tell whether a type is ``Mapping[...]``; not ``Mapping`` itself."""
    return tp is not typing.Mapping and typing.get_origin(tp) is collections.abc.Mapping


def is_forward_ref(tp: Any) -> bool:
    """Tell whether a type is known by its name alone."""
    return isinstance(tp, (str, typing.ForwardRef))


def get_generic_type_args(tp: Any) -> tuple[Any, ...]:
    """Return what a generic type is made of."""
    return typing.get_args(tp)
