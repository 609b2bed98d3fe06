"""Forms of arguments: what is the same for calls for which a function's body is made once."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...ops.dispatch import Operand
from ...ops.tensor import Tensor
from ...variables.variable import Variable
from ..graph.composites import is_composite, parts_of, with_parts
from ..graph.nests import items_of, like
from ..graph.node import Node
from ..graph.shapes import TensorShape
from ..ops.loop_ops import leaves, rebuilt
from ..ops.sparse_ops import convert_to_tensor
from ..ops.type_specs import TensorSpec

__all__ = ["Form", "Parts", "UnhashableError", "form_of", "in_place", "is_tensor", "key_of", "parts_like", "plain_key"]


class _Whole:
    """A value that is made of several tensors, as one object."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Parts(NamedTuple):
    """Stands in a form for a value that is made of several tensors."""

    whole: _Whole
    parts: list[Any]


def _in_parts(nest: Any) -> Any:
    """Return a nest with `Parts` for what is made of several tensors."""
    if is_composite(nest):
        return parts_like(nest, parts_of(nest))
    return _mapped(_in_parts, nest)


def parts_like(whole: Any, parts: list[Any]) -> Parts:
    """Return what stands in a form for a value of the kind of ``whole``, of other parts."""
    return Parts(_Whole(whole), parts)


def _whole(nest: Any) -> Any:
    """Return the nest for one with `Parts` in it."""
    if isinstance(nest, Parts):
        return with_parts(nest.whole.value, list(nest.parts))
    return _mapped(_whole, nest)


def _mapped(function: Callable[[Any], Any], nest: Any) -> Any:
    if isinstance(nest, (list, tuple, dict)):
        return like(nest, [function(part) for part in items_of(nest)])
    return nest


class Form(NamedTuple):
    """Arguments of a function, with a spec where a tensor is to be given."""

    positional: tuple[Any, ...]
    named: dict[str, Any]

    def specs(self) -> list[TensorSpec]:
        """Return the specs, in the order of the arguments."""
        return [leaf for leaf in self.leaves() if isinstance(leaf, TensorSpec)]

    def filled(self, tensors: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments with tensors in place of the specs."""
        remaining = iter(tensors)
        values = [next(remaining) if isinstance(leaf, TensorSpec) else leaf for leaf in self.leaves()]
        positional, named = _whole(rebuilt([list(self.positional), self.named], values))
        return positional, named

    def leaves(self) -> list[Any]:
        """Return all arguments, one after another."""
        return leaves([list(self.positional), self.named])

    def taken(self) -> list[Any]:
        """Return the specs and the variables, in the order of the arguments."""
        return [leaf for leaf in self.leaves() if isinstance(leaf, (TensorSpec, Variable))]

    def with_variables(self, variables: Sequence[Any]) -> Form:
        """Return the form with other variables, itself where they are its own."""
        own = [leaf for leaf in self.leaves() if isinstance(leaf, Variable)]
        if all(one is other for one, other in zip(own, variables, strict=True)):
            return self
        remaining = iter(variables)
        values = [next(remaining) if isinstance(leaf, Variable) else leaf for leaf in self.leaves()]
        positional, named = rebuilt([list(self.positional), self.named], values)
        return Form(tuple(positional), named)

    def with_specs(self, specs: Sequence[TensorSpec]) -> Form:
        """Return the form with other specs."""
        remaining = iter(specs)
        values = [next(remaining) if isinstance(leaf, TensorSpec) else leaf for leaf in self.leaves()]
        positional, named = rebuilt([list(self.positional), self.named], values)
        return Form(tuple(positional), named)


def form_of(signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Form, list[Any]]:
    """Return the form of a function's arguments, and the tensors, arrays and specs among them, in the form's order.

    The spec of each has the name of its parameter.

    Raises:
        TypeError: where the function does not take them.
        ValueError: where of one argument some specs have names, and others none.
    """
    parameters = signature.bind(*args, **kwargs)
    parameters.apply_defaults()
    made: dict[str, Any] = {}
    taken: set[str] = set()
    given: list[Any] = []
    kinds = parameters.signature.parameters
    for name, value in parameters.arguments.items():
        if kinds[name].kind is inspect.Parameter.VAR_KEYWORD:
            made[name] = {key: _with_specs(key, value[key], taken, given) for key in sorted(value)}
        elif kinds[name].kind is inspect.Parameter.VAR_POSITIONAL:
            made[name] = tuple(_with_specs(f"{name}_{k}", each, taken, given) for k, each in enumerate(value))
        else:
            made[name] = _with_specs(name, value, taken, given)
    parameters.arguments.update(made)
    return Form(tuple(parameters.args), dict(parameters.kwargs)), given


def _with_specs(name: str, value: Any, taken: set[str], given: list[Any]) -> Any:
    """Return an argument with named specs for its tensors, which are added to those that are given."""
    value = _in_parts(value)
    flat = leaves(value)
    if len({leaf.name is None for leaf in flat if isinstance(leaf, TensorSpec)}) > 1:
        raise ValueError(f"If specifying names for arguments, either zero or all names have to be specified: {value!r}")
    specs = [_spec(name, leaf, taken) for leaf in flat]
    given += [leaf for leaf, spec in zip(flat, specs, strict=True) if isinstance(spec, TensorSpec)]
    return rebuilt(value, specs)


def _spec(name: str, leaf: Any, taken: set[str]) -> Any:
    if isinstance(leaf, TensorSpec):
        shape, dtype, name = leaf.shape, leaf.dtype, leaf.name or name
    elif isinstance(leaf, (np.ndarray, np.generic)) or is_tensor(leaf):
        tensor = convert_to_tensor(leaf)
        shape, dtype = TensorShape(tensor.get_shape()), tensor.dtype
    else:
        return leaf
    unique, number = name, 1
    while unique in taken:
        unique, number = f"{name}_{number}", number + 1
    taken.add(unique)
    return TensorSpec(shape, dtype.base_dtype, unique)


def is_tensor(value: Any) -> bool:
    """Tell whether a value is a tensor; a variable is an argument of its own, as functions may change it."""
    return isinstance(value, (Node, Operand)) and not hasattr(value, "assign")


class UnhashableError(TypeError, AttributeError):
    """An argument that nothing tells from others: TensorFlow 1 raises AttributeError, TensorFlow 2 TypeError."""


_NUMBERS, _NESTS = frozenset({int, float, bool}), frozenset({list, tuple, dict})
_PLAIN = (str, bytes, int, float, complex, bool, type(None), type)


def key_of(item: Any, named: bool = False, ranks: bool = False) -> Any:
    """Return what is equal for arguments for which TensorFlow makes a body once.

    It has the structure of nests, of tensors type and shape, of variables and other objects which one they are. It
    keeps none of them alive.

    Args:
        item: a nest of arguments, or of their specs.
        named: whether the names of specs count.
        ranks: whether of shapes only the ranks do.

    Raises:
        UnhashableError: for an object that has no hash.
    """
    if isinstance(item, TensorSpec) or is_tensor(item):
        shape = TensorShape(item.shape)
        sizes = None if shape.ndims is None else shape.ndims if ranks else tuple(shape.as_list())
        return "tensor", sizes, str(item.dtype), item.name if named else None
    if isinstance(item, (list, tuple)):
        parts = item.parts if isinstance(item, Parts) else item
        kind = type(item.whole.value if isinstance(item, Parts) else item)
        return kind, tuple([key_of(part, named, ranks) for part in parts])
    if isinstance(item, dict):
        return type(item), tuple([(key, key_of(part, named, ranks)) for key, part in sorted(item.items())])
    if is_composite(item):
        return type(item), tuple([key_of(part, named, ranks) for part in parts_of(item)])
    if isinstance(item, _PLAIN):
        return type(item), item
    if isinstance(item, weakref.ref):
        raise TypeError(f"weakref input {item!r} not supported for tf.function.")
    return _object(item)


def in_place(names: Sequence[str], args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Sequence[Any], dict[str, Any]]:
    """Return arguments with those given by name in their places, where no place is left out; else as they are."""
    next_ones = names[len(args) : len(args) + len(kwargs)]
    if len(next_ones) == len(kwargs) and all(name in kwargs for name in next_ones):
        return [*args, *(kwargs[name] for name in next_ones)], {}
    return args, kwargs


def plain_key(args: Sequence[Any], tensors: list[Any]) -> tuple[Any, ...] | None:
    """Return what `key_of` tells apart, in a shorter way; None for arguments that need a closer look.

    Tensors, variables and numbers do not, nor do lists, tuples and dicts of them. The tensors are added to ``tensors``.
    """
    key: list[Any] = []
    for item in args:
        kind = type(item)
        if kind is Tensor:
            array = item._value
            if array.dtype.kind == "O":  # what it holds may be of several kinds
                return None
            tensors.append(item)
            key.append((array.dtype, array.shape))
        elif isinstance(item, Variable):
            key.append(weakref.ref(item))
        elif kind in _NUMBERS:
            key.append((kind, item))
        elif kind in _NESTS and (names := _places(item)) is not None:
            inner = plain_key(item if names is item else [item[name] for name in names], tensors)
            if inner is None:
                return None
            key.append((kind, None if names is item else names, inner))
        else:
            return None
    return tuple(key)


def _places(nest: Any) -> Any:
    """Return a list or tuple as it is, of a dict the sorted names; None where they are no texts."""
    if type(nest) is not dict:
        return nest
    return tuple(sorted(nest)) if all(type(name) is str for name in nest) else None


def _object(item: Any) -> Any:
    """Return a key of an object that is not equal to that of another one which has its place in memory later."""
    try:
        hash(item)
    except TypeError:
        raise UnhashableError(
            f"Could not generate a generic TraceType for {item!r:.80}: it has no hash, as '{type(item).__name__}' "
            "objects have none"
        ) from None
    try:
        return type(item), weakref.ref(item)
    except TypeError:  # of a class without weak references
        return type(item), item
