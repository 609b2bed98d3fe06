"""The specs of `ExtensionType`: what is known of a value, field by field, and its tensors one after another."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from ..graph.tensor_kind import Tensor
from .extension_conversions import ImmutableDict
from .type_spec import TypeSpec, type_spec_from_value
from .type_specs import CompositeTensor, TensorSpec

__all__ = ["BEING_MADE", "PACKED", "ExtensionTypeSpec", "from_tensors", "set_constructor", "spec_class", "tensor_specs"]

BEING_MADE = "(being made)"  # no name of an attribute that a program writes
PACKED = "(packed)"  # under which the one tensor is, with the spec of what it stands for


def set_constructor(cls: Any, parameters: list[inspect.Parameter]) -> None:
    """Give a class the constructor that takes the fields."""
    signature = inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD), *parameters], return_annotation=cls
    )

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        self.__dict__.update(list(bound.arguments.items())[1:])

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    cls.__init__, cls._made_constructor = __init__, True


def spec_class(cls: Any, own: Any) -> Any:
    """Return the class of a class' specs, with what a program's nested class ``Spec`` has."""
    bases = (ExtensionTypeSpec,)
    namespace = {"__qualname__": f"{cls.__qualname__}.Spec", "__module__": cls.__module__, "value_type": cls}
    if own is not None and not issubclass(own, ExtensionTypeSpec):
        left_out = {"__dict__", "__weakref__", "__module__", "__qualname__"}
        namespace |= {name: value for name, value in vars(own).items() if name not in left_out}
    spec = type("Spec", bases, namespace)
    if "__init__" not in namespace:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        set_constructor(spec, [inspect.Parameter(name, kind) for name in cls._parameters])
    return spec


def _spec_of(value: Any) -> Any:
    """Return what stands for a field in a spec: the spec of a value of tensors, any other value itself."""
    if isinstance(value, (list, tuple)):
        return tuple(_spec_of(item) for item in value)
    if isinstance(value, Mapping):
        return ImmutableDict({key: _spec_of(item) for key, item in value.items()})
    if isinstance(value, (Tensor, CompositeTensor)) or hasattr(type(value), "_type_spec"):
        return type_spec_from_value(value)
    return value


def _held(value: Any) -> Any:
    """Return a part of a spec as it is kept: lists as tuples, dicts that do not change."""
    if isinstance(value, (list, tuple)):
        return tuple(map(_held, value))
    return ImmutableDict({key: _held(item) for key, item in value.items()}) if isinstance(value, Mapping) else value


def _as_told(value: Any) -> Any:
    """Return a part of a spec as messages have it: with plain dicts."""
    if isinstance(value, tuple):
        return tuple(map(_as_told, value))
    return {key: _as_told(item) for key, item in value.items()} if isinstance(value, Mapping) else value


def _leaves(spec: Any, value: Any) -> list[Any]:
    """Return the parts of a nest that stand where a nest of specs has specs; dicts in the order of their keys."""
    if isinstance(spec, TypeSpec):
        return [value]
    if isinstance(spec, tuple):
        return [leaf for one, item in zip(spec, value, strict=True) for leaf in _leaves(one, item)]
    if isinstance(spec, Mapping):
        return [leaf for key in sorted(spec) for leaf in _leaves(spec[key], value[key])]
    return []


def _with_leaves(spec: Any, leaves: Iterator[Any]) -> Any:
    """Return a nest of specs with values in their places."""
    if isinstance(spec, TypeSpec):
        return next(leaves)
    if isinstance(spec, tuple):
        return tuple(_with_leaves(item, leaves) for item in spec)
    if isinstance(spec, Mapping):
        made = {key: _with_leaves(spec[key], leaves) for key in sorted(spec)}
        return ImmutableDict({key: made[key] for key in spec})
    return spec


def tensor_specs(spec: Any) -> list[TensorSpec]:
    """Return the specs of the tensors that a value is made of in the end."""
    return (
        [spec]
        if isinstance(spec, TensorSpec)
        else [one for each in spec._component_specs for one in tensor_specs(each)]
    )


def from_tensors(spec: Any, tensors: Iterator[Any]) -> Any:
    """Return the value that is made of tensors in the end."""
    if isinstance(spec, TensorSpec):
        return next(tensors)
    return spec._from_components([from_tensors(each, tensors) for each in spec._component_specs])


class _SpecType(type):
    """The type of specs' classes: a spec does not change once its constructor is done."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return a new spec."""
        kind: Any = cls
        made = kind.__new__(kind)
        made.__dict__[BEING_MADE] = True
        kind.__init__(made, *args, **kwargs)
        return made._finished()


class ExtensionTypeSpec(TypeSpec, metaclass=_SpecType):
    """What is known of an `ExtensionType`: of each field the spec, or the value where it is no tensor."""

    value_type: Any = None

    def _finished(self) -> Any:
        self.__dict__.pop(BEING_MADE, None)
        for field in self.value_type._tf_extension_type_fields():
            self.__dict__[field.name] = _held(self.__dict__[field.name])
        self.__validate__()
        return self

    def __validate__(self) -> None:
        """Raise an error for a spec that must not be: a class says so."""

    @classmethod
    def from_value(cls, value: Any) -> Any:
        """Return the spec of a value."""
        return cls._of({name: _spec_of(getattr(value, name)) for name in cls.value_type._parameters})

    @classmethod
    def _of(cls, fields: Mapping[str, Any]) -> Any:
        made = cls.__new__(cls)
        made.__dict__.update(fields)
        return made._finished()

    def _serialize(self) -> tuple[Any, ...]:
        told = tuple((name, _as_told(self.__dict__[name])) for name in self.value_type._parameters)
        return (*told, (PACKED, True)) if PACKED in self.__dict__ else told

    @classmethod
    def _deserialize(cls, serialization: tuple[Any, ...]) -> Any:
        told = dict(serialization)
        packed = told.pop(PACKED, False)
        return cls._of(told)._packed() if packed else cls._of(told)

    def __reduce__(self) -> Any:
        return self._deserialize, (self._serialize(),)

    @property
    def _component_specs(self) -> tuple[Any, ...]:
        return tuple(_leaves(self._fields(), self._fields()))

    def _packed(self) -> Any:
        """Return the spec of values that are held as one tensor."""
        made = type(self)._of(self.__dict__)
        made.__dict__[PACKED] = True
        return made

    def _fields(self) -> tuple[Any, ...]:
        if PACKED in self.__dict__:
            return (TensorSpec((), "variant"),)
        return tuple(self.__dict__[name] for name in self.value_type._parameters)

    def _to_components(self, value: Any) -> tuple[Any, ...]:
        if PACKED in self.__dict__:
            return (value.__dict__[PACKED][0],)
        return tuple(_leaves(self._fields(), tuple(getattr(value, name) for name in self.value_type._parameters)))

    def _from_components(self, components: Any) -> Any:
        kind: Any = self.value_type
        made = kind.__new__(kind)
        if PACKED in self.__dict__:
            (tensor,) = components
            own = {name: value for name, value in self.__dict__.items() if name != PACKED}
            made.__dict__[PACKED] = tensor, type(self)._of(own)
            return made
        values = _with_leaves(self._fields(), iter(components))
        made.__dict__.update(zip(kind._parameters, values, strict=True))
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        if BEING_MADE not in self.__dict__:
            raise AttributeError(
                f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionTypeSpec."
            )
        self.__dict__[name] = value

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionTypeSpec.")

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self._serialize())
        return f"{self.value_type.__qualname__}.Spec({told})"
