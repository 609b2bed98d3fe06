"""Methods of operations that few programs call: their control inputs, and what they take, changed afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .attr_values import AttrValue
from .devices import canonical_name
from .dtypes import name_in_messages
from .errors import InvalidArgumentError, OutOfRangeError
from .op_descriptions import lines_with_starts
from .op_registry import python_value, types_of, with_defaults
from .run_arguments import misfit
from .shapes import compatible

if TYPE_CHECKING:
    from .graph import Graph
    from .node import Operation, Tensor

__all__ = ["OperationEditing"]


class OperationEditing:
    """Changes of an operation; sessions make their plans anew after one."""

    __slots__ = ()

    if TYPE_CHECKING:
        graph: Graph
        name: str
        control_inputs: list[Operation]
        operands: list[Tensor]
        outputs: list[Tensor]
        folded_calls: int
        type: str

        @property
        def inputs(self) -> tuple[Tensor, ...]: ...

    @property
    def _control_outputs(self) -> list[Operation]:
        return [op for op in self.graph.get_operations() if self in op.control_inputs]

    def _get_control_flow_context(self: Any) -> Any:
        """Return the branch or loop that it is in, None outside of them: libraries ask."""
        return self.branch

    @property
    def traceback_with_start_lines(self: Any) -> list[tuple[Any, ...]]:
        """The calls that made it, each with the line in which its function begins behind it."""
        return lines_with_starts(self._places)

    @property
    def _input_types(self: Any) -> list[Any]:
        """The types that it takes: of variables themselves where its definition says so, else of their values."""
        known = None if self.definition is None else self.definition[0]
        if known is None:
            return [tensor.dtype.base_dtype for tensor in self.inputs]
        return types_of(known.input_arg, with_defaults(known, self.definition[1]))

    def _set_attr(self: Any, name: str, value: AttrValue) -> None:
        """Set an attribute: what `get_attr` gives, not what a run does."""
        self._attributes[name] = python_value(value)
        if self.definition is not None:
            self.definition[1][name] = value

    def _set_device(self: Any, device: Any) -> None:
        """Put it at a device, which is recorded."""
        self._attributes["_device"] = canonical_name(device)

    def _add_control_input(self, op: Operation) -> None:
        self._add_control_inputs([op])

    def _add_control_inputs(self: Any, ops: Sequence[Operation]) -> None:
        for op in ops:
            if op.graph is not self.graph:
                raise ValueError(f"Operation {op.name} is not an element of this graph.")
            if op not in self.control_inputs:
                self.control_inputs.append(op)
                self.folded_calls = self.folded_calls if self.type == "Const" else 0
                self.graph._edits += 1

    def _remove_all_control_inputs(self) -> None:
        self.control_inputs.clear()
        self.graph._edits += 1

    def _update_input(self, index: int, tensor: Tensor) -> None:
        """Take a tensor as the input at a position, in place of what is there."""
        if tensor.graph is not self.graph:
            raise ValueError(f"{tensor!r} must be from the same graph as {self!r}.")
        count, own = len(self.inputs), len(self.inputs) - len(self.operands)
        if not own <= index < count:  # a variable that is assigned to stays
            error = f"Cannot update edge. Input index [{index}] is greater than the number of total inputs [{count}]."
            raise OutOfRangeError(None, None, error)
        if tensor.dtype.base_dtype != self.inputs[index].dtype.base_dtype:
            given, expected = (name_in_messages(each.dtype.base_dtype) for each in (tensor, self.inputs[index]))
            what = f"Input {index} of node {self.name} was passed {given} from {tensor.name}"
            operation: Any = self
            operation.function = misfit(f"{what} incompatible with expected {expected}.")
        old, new = self.inputs[index]._shape, tensor._shape
        if not compatible(old, new):
            sizes = ["[{}]".format(",".join(str(size) for size in shape or ())) for shape in (new, old)]
            error = f"Cannot update edge, incompatible shapes: {sizes[0]} and {sizes[1]}."
            raise InvalidArgumentError(None, None, error)
        self.operands[index - own] = tensor
        self.graph._edits += 1
        waiting: list[Any] = [self]
        while waiting:  # what was known of values before a run may not be so
            op = waiting.pop()
            if op.folded_calls:
                op.folded_calls = 0
                waiting += [consumer for output in op.outputs for consumer in output.consumers()]
