"""``tf.experimental.ExtensionType``: a program's own classes of several tensors, which their annotations name."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.nests import flatten
from .concat_ops import stack
from .extension_conversions import converted
from .extension_fields import ExtensionTypeField, check_class, parameters_of, resolved
from .extension_packing import parts_of, together
from .extension_specs import (
    BEING_MADE,
    PACKED,
    ExtensionTypeSpec,
    from_tensors,
    set_constructor,
    spec_class,
    tensor_specs,
)
from .math_ops import logical_not
from .reduce_ops import reduce_all
from .type_specs import Composites, CompositeTensor

__all__ = ["BatchableExtensionType", "ExtensionType", "ExtensionTypeSpec", "as_dict", "is_packed", "pack", "unpack"]

_NONE = inspect.Parameter.empty


class _Made(Composites):
    """The type of `ExtensionType`: a class of it has a class ``Spec`` of specs, with the same fields."""

    Spec: Any
    _own_fields: dict[str, inspect.Parameter]
    _parameters: dict[str, inspect.Parameter]
    _resolved: tuple[ExtensionTypeField, ...] | None

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(name, bases, namespace, **kwargs)
        if CompositeTensor in bases:
            cls._parameters, cls._resolved = {}, ()
            return
        check_class(cls, namespace)
        cls._own_fields = parameters_of(cls, namespace)
        fields: dict[str, inspect.Parameter] = {}
        for base in reversed(cls.__mro__):
            fields |= base.__dict__.get("_own_fields", {})
        cls._parameters, cls._resolved = _in_order(fields), None
        if "__init__" not in namespace and all("__init__" not in vars(base) for base in cls._bases_of_programs()):
            set_constructor(cls, list(cls._parameters.values()))
        own_spec = namespace.get("Spec")
        cls.Spec = spec_class(cls, own_spec)
        cls.Spec.value_type = cls

    def _bases_of_programs(cls) -> list[type]:
        return [
            base for base in cls.__mro__[1:] if "_own_fields" in vars(base) and "_made_constructor" not in vars(base)
        ]

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return a new value: what the constructor has set is converted, and changes no more."""
        if cls.__bases__ == (CompositeTensor,):
            raise AssertionError(
                f"Cannot create an instance of {cls.__name__} because {cls.__name__} is an abstract base class."
            )
        kind: Any = cls
        made = kind.__new__(kind)
        held = made.__dict__
        held[BEING_MADE] = True
        kind.__init__(made, *args, **kwargs)
        del held[BEING_MADE]
        fields = kind._tf_extension_type_fields()
        kinds = {field.name: field.value_type for field in fields}
        if missing := [name for name in kinds if name not in held]:
            raise ValueError(f"Missing required fields: {set(missing)}")
        if unknown := [name for name in held if name not in kinds]:
            raise ValueError(f"ExtensionType {cls.__name__} has fields that are not annotated: {unknown}")
        held.update({name: converted(held[name], kind, name) for name, kind in kinds.items()})
        kind.__validate__(made)
        return made


def _in_order(fields: dict[str, inspect.Parameter]) -> dict[str, inspect.Parameter]:
    """Return fields as parameters: behind one with a default those without can be named alone."""
    found: dict[str, inspect.Parameter] = {}
    named = False
    for name, field in fields.items():
        named = named or (any(each.default is not _NONE for each in found.values()) and field.default is _NONE)
        kind = inspect.Parameter.KEYWORD_ONLY if named else inspect.Parameter.POSITIONAL_OR_KEYWORD
        found[name] = field.replace(kind=kind)
    return found


def is_packed(value: Any) -> bool:
    """Tell whether a value is held as one tensor. Source: ``extension_type.is_packed``."""
    return isinstance(value, ExtensionType) and PACKED in value.__dict__


def pack(value: Any) -> Any:
    """Return the value as one that is held as one tensor.

    Raises ValueError for a class without a ``__name__`` of its own. Source: ``extension_type.pack``.
    """
    if is_packed(value):
        return value
    if "__name__" not in vars(type(value)):
        raise ValueError("ExtensionTypes must have a __name__ field in order to be packed.")
    spec = value._type_spec
    return spec._packed()._from_components(
        [together(flatten(list(spec._to_components(value)), expand_composites=True))]
    )


def unpack(value: Any) -> Any:
    """Return the value as one that holds each of its tensors. Source: ``extension_type.unpack``."""
    if not is_packed(value):
        return value
    tensor, spec = value.__dict__[PACKED]
    return from_tensors(spec, iter(parts_of(tensor, tensor_specs(spec))))


def as_dict(value: ExtensionType) -> dict[str, Any]:
    """Return the fields of a value by name. Source: ``extension_type.as_dict``."""
    return {name: getattr(value, name) for name in type(value)._parameters}


def _equal_arrays(x: Any, y: Any) -> Any:
    return np.asarray(np.array_equal(x, y))


def _scalar(*shapes: Any) -> tuple[()]:
    return ()


class ExtensionType(CompositeTensor, metaclass=_Made):
    """Base class of a program's classes of several tensors, which its annotations name.

    The constructor takes a value for each field, and converts it: to a tensor where that is the annotation. Objects do
    not change; ``__validate__`` is called for each one that is made. Two are equal where the tensors in them are, which
    is a tensor.

    Raises TypeError for a value that is not of the type of its field. Source: ``tf.experimental.ExtensionType``.
    """

    @classmethod
    def _tf_extension_type_fields(cls) -> tuple[ExtensionTypeField, ...]:
        """Return the fields, with the classes that texts in annotations name. TypeError where there is none."""
        if cls._resolved is None:
            cls._resolved = tuple(
                ExtensionTypeField._make(
                    (
                        name,
                        resolved(each.annotation, cls, name),
                        ExtensionTypeField.NO_DEFAULT if each.default is each.empty else each.default,
                    )
                )
                for name, each in cls._parameters.items()
            )
        return cls._resolved

    @classmethod
    def _tf_extension_type_has_field(cls, name: str) -> bool:
        """Tell whether there is a field of a name."""
        return name in cls._parameters

    def __validate__(self) -> None:
        """Raise an error for a value that must not be: a class says so."""

    @property
    def _type_spec(self) -> Any:
        if PACKED in self.__dict__:
            return self.__dict__[PACKED][1]._packed()
        return type(self).Spec.from_value(self)

    def __getattr__(self, name: str) -> Any:
        if PACKED in self.__dict__ and name in type(self)._parameters:
            return getattr(unpack(self), name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        self._check_being_made(name)
        self.__dict__[name] = value

    def __delattr__(self, name: str) -> None:
        self._check_being_made(name)
        del self.__dict__[name]

    def _check_being_made(self, name: str) -> None:
        if BEING_MADE not in self.__dict__:
            raise AttributeError(f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionType.")

    def __eq__(self, other: object) -> Any:
        if type(self) is not type(other) or self._type_spec != other._type_spec:
            return False
        parts = flatten(self, expand_composites=True), flatten(other, expand_composites=True)
        alike = [
            call("Equal", _equal_arrays, pair, shape=_scalar, dtype="bool", differentiable=False)
            for pair in zip(*parts, strict=True)
        ]
        return reduce_all(stack(alike)) if alike else True

    def __ne__(self, other: object) -> Any:
        same = self == other
        return not same if isinstance(same, bool) else logical_not(same)

    __hash__ = None  # type: ignore[assignment]  # equality is a tensor

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={self.__dict__.get(name, '<unset>')!r}" for name in type(self)._parameters)
        return f"{type(self).__qualname__}({told})"


class BatchableExtensionType(ExtensionType):
    """An `ExtensionType` whose values can be put beside each other in a batch."""
