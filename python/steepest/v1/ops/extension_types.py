"""``tf.experimental.ExtensionType``: a program's own classes of several tensors, which their annotations name."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Mapping
from typing import Any, NoReturn

from ..graph.dtypes import DType, as_dtype
from ..graph.nests import flatten
from ..graph.shapes import TensorShape
from ..graph.tensor_kind import Tensor
from .concat_ops import stack
from .math_ops import equal, logical_not
from .reduce_ops import reduce_all
from .sparse_ops import convert_to_tensor
from .type_spec import TypeSpec, type_spec_from_value
from .type_specs import Composites, CompositeTensor, TensorSpec

__all__ = ["BatchableExtensionType", "ExtensionType", "ExtensionTypeSpec"]

_NONE = inspect.Parameter.empty
_BEING_MADE = "(being made)"  # no name of an attribute that a program writes
_RESERVED = frozenset({"self", "_from_components", "_to_components", "_type_spec"})


class _Made(Composites):
    """The type of `ExtensionType`: a class of it has a class ``Spec`` of specs, with the same fields."""

    Spec: Any
    __signature__: inspect.Signature
    _own_fields: dict[str, inspect.Parameter]
    _fields_of_values: dict[str, Any]

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(name, bases, namespace, **kwargs)
        fields: dict[str, inspect.Parameter] = {}
        for base in reversed(cls.__mro__[1:]):
            fields |= base.__dict__.get("_own_fields", {})
        own = _annotated(cls, namespace)
        if repeated := sorted(set(own) & set(fields)):
            raise ValueError(f"Field annotations may not override base class annotations: {repeated} of {name}")
        cls._own_fields = own
        fields |= own
        cls._fields_of_values = {
            field: parameter.annotation
            for field, parameter in sorted(
                fields.items(), key=lambda item: item[1].default is not inspect.Parameter.empty
            )
        }
        ordered = [fields[field] for field in cls._fields_of_values]
        cls.__signature__ = inspect.Signature(ordered)
        if not isinstance(namespace.get("Spec"), type):
            cls.Spec = type("Spec", (ExtensionTypeSpec,), {"__qualname__": f"{cls.__qualname__}.Spec"})
        cls.Spec.value_type = cls

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return a new value: what the constructor has set is converted, and changes no more."""
        if cls.__bases__ == (CompositeTensor,):
            raise AssertionError(
                f"Cannot create an instance of {cls.__name__} because {cls.__name__} is an abstract base class."
            )
        kind: Any = cls
        made = kind.__new__(kind)
        held = made.__dict__
        held[_BEING_MADE] = True
        kind.__init__(made, *args, **kwargs)
        del held[_BEING_MADE]
        kinds = cls._fields_of_values
        if missing := [name for name in kinds if name not in held]:
            raise ValueError(f"Missing required fields: {set(missing)}")
        if unknown := [name for name in held if name not in kinds]:
            raise ValueError(f"ExtensionType {cls.__name__} has fields that are not annotated: {unknown}")
        held.update({name: _converted(held[name], kind, name) for name, kind in kinds.items()})
        kind.__validate__(made)
        return made


def _annotated(cls: type, namespace: Mapping[str, Any]) -> dict[str, inspect.Parameter]:
    """Return the fields that a class declares itself, as parameters of its constructor."""
    hints = inspect.get_annotations(cls, eval_str=True)
    found = {}
    for name, hint in hints.items():
        if str(hint).startswith("typing.ClassVar"):
            continue
        if name in _RESERVED or (name.startswith("__") and name.endswith("__")):
            raise ValueError(f"The field annotations for {cls.__name__} are invalid. Field {name!r} is reserved.")
        default = namespace.get(name, _NONE)
        if name in namespace:
            delattr(cls, name)
        found[name] = inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=hint)
    return found


def _converted(value: Any, hint: Any, path: str) -> Any:
    """Return a value as a field of a type holds it. Raises TypeError for what cannot be of it."""
    origin = typing.get_origin(hint)
    if hint is Any:
        return value
    if origin in (typing.Union, types.UnionType):
        for choice in typing.get_args(hint):
            try:
                return _converted(value, choice, path)
            except (TypeError, ValueError):
                continue
        raise TypeError(f"{path}: expected {hint}, got {value!r}")
    if origin is tuple:
        kinds, items = typing.get_args(hint), value
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"{path}: expected tuple, got {type(value).__name__!r}")
        if len(kinds) == 2 and kinds[1] is Ellipsis:
            kinds = (kinds[0],) * len(items)
        if len(kinds) != len(items):
            raise TypeError(f"{path}: expected tuple with length {len(kinds)}, got {value!r}")
        return tuple(
            _converted(item, kind, f"{path}[{k}]") for k, (item, kind) in enumerate(zip(items, kinds, strict=True))
        )
    if origin in (Mapping, dict):
        kind_of_key, kind = typing.get_args(hint)
        if not isinstance(value, Mapping):
            raise TypeError(f"{path}: expected mapping, got {type(value).__name__!r}")
        return types.MappingProxyType(
            {
                _converted(key, kind_of_key, path): _converted(item, kind, f"{path}[{key!r}]")
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


def _spec_of(value: Any) -> Any:
    """Return what stands for a field in a spec: the spec of a value of tensors, any other value itself."""
    if isinstance(value, (list, tuple)):
        return tuple(_spec_of(item) for item in value)
    if isinstance(value, Mapping):
        return {key: _spec_of(item) for key, item in value.items()}
    if isinstance(value, (Tensor, CompositeTensor)) or hasattr(type(value), "_type_spec"):
        return type_spec_from_value(value)
    return value


def _holds_spec(spec: Any) -> bool:
    if isinstance(spec, Mapping):
        spec = tuple(spec.values())
    return any(map(_holds_spec, spec)) if isinstance(spec, tuple) else isinstance(spec, TypeSpec)


class ExtensionTypeSpec(TypeSpec):
    """What is known of an `ExtensionType`: of each field the spec, or the value where it is no tensor."""

    value_type: Any = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kinds = self.value_type._fields_of_values
        bound = inspect.Signature(
            [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in kinds]
        ).bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            self.__dict__[name] = value

    @classmethod
    def from_value(cls, value: Any) -> Any:
        """Return the spec of a value."""
        return cls(**{name: _spec_of(getattr(value, name)) for name in cls.value_type._fields_of_values})

    def _serialize(self) -> tuple[Any, ...]:
        return tuple((name, self.__dict__[name]) for name in self.value_type._fields_of_values)

    @classmethod
    def _deserialize(cls, serialization: tuple[Any, ...]) -> Any:
        return cls(**dict(serialization))

    def __reduce__(self) -> Any:
        return self._deserialize, (self._serialize(),)

    @property
    def _component_specs(self) -> tuple[Any, ...]:
        return tuple(self._specs().values())

    def _specs(self) -> dict[str, Any]:
        return {name: spec for name, spec in self._serialize() if _holds_spec(spec)}

    def _to_components(self, value: Any) -> tuple[Any, ...]:
        return tuple(getattr(value, name) for name in self._specs())

    def _from_components(self, components: Any) -> Any:
        kind: Any = self.value_type
        made = kind.__new__(kind)
        made.__dict__.update({**dict(self._serialize()), **dict(zip(self._specs(), components, strict=True))})
        return made

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionTypeSpec.")

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self._serialize())
        return f"{self.value_type.__qualname__}.Spec({told})"


class ExtensionType(CompositeTensor, metaclass=_Made):
    """Base class of a program's classes of several tensors, which its annotations name.

    The constructor takes a value for each field, and converts it: to a tensor where that is the annotation. Objects do
    not change; ``__validate__`` is called for each one that is made. Two are equal where the tensors in them are, which
    is a tensor.

    Raises TypeError for a value that is not of the type of its field. Source: ``tf.experimental.ExtensionType``.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        bound = type(self).__signature__.bind(*args, **kwargs)
        bound.apply_defaults()
        self.__dict__.update(bound.arguments)

    def __validate__(self) -> None:
        """Raise an error for a value that must not be: a class says so."""

    @property
    def _type_spec(self) -> Any:
        return type(self).Spec.from_value(self)

    def __setattr__(self, name: str, value: Any) -> None:
        self._check_being_made(name)
        self.__dict__[name] = value

    def __delattr__(self, name: str) -> None:
        self._check_being_made(name)
        del self.__dict__[name]

    def _check_being_made(self, name: str) -> None:
        if _BEING_MADE not in self.__dict__:
            raise AttributeError(f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionType.")

    def __eq__(self, other: object) -> Any:
        if type(self) is not type(other) or self._type_spec != other._type_spec:
            return False
        parts = flatten(self, expand_composites=True), flatten(other, expand_composites=True)
        alike = [reduce_all(equal(one, another)) for one, another in zip(*parts, strict=True)]
        return reduce_all(stack(alike)) if alike else True

    def __ne__(self, other: object) -> Any:
        same = self == other
        return not same if isinstance(same, bool) else logical_not(same)

    __hash__ = None  # type: ignore[assignment]  # equality is a tensor

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={self.__dict__.get(name, '<unset>')!r}" for name in type(self)._fields_of_values)
        return f"{type(self).__qualname__}({told})"


class BatchableExtensionType(ExtensionType):
    """An `ExtensionType` whose values can be put beside each other in a batch."""
