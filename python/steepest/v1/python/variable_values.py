"""TensorFlow's ``variable_utils``: values in place of the variables in a nest."""

from __future__ import annotations

from typing import Any

from ...variables.variable import Variable as EagerVariable
from ..graph.nests import map_structure
from ..ops.sparse_ops import convert_to_tensor
from ..variables.variables import Variable

__all__ = ["convert_variables_to_tensors", "replace_variables_with_atoms"]


def _is_resource(value: Any) -> bool:
    return isinstance(value, (Variable, EagerVariable)) and bool(getattr(value, "_is_resource", False))


def _converted(value: Any) -> Any:
    if _is_resource(value):
        return convert_to_tensor(value)
    convert = getattr(value, "_convert_variables_to_tensors", None)
    return value if convert is None else convert()


def convert_variables_to_tensors(values: Any) -> Any:
    """Return a nest with tensors in place of its resource variables, those inside composite tensors too."""
    return map_structure(_converted, values)


def replace_variables_with_atoms(values: Any) -> Any:
    """Return a nest with 0, which is a leaf of each nest, in place of its resource variables."""
    return map_structure(lambda value: 0 if _is_resource(value) else value, values)
