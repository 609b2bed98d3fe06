"""Types of functions that were made for given arguments: what their parameters take, and calls that fit them."""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...variables.variable import Variable as CoreVariable
from ..graph.composites import is_composite, parts_of
from ..ops.sparse_ops import convert_to_tensor
from ..ops.type_specs import TensorSpec
from ..variables.variable_spec import VariableSpec
from .forms import Form, Parts, is_tensor

__all__ = ["FunctionType", "Kind", "Parameter", "kind_of", "sanitized"]


def sanitized(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments under names that parameters may have. Raises ValueError where two of them become one."""
    names = [_word(name) for name in kwargs]
    if len(set(names)) != len(names):
        raise ValueError(
            "Name collision after sanitization. Please rename tf.function input parameters. Original: "
            f"{sorted(kwargs)}, Sanitized: {sorted(names)}"
        )
    return dict(zip(names, kwargs.values(), strict=True))


def _word(name: str) -> str:
    word = "".join(each if each.isalnum() else "_" for each in name)
    return word if word[:1].isalpha() else f"arg_{word}"


class Kind:
    """What a parameter takes that is not one tensor: a nest with specs for tensors, and other values as they are.

    Args:
        nest: the nest.
        named: whether specs keep their names.
    """

    def __init__(self, nest: Any, named: bool = False) -> None:
        self._nest, self._named = nest, named

    @property
    def mapping(self) -> dict[Any, Any]:
        """The kinds of a dict's values, by their keys."""
        return {key: self._of(part) for key, part in self._nest.items()}

    def _of(self, part: Any) -> Any:
        return kind_of(part, self._named)

    def __eq__(self, other: object) -> bool:
        return repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        nest = self._nest
        if isinstance(nest, Parts):
            return type(nest.whole.value).__name__
        if isinstance(nest, dict):
            return f"Dict[{', '.join(f'[{key!r}, {part!r}]' for key, part in self.mapping.items())}]"
        if hasattr(nest, "_fields"):
            parts = (f"[{name!r}, {self._of(part)!r}]" for name, part in zip(nest._fields, nest, strict=True))
            return f"{type(nest).__name__}[{', '.join(parts)}]"
        if isinstance(nest, (list, tuple)):
            word = "List" if isinstance(nest, list) else "Tuple"
            return f"{word}[{', '.join(repr(self._of(part)) for part in nest)}]"
        return repr(nest) if isinstance(nest, VariableSpec) else f"Literal[{nest!r}]"


def kind_of(nest: Any, named: bool = False) -> Any:
    """Return the kind of an argument: for one tensor its spec, without a name unless ``named``."""
    if isinstance(nest, TensorSpec):
        return TensorSpec(nest.shape, nest.dtype, nest.name if named else None)
    return nest if isinstance(nest, VariableSpec) else Kind(nest, named)


def _parts(nest: Any, value: Any) -> Iterator[Any]:
    """Give the tensors and variables of an argument of the kind of a nest.

    Raises TypeError for one that is of another.
    """
    if isinstance(nest, TensorSpec):
        yield _tensor(nest, value)
    elif isinstance(nest, CoreVariable):
        spec = VariableSpec.from_value(nest)
        if not spec.is_compatible_with(value):
            raise TypeError(f"Can not cast {value!r} to {spec!r}")
        yield value
    elif isinstance(nest, Parts):
        if not is_composite(value) or type(value) is not type(nest.whole.value):
            raise TypeError(f"{value!r} and {Kind(nest)!r} don't have the same nested structure")
        yield from _each(nest.parts, parts_of(value))
    elif isinstance(nest, dict):
        if not isinstance(value, Mapping):
            raise TypeError(f"Can not cast {value!r} to a Dict type.")
        if set(value) != set(nest):
            raise TypeError(f"{value!r} has different keys with the TraceType {Kind(nest)!r}.")
        keys = sorted(nest)
        yield from _each([nest[key] for key in keys], [value[key] for key in keys])
    elif isinstance(nest, (list, tuple)):
        if not isinstance(value, tuple if isinstance(nest, tuple) else list):
            raise TypeError(f"Can not cast {value!r} to {'tuple' if isinstance(nest, tuple) else 'list'} type.")
        if len(value) != len(nest):
            raise TypeError(f"Expected {value} to have length of {len(nest)}")
        yield from _each(nest, value)
    elif value is not nest and (is_tensor(value) or isinstance(value, np.ndarray) or value != nest):
        raise TypeError(f"Can not cast {value!r} to {Kind(nest)!r}")


def _each(nests: Iterable[Any], values: Iterable[Any]) -> Iterator[Any]:
    for nest, value in zip(nests, values, strict=True):
        yield from _parts(nest, value)


def _tensor(spec: TensorSpec, value: Any) -> Any:
    try:
        tensor = convert_to_tensor(value) if is_tensor(value) else convert_to_tensor(value, spec.dtype)
    except (TypeError, ValueError) as error:
        raise TypeError(str(error)) from error
    given = TensorSpec(tensor.get_shape(), tensor.dtype.base_dtype)
    if given.dtype != spec.dtype or not spec.shape.is_compatible_with(given.shape):
        raise TypeError(f"Can not cast {given!r} to {kind_of(spec)!r}")
    return tensor


class Parameter(inspect.Parameter):
    """A parameter of a function, and what it takes."""

    def __init__(self, name: str, kind: Any, optional: bool, type_constraint: Any) -> None:
        default = None if optional else inspect.Parameter.empty
        annotation = inspect.Parameter.empty if type_constraint is None else type_constraint
        super().__init__(name, kind, default=default, annotation=annotation)

    @property
    def optional(self) -> bool:
        """Whether calls may leave it out."""
        return self.default is not self.empty

    @property
    def type_constraint(self) -> Any:
        """What it takes, None for anything."""
        return None if self.annotation is self.empty else self.annotation


class FunctionType(inspect.Signature):
    """The parameters of a function, what it takes from outside, and what it gives.

    Args:
        parameters: a `Parameter` for each.
        captures: the specs of what is taken from outside, by the ids of that.
        return_annotation: the kind of what it gives.
    """

    def __init__(
        self, parameters: Sequence[Any] = (), captures: Mapping[Any, Any] | None = None, **options: Any
    ) -> None:
        super().__init__(parameters, **options)
        self._captures = OrderedDict(captures or {})

    @property
    def captures(self) -> OrderedDict[Any, Any]:
        """The specs of what is taken from outside."""
        return self._captures

    @property
    def output(self) -> Any:
        """The kind of what the function gives."""
        return None if self.return_annotation is self.empty else self.return_annotation

    @classmethod
    def of(
        cls, signature: inspect.Signature, form: Form, captures: Mapping[Any, Any], output: Any, named: bool = False
    ) -> FunctionType:
        """Return the type of what was made of a function for arguments; ``named``: with the names of specs."""
        bound = signature.bind(*form.positional, **form.named)
        several = any(each.kind is Parameter.VAR_POSITIONAL for each in signature.parameters.values())
        made: list[Parameter] = []
        for name, value in bound.arguments.items():
            kind = signature.parameters[name].kind
            if kind is Parameter.VAR_POSITIONAL:
                made += [
                    Parameter(f"{name}_{k}", Parameter.POSITIONAL_ONLY, False, kind_of(each, named))
                    for k, each in enumerate(value)
                ]
            elif kind is Parameter.VAR_KEYWORD:
                made += [
                    Parameter(_word(key), Parameter.KEYWORD_ONLY, False, kind_of(value[key], named))
                    for key in sorted(value)
                ]
            else:
                only = several and kind is Parameter.POSITIONAL_OR_KEYWORD
                made.append(Parameter(name, Parameter.POSITIONAL_ONLY if only else kind, False, kind_of(value, named)))
        return cls(made, captures, return_annotation=output)

    def given(self, form: Form, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
        """Return the tensors and the variables of arguments that are those of a form, in its order.

        Raises TypeError for arguments that are not.
        """
        given = sanitized(kwargs)
        try:
            bound = self.bind(*args, **given).arguments
            values = list(bound.values())
            here = len(form.positional)
            named = [bound[_word(name)] for name in sorted(form.named)]
            nests = [*form.positional, *(form.named[name] for name in sorted(form.named))]
            parts = list(_each(nests, [*values[:here], *named]))
            variables = [isinstance(leaf, CoreVariable) for leaf in form.taken()]
            kinds: tuple[list[Any], list[Any]] = ([], [])
            for part, is_variable in zip(parts, variables, strict=True):
                kinds[is_variable].append(part)
            return kinds
        except TypeError as error:
            raise TypeError(
                f"Binding inputs to tf.function failed due to `{error}`. Received args: {tuple(args)} and kwargs: "
                f"{given} for signature: {self}."
            ) from error

    def __repr__(self) -> str:
        taken = [f"  {each.name} ({each.kind}): {each.annotation}" for each in self.parameters.values()]
        held = [f"  {key}: {spec}" for key, spec in self.captures.items()]
        lines = ["Input Parameters:", *taken, "Output Type:", f"  {self.output}", "Captures:", *(held or ["  None"])]
        return "\n".join(lines)
