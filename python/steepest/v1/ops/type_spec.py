"""``tf.TypeSpec``: the base class of what is known of values before they are there, and how values tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..graph.composites import is_variable
from ..graph.nests import flatten, is_nested, items_of, like, pack_sequence_as
from .spec_parts import compatible_parts, covered, key_of_part, merged, together

__all__ = [
    "BatchableTypeSpec",
    "TypeSpec",
    "register_type_spec_from_value_converter",
    "type_spec_from_value",
    "with_shape",
]

_converters: list[tuple[type, Callable[[Any], Any], bool]] = []
_of_tensors: list[Callable[[Any], Any]] = []


class TypeSpec:
    """Base class of what is known of a value: two are equal where their parts are."""

    @property
    def value_type(self) -> type:
        """The class of the values."""
        raise NotImplementedError(f"{type(self).__name__}.value_type")

    @property
    def of_composites(self) -> bool:
        """Whether nests take it apart where they take values of several tensors apart."""
        try:
            return self._component_specs is not self
        except NotImplementedError:
            return False

    def _serialize(self) -> tuple[Any, ...]:
        raise NotImplementedError(f"{type(self).__name__}._serialize")

    @classmethod
    def _deserialize(cls, serialization: tuple[Any, ...]) -> Any:
        return cls(*serialization)

    @property
    def _component_specs(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._component_specs()")

    def _to_components(self, value: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._to_components()")

    def _from_components(self, components: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._from_components()")

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Tell whether a value, or all of another spec, could be this."""
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else type_spec_from_value(spec_or_value)
        return type(self) is type(other) and compatible_parts(self._serialize(), other._serialize())

    def most_specific_compatible_type(self, other: TypeSpec) -> Any:
        """Return what is known of all values of both. Raises ValueError where there are none."""
        if type(self) is not type(other):
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return self._deserialize(merged(self._serialize(), other._serialize()))

    def is_subtype_of(self, other: Any) -> bool:
        """Tell whether all values of this are values of the other, which is of the same class."""
        return type(self) is type(other) and covered(self._serialize(), other._serialize())

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Any:
        """Return what is known of the values of all, None where that is nothing."""
        if any(type(self) is not type(other) for other in others):
            return None
        try:
            return self._deserialize(together(self._serialize(), [other._serialize() for other in others]))
        except ValueError:
            return None

    def flatten(self) -> list[Any]:
        """Return the specs of the tensors of a value, one after another."""
        return self._flat_tensor_specs

    def to_tensors(self, value: Any) -> list[Any]:
        """Return the tensors of a value, one after another."""
        return self._to_tensor_list(value)

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        """Return the value that is made of the next tensors."""
        return self._from_compatible_tensor_list([next(tensors) for _ in self._flat_tensor_specs])

    def cast(self, value: Any, casting_context: Any) -> Any:
        """Return a value of this for one that can become it; it is the same one where its parts are."""
        cast, same = _cast(self._component_specs, self._to_components(value), casting_context)
        return value if same else self._from_components(cast)

    @property
    def _flat_tensor_specs(self) -> list[Any]:
        return _flat_specs(self._component_specs)

    def _to_tensor_list(self, value: Any) -> list[Any]:
        return flatten(self._to_components(value), expand_composites=True)

    def _from_tensor_list(self, tensor_list: list[Any]) -> Any:
        specs = self._flat_tensor_specs
        if len(specs) != len(tensor_list):
            raise ValueError("Incompatible input: wrong number of tensors")
        for k, (tensor, spec) in enumerate(zip(tensor_list, specs, strict=True)):
            if not spec.is_compatible_with(tensor):
                raise ValueError(f"Incompatible input: tensor {k} ({tensor}) is incompatible with {spec}")
        return self._from_compatible_tensor_list(tensor_list)

    def _from_compatible_tensor_list(self, tensor_list: list[Any]) -> Any:
        remaining = iter(tensor_list)
        return self._from_components(_filled(self._component_specs, remaining))

    def _parts(self) -> Any:
        return key_of_part(self._serialize())  # unknown shapes are equal here

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, TypeSpec) and self._parts() == other._parts()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._parts())

    def __reduce__(self) -> Any:
        return type(self), self._serialize()

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._serialize()!r}"


class BatchableTypeSpec(TypeSpec):
    """What is known of values that can be put beside each other in a batch."""

    def _batch(self, batch_size: int | None) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._batch")

    def _unbatch(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._unbatch")

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        tensors = self._to_tensor_list(value)
        if any(tensor.shape.ndims == 0 for tensor in tensors):
            raise ValueError(f"Value {value} has insufficient rank for batching.")
        return tensors


def tensors_tell(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Register what gives the spec of a tensor, None for what is none; it is imported later than this file."""
    _of_tensors[:] = [function]
    return function


def register_type_spec_from_value_converter(
    type_object: type, converter_fn: Callable[[Any], Any], allow_subclass: bool = False
) -> None:
    """Let `type_spec_from_value` ask a function for values of a class, the latest one first."""
    _converters.append((type_object, converter_fn, allow_subclass))


def type_spec_from_value(value: Any) -> Any:
    """Return the spec of a value. Raises TypeError for what has none and is no tensor either."""
    if hasattr(type(value), "_type_spec") and not is_variable(value):
        return value._type_spec
    for kind, function, subclasses in reversed(_converters):
        if type(value) is kind or (subclasses and isinstance(value, kind)):
            return function(value)
    found = _of_tensors[0](value)
    if found is None:
        raise TypeError(
            f"Could not build a TypeSpec for {value!r} with type {type(value).__name__}, of unsupported type "
            f"{type(value)}."
        )
    return found


def with_shape(value: Any, shape: Any) -> Any:
    """Return the spec of a value that has one shape in another."""
    spec = type_spec_from_value(value)
    return type(spec)(shape, *spec._serialize()[1:])


def _cast(specs: Any, values: Any, context: Any) -> tuple[Any, bool]:
    """Return the values cast to specs, in their nest, and whether they are the same ones."""
    if not is_nested(specs):
        cast = specs.cast(values, context)
        return cast, cast is values
    parts = [_cast(spec, value, context) for spec, value in zip(items_of(specs), items_of(values), strict=True)]
    return like(specs, [part for part, _ in parts]), all(same for _, same in parts)


def _flat_specs(structure: Any) -> list[Any]:
    flat = flatten(structure) if is_nested(structure) else [structure]
    return [part for spec in flat for part in (getattr(spec, "_flat_tensor_specs", None) or [spec])]


def _filled(structure: Any, values: Any) -> Any:
    """Return a nest of specs with the values that they are of."""
    if is_nested(structure):
        return pack_sequence_as(structure, [_filled(spec, values) for spec in flatten(structure)])
    inside = structure._flat_tensor_specs
    if inside == [structure]:
        return next(values)
    return structure._from_compatible_tensor_list([next(values) for _ in inside])
