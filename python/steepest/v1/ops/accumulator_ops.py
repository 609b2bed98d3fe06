"""Conditional accumulators: runs add gradients, others wait for enough of them and take their mean."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...base.errors import must
from ...ops.indexed_slices import IndexedSlices
from ..graph.build import call, convert, dtype_of
from ..graph.dtypes import DType, as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor
from ..graph.session_values import lifted
from ..graph.shapes import TensorShape
from .accumulator_runs import Accumulated, AccumulatorKind
from .cast_ops import cast

__all__ = ["ConditionalAccumulator", "ConditionalAccumulatorBase", "SparseConditionalAccumulator"]

_OPTIONS: dict[str, Any] = {"contextual": True, "differentiable": False, "same": False}


class SparseAccumulatorTakeGradient(NamedTuple):
    """Rows that were taken: their positions, the rows, and the shape of the whole."""

    indices: Any
    values: Any
    shape: Any


class ConditionalAccumulatorBase:
    """What accumulators share: each session has a sum, a count and a step.

    Args:
        dtype, shape: those of gradients.
        accumulator_ref: the tensor that stands for the accumulator.

    Source: ``tf.ConditionalAccumulatorBase``.
    """

    _operations = "Accumulator"  # what the operations' types begin with

    def __init__(self, dtype: Any, shape: Any, accumulator_ref: Any) -> None:
        self._dtype = as_dtype(dtype)
        self._shape = TensorShape(shape)
        self._accumulator_ref: Tensor = accumulator_ref
        self._name: str = accumulator_ref.op.name.rpartition("/")[2]

    @property
    def accumulator_ref(self) -> Any:
        """The tensor that stands for the accumulator."""
        return self._accumulator_ref

    @property
    def name(self) -> str:
        """The name of the operation that makes it, without scopes."""
        return self._name

    @property
    def dtype(self) -> DType:
        """The type of gradients."""
        return self._dtype

    def num_accumulated(self, name: str | None = None) -> Any:
        """Return the tensor that tells how many gradients there are."""
        called = name or f"{self._name}_NumAccumulated"
        return call(
            "AccumulatorNumAccumulated",
            _count,
            (self._accumulator_ref,),
            name=called,
            shape=(),
            dtype="int32",
            **_OPTIONS,
        )

    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Operation:
        """Return the operation that sets the step: gradients of earlier steps are left out after it."""
        return self._operation("AccumulatorSetGlobalStep", _set_step, [_int64(new_global_step)], name)

    def _operation(self, op_type: str, function: Any, values: list[Any], name: str | None) -> Operation:
        graph = self._accumulator_ref.graph
        with graph.as_default():
            full = graph._operation_name(name, op_type)
            inputs = [self._accumulator_ref, *values]
            return Operation(graph, op_type, full, function, inputs, (), True, differentiable=False)


class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Sums gradients of one variable until enough of them, all of a recent step, have come.

    Args:
        dtype, shape: those of gradients; a shape may be known in part.
        shared_name: accumulators of one session with the same name are one.
        reduction_type: ``"MEAN"`` or ``"SUM"``.

    Raises ValueError for another ``reduction_type``, RuntimeError in eager mode. Source: ``tf.ConditionalAccumulator``.
    """

    def __init__(
        self,
        dtype: Any,
        shape: Any = None,
        shared_name: str | None = None,
        name: str = "conditional_accumulator",
        reduction_type: str = "MEAN",
    ) -> None:
        super().__init__(dtype, shape, _made("ConditionalAccumulator", dtype, shape, shared_name, name, reduction_type))

    def apply_grad(self, grad: Any, local_step: Any = 0, name: str | None = None) -> Operation:
        """Return the operation that adds a gradient, unless ``local_step`` is before the accumulator's step.

        Raises ValueError for another shape.
        """
        gradient = convert(grad, self._dtype)
        gradient.get_shape().assert_is_compatible_with(self._shape)
        return self._operation("AccumulatorApplyGradient", _apply, [_int64(local_step), gradient], name)

    def take_grad(self, num_required: Any, name: str | None = None) -> Any:
        """Return the mean of what was added; its run waits for ``num_required`` gradients, and begins the next step."""
        return call(
            "AccumulatorTakeGradient",
            _take,
            (self._accumulator_ref, convert(num_required, "int32")),
            name=name,
            shape=self._shape.sizes,
            dtype=self._dtype,
            **_OPTIONS,
        )


class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """Sums rows of gradients; each row's mean is that over the gradients that have it.

    Args and errors as of `ConditionalAccumulator`. Source: ``tf.SparseConditionalAccumulator``.
    """

    def __init__(
        self,
        dtype: Any,
        shape: Any = None,
        shared_name: str | None = None,
        name: str = "sparse_conditional_accumulator",
        reduction_type: str = "MEAN",
    ) -> None:
        made = _made("SparseConditionalAccumulator", dtype, shape, shared_name, name, reduction_type)
        super().__init__(dtype, shape, made)

    def apply_indexed_slices_grad(self, grad: Any, local_step: Any = 0, name: str | None = None) -> Operation:
        """Return the operation that adds `IndexedSlices`."""
        values = grad.values if isinstance(grad.values, Tensor) else convert(grad.values, self._dtype)
        return self.apply_grad(grad.indices, values, grad.dense_shape, local_step, name)

    def apply_grad(
        self, grad_indices: Any, grad_values: Any, grad_shape: Any = None, local_step: Any = 0, name: str | None = None
    ) -> Operation:
        """Return the operation that adds rows, by their positions in order, unless ``local_step`` is too early.

        Its run raises InvalidArgumentError for shapes that do not fit.
        """
        values = convert(grad_values) if hasattr(grad_values, "dtype") else convert(grad_values, self._dtype)
        parts = [_int64(grad_indices), values]
        sizes = convert([], "int64") if grad_shape is None else _int64(grad_shape)
        function = _apply if dtype_of(values).base_dtype == self._dtype else _refuse_type
        return self._operation("SparseAccumulatorApplyGradient", function, [_int64(local_step), *parts, sizes], name)

    def take_grad(self, num_required: Any, name: str | None = None) -> Any:
        """Return positions, rows and the shape, whose first size is -1 where it is not known; see the dense one."""
        taken = call(
            "SparseAccumulatorTakeGradient",
            _take,
            (self._accumulator_ref, convert(num_required, "int32")),
            name=name,
            outputs=3,
            shape=lambda *_: [(None,), None, (None,)],
            dtype=["int64", self._dtype, "int64"],
            **_OPTIONS,
        )
        return SparseAccumulatorTakeGradient(*taken)

    def take_indexed_slices_grad(self, num_required: Any, name: str | None = None) -> IndexedSlices:
        """Return what `take_grad` does as `IndexedSlices`."""
        indices, values, sizes = self.take_grad(num_required, name)
        return IndexedSlices(values, indices, sizes)


def _made(kind: str, dtype: Any, shape: Any, shared_name: str | None, name: str, reduction: str) -> Tensor:
    """Return the tensor that stands for a new accumulator, outside of any branch."""
    if executing_eagerly():
        raise RuntimeError("Conditional accumulators are not supported when eager execution is enabled.")
    if reduction not in ("MEAN", "SUM"):
        raise ValueError(must(kind, "reduction_type", 'be "MEAN" or "SUM"', reduction))
    dtype = as_dtype(dtype).base_dtype
    if dtype.dtype.kind not in "fciu":
        raise TypeError(must(kind, "dtype", "be of numbers", dtype.name))
    graph = get_default_graph()
    with lifted(graph):
        full = graph._operation_name(name, kind)
        made = AccumulatorKind(kind, full, shared_name, dtype, TensorShape(shape).sizes, reduction == "MEAN")
        told = {
            "dtype": dtype,
            "shape": TensorShape(shape),
            "reduction_type": reduction.encode(),
            "container": graph._container.encode(),
            "shared_name": (shared_name or "").encode(),
        }
        results = [(as_dtype("string"), ())]
        operation = Operation(graph, kind, full, made, (), results, True, differentiable=False, attributes=told)
    stands_for: Tensor = operation.outputs[0]
    return stands_for


def _int64(value: Any) -> Tensor:
    number: Tensor = cast(convert(value), "int64")
    return number


def _count(session: Any, held: Accumulated) -> Any:
    del session
    return np.int32(len(held))


def _apply(session: Any, held: Accumulated, local_step: Any, *parts: Any) -> None:
    del session
    held.apply(local_step, *parts)


def _refuse_type(session: Any, held: Accumulated, local_step: Any, *parts: Any) -> None:
    raise InvalidArgumentError(None, None, f"Signature mismatch: gradients are {np.asarray(parts[1]).dtype}")


def _take(session: Any, held: Accumulated, required: Any) -> Any:
    return held.take_gradient(session, int(required))


def _set_step(session: Any, held: Accumulated, step: Any) -> None:
    del session
    held.set_step(int(step))
