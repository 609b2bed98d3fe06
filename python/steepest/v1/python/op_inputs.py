"""Inputs of operations of defined types: what a program gives as tensors, and the attributes that they tell."""

from __future__ import annotations

from typing import Any

from ..graph.dtypes import DType, as_dtype
from ..graph.node import Tensor
from ..graph.op_defs import ArgDef, AttrDef, OpDef
from .framework_ops import convert_to_tensor
from .op_attributes import check_type

__all__ = ["Inputs", "attr_named"]


def attr_named(op_def: OpDef, name: str) -> AttrDef:
    """Return the definition of an attribute; TypeError where there is none."""
    for attr in op_def.attr:
        if attr.name == name:
            found: AttrDef = attr
            return found
    raise TypeError(f"Inconsistent OpDef for '{op_def.name}', missing attr '{name}'")


class Inputs:
    """The tensors that an operation takes, and what of its attributes they tell.

    Errors are those of TensorFlow's `OpDefLibrary`: TypeError for other types, ValueError for lists of other lengths.
    """

    def __init__(self, op_def: OpDef) -> None:
        self.op_def, self.op_type = op_def, op_def.name
        self.tensors: list[Tensor] = []
        self.types: list[DType] = []
        self.references: list[Tensor] = []
        self.attributes: dict[str, Any] = {}
        self._told: dict[str, str] = {}  # by which input an attribute was told
        typed = (attr for attr in op_def.attr if attr.type == "type" and attr.HasField("default_value"))
        self._defaults = {attr.name: as_dtype(attr.default_value.type) for attr in typed}

    def take(self, arg: ArgDef, name: str, values: Any) -> None:
        """Take what is given for one input."""
        found = (
            self._several(arg, name, values) if arg.number_attr or arg.type_list_attr else self._one(arg, name, values)
        )
        base = [tensor.dtype.base_dtype for tensor in found]
        self._tell(arg, name, base)
        if arg.is_ref and not all(tensor.dtype._is_ref_dtype for tensor in found):
            raise TypeError(
                f"'{self.op_type}' Op requires that input '{name}' be a mutable tensor (e.g.: a tf.Variable)"
            )
        self.tensors += found
        self.types += [tensor.dtype for tensor in found] if arg.is_ref else base
        self.references += found if arg.is_ref else []

    def _wanted(self, arg: ArgDef) -> DType | None:
        """Return the type that an input must have, where it is known before."""
        if arg.type:
            return as_dtype(arg.type)
        return self.attributes.get(arg.type_attr) if arg.type_attr else None

    def _several(self, arg: ArgDef, name: str, values: Any) -> list[Tensor]:
        if not isinstance(values, (list, tuple)):
            raise TypeError(f"Expected list for '{name}' argument to '{self.op_type}' Op, not {values}.")
        wanted = self._wanted(arg)
        if wanted is None and arg.number_attr:
            wanted = next((each.dtype.base_dtype for each in values if isinstance(each, Tensor)), None)
        preferred = self._defaults.get(arg.type_attr) if wanted is None and arg.number_attr else None
        try:
            found = [
                convert_to_tensor(each, wanted, f"{arg.name}_{k}", preferred_dtype=preferred)
                for k, each in enumerate(values)
            ]
            if not arg.number_attr or len({tensor.dtype.base_dtype for tensor in found}) < 2:
                return found
        except (TypeError, ValueError):
            pass
        shown = (
            f"Tensors in list passed to '{name}' of '{self.op_type}' Op have types [{', '.join(map(_type, values))}]"
        )
        if not arg.number_attr:
            raise TypeError(f"{shown} that are invalid. Tensors: {values}")
        if arg.type:
            raise TypeError(f"{shown} that do not match expected type {as_dtype(arg.type).name}.")
        if arg.type_attr in self.attributes:
            assert wanted is not None
            raise TypeError(f"{shown} that do not match type {wanted.name} inferred from earlier arguments.")
        raise TypeError(f"{shown} that don't all match.")

    def _one(self, arg: ArgDef, name: str, value: Any) -> list[Tensor]:
        wanted = self._wanted(arg)
        preferred = self._defaults.get(arg.type_attr) if wanted is None else None
        if isinstance(value, Tensor) and wanted is not None and value.dtype.base_dtype != wanted.base_dtype:
            shown = f"Input '{name}' of '{self.op_type}' Op has type {value.dtype.name} that does not match"
            if arg.type:
                raise TypeError(f"{shown} expected type of {wanted.name}.")
            raise TypeError(f"{shown} type {wanted.name} of argument '{self._told[arg.type_attr]}'.")
        try:
            return [convert_to_tensor(value, wanted, arg.name, preferred_dtype=preferred)]
        except (TypeError, ValueError) as error:
            if wanted is None:
                raise
            raise TypeError(
                f"Expected {wanted.name} passed to parameter '{arg.name}' of op '{self.op_type}', got {value!r} of "
                f"type '{type(value).__name__}' instead. Error: {error}"
            ) from error

    def _tell(self, arg: ArgDef, name: str, types: list[DType]) -> None:
        """Note the attributes that an input tells, or compare them with what was told before."""
        if arg.number_attr:
            self._tell_number(arg, name, len(types))
        if arg.type_list_attr:
            self._tell_types(arg.type_list_attr, name, types)
        elif arg.type_attr:
            if not types and arg.type_attr not in self.attributes:
                raise TypeError(
                    "Don't know how to infer type variable from empty input list passed to input "
                    f"'{name}' of '{self.op_type}' Op."
                )
            if types and arg.type_attr not in self.attributes:
                check_type(types[0], attr_named(self.op_def, arg.type_attr), name)
                self.attributes[arg.type_attr], self._told[arg.type_attr] = types[0], name

    def _tell_number(self, arg: ArgDef, name: str, count: int) -> None:
        known = self.attributes.setdefault(arg.number_attr, count)
        told = self._told.setdefault(arg.number_attr, name)
        shown = f"List argument '{name}' to '{self.op_type}' Op with length {count}"
        if known != count:
            raise ValueError(f"{shown} must match length {known} of argument '{told}'.")
        attr = attr_named(self.op_def, arg.number_attr)
        if attr.has_minimum and count < attr.minimum:
            raise ValueError(f"{shown} shorter than minimum length {attr.minimum}.")

    def _tell_types(self, key: str, name: str, types: list[DType]) -> None:
        if key not in self.attributes:
            for dtype in types:
                check_type(dtype, attr_named(self.op_def, key), name)
            self.attributes[key], self._told[key] = types, name
        elif self.attributes[key] != types:
            shown, known = (", ".join(each.name for each in given) for given in (types, self.attributes[key]))
            raise TypeError(
                f"Input '{name}' of '{self.op_type}' Op has type list of {shown} that does not match type list {known} "
                f"of argument '{self._told[key]}'."
            )


def _type(value: Any) -> str:
    """Return the name of the type that a value becomes a tensor of."""
    try:
        name: str = convert_to_tensor(value).dtype.base_dtype.name
    except (TypeError, ValueError):
        return "<NOT CONVERTIBLE TO TENSOR>"
    return name
