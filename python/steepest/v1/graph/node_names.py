"""What names of tensors and operations mean in a graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .node import Operation
from .op_names import COMPOSED

__all__ = ["element_of", "name_inside"]

# The operations through which TensorFlow reads references and resources; here a variable's own tensor is what is read.
_READS = {"/read": False, "/Read/ReadVariableOp": True}


def element_of(operations: Mapping[str, Operation], name: str, allow_tensor: bool, allow_operation: bool) -> Any:
    """Return the tensor ``"operation:0"`` or the operation of a name.

    Raises KeyError for one that there is not, ValueError for the name of the other kind, or none that can be.
    """
    op_name, colon, number = name.partition(":")
    operation = operations.get(op_name) or _read_under(operations, op_name)
    if colon and allow_tensor:
        if not number.isdigit():
            raise ValueError(
                f"The name {name!r} looks a like a Tensor name, but is not a valid one. Tensor names must be of "
                'form "<op_name>:<output_index>".'
            )
        if operation is None:
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, does not "
                "exist in the graph."
            )
        if int(number) >= len(operation.outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, exists "
                f"but only has {len(operation.outputs)} outputs."
            )
        return operation.outputs[int(number)]
    if colon:
        raise ValueError(f"The name {name!r} refers to a Tensor, not an Operation.")
    if not allow_operation:
        looks = "refers to an Operation, not a Tensor" if operation else "looks like an (invalid) Operation name"
        raise ValueError(f'The name {name!r} {looks}. Tensor names must be of the form "<op_name>:<output_index>".')
    if operation is None:
        raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
    return operation


def _read_under(operations: Mapping[str, Operation], name: str) -> Operation | None:
    """Return the operation of the variable that TensorFlow reads by an operation of this name."""
    for end, resource in _READS.items():
        read = operations.get(name[: -len(end)]) if name.endswith(end) else None
        if read is not None and read.type == "VariableV2":
            owner = read._attributes.get("owner")
            return read if bool(getattr(owner, "_is_resource", False)) is resource else None
    return None


def name_inside(graph: Any, full_name: str, name: str | None, op_type: str) -> str | None:
    """Return the name, below the scope the graph is in, of an operation whose constants are made before itself.

    They are named below it, and it may be the second of its name: ``add_1/y``.
    """
    if op_type in COMPOSED or (name is not None and (not name or name.endswith("/"))):
        return name
    scope = graph.get_name_scope()
    return full_name[len(scope) + bool(scope) :]
