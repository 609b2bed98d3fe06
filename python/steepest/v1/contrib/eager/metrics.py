"""``tf.contrib.eager.metrics``: metrics as objects, in either mode."""

from __future__ import annotations

import re
from typing import Any

from ....variables.collections import GraphKeys
from ...graph.build import dtype_of, shape_of
from ...graph.dtypes import as_dtype
from ...graph.errors import InvalidArgumentError
from ...graph.missing import namespace
from ...graph.mode import executing_eagerly
from ...graph.scopes import control_dependencies, variable_scope
from ...graph.shapes import compatible
from ...ops.array_ops import identity, size
from ...ops.cast_ops import cast
from ...ops.control_flow_ops import group
from ...ops.math_ops import equal, greater
from ...ops.math_ops import truediv as divide
from ...ops.reduce_ops import argmax, reduce_sum
from ...ops.sparse_ops import convert_to_tensor
from ...variables.get_variable import get_variable
from ...variables.initializers import Zeros
from ...variables.variables import Variable

__all__ = ["Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "Mean", "Metric", "SparseAccuracy"]

__getattr__, __dir__ = namespace(__name__)


class Metric:
    """Base class: a subclass has ``build``, which makes variables, ``call``, which updates them, and ``result``.

    The call of a metric updates it: at once in eager mode; in graph mode by the tensor that it returns.
    Source: ``tf.contrib.eager.metrics.Metric``.
    """

    def __init__(self, name: str | None = None, use_global_variables: bool = False) -> None:
        self._name = name or type(self).__name__
        self._built = False
        self._collections = [GraphKeys.GLOBAL_VARIABLES if use_global_variables else GraphKeys.LOCAL_VARIABLES]
        self._collections.append(GraphKeys.METRIC_VARIABLES)
        self._variables: list[Any] = []
        self._first_values: list[Any] = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Make the variables at the first call, and update them."""
        if not self._built and not self._variables:  # `build` may have been called before
            scope = re.sub(r"[^A-Za-z0-9.]", "_", self._name)
            # In a graph another metric of the name is a mistake, in eager mode it has variables of its own.
            with variable_scope(None, scope) if executing_eagerly() else variable_scope(scope, reuse=False):
                self.build(*args, **kwargs)
            self._built = True
        return self.call(*args, **kwargs)

    @property
    def name(self) -> str:
        """The name given."""
        return self._name

    @property
    def variables(self) -> list[Any]:
        """The variables, in the order in which they were made."""
        return list(self._variables)

    def add_variable(self, name: str, shape: Any = (), dtype: Any = "float32", initializer: Any = None) -> Any:
        """Return a new variable of the metric, zeros by default: a local one, unless it uses global variables."""
        dtype, initializer = as_dtype(dtype), initializer or Zeros()
        if executing_eagerly():
            variable = Variable(initializer(shape, dtype), trainable=False, name=name, collections=self._collections)
            self._first_values.append(variable.value())
        else:
            options: dict[str, Any] = {"trainable": False, "collections": self._collections, "use_resource": True}
            variable = get_variable(name, shape, dtype, initializer, **options)
        self._variables.append(variable)
        return variable

    def init_variables(self) -> Any:
        """Give the variables their initial values; in graph mode return the operation that does."""
        if executing_eagerly():
            for variable, first in zip(self._variables, self._first_values, strict=True):
                variable.assign(first)
            return None
        return group(*(variable.initializer for variable in self._variables))

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Make the variables."""
        raise NotImplementedError(f"{type(self).__name__} must have build")

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Update the variables."""
        raise NotImplementedError(f"{type(self).__name__} must have call")

    def result(self) -> Any:
        """Return the value of what was given so far."""
        raise NotImplementedError(f"{type(self).__name__} must have result")

    def value(self) -> Any:
        """Return the value of what was given so far, in graph mode a tensor."""
        return self.result()


class Mean(Metric):
    """The mean of all numbers, or the weighted one. Source: ``tf.contrib.eager.metrics.Mean``."""

    def __init__(self, name: str | None = None, dtype: Any = "float64", use_global_variables: bool = False) -> None:
        super().__init__(name, use_global_variables)
        self.dtype = as_dtype(dtype)

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Make the sum and the count."""
        self.numer = self.add_variable("numer", (), self.dtype)
        self.denom = self.add_variable("denom", (), self.dtype)

    def call(self, values: Any, weights: Any = None) -> Any:
        """Add the values; return them, with the weights where there are some."""
        values = convert_to_tensor(values)
        given = values if weights is None else (values, convert_to_tensor(weights))
        wide = cast(values, self.dtype)
        if weights is None:
            count = cast(size(values), self.dtype)
        else:
            share = cast(given[1], self.dtype)
            count, wide = reduce_sum(share), wide * share
        added = [self.denom.assign_add(count), self.numer.assign_add(reduce_sum(wide))]
        if executing_eagerly():
            return given
        with control_dependencies([each.op for each in added]):
            return identity(values) if weights is None else tuple(identity(each) for each in given)

    def result(self) -> Any:
        """Return the mean so far, NaN before the first value."""
        return divide(self.numer.read_value(), self.denom.read_value())


class Accuracy(Mean):
    """The share of predictions that equal their labels, both of one type and shape."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Add predictions; return both. InvalidArgumentError for other shapes, ValueError for other types."""
        labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
        shapes = [shape_of(each) for each in (labels, predictions)]
        if not compatible(*shapes):
            said = f"Shapes of labels and predictions are unequal: {shapes[0]} and {shapes[1]}"
            raise InvalidArgumentError(None, None, said)
        types = [dtype_of(each).base_dtype for each in (labels, predictions)]
        if types[0] != types[1]:
            raise ValueError(f"{self.name}: labels and predictions must have the same type, got {types}")
        return self._add(labels, predictions, equal(labels, predictions), weights)

    def _add(self, labels: Any, predictions: Any, matches: Any, weights: Any) -> Any:
        """Add the matches; return labels and predictions, in graph mode behind the update."""
        updated = super().call(cast(matches, self.dtype), weights)
        if executing_eagerly():
            return labels, predictions
        with control_dependencies([updated if weights is None else updated[0]]):
            return identity(labels), identity(predictions)


class CategoricalAccuracy(Accuracy):
    """The share of predictions whose largest class is that of the labels, which have a number for each class."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Add predictions; return both."""
        return self._add(labels, predictions, equal(argmax(labels, -1), argmax(predictions, -1)), weights)


class SparseAccuracy(Accuracy):
    """The share of predictions whose largest class is the label."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Add predictions; return both."""
        return self._add(labels, predictions, equal(cast(labels, "int64"), argmax(predictions, -1)), weights)


class BinaryAccuracy(Accuracy):
    """The share of predictions that are on the same side of a threshold as their labels."""

    def __init__(self, threshold: float, name: str | None = None, dtype: Any = "float64") -> None:
        super().__init__(name, dtype)
        self._threshold = threshold

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Add predictions; return both."""
        labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
        sides = [greater(cast(each, "float64"), self._threshold) for each in (labels, predictions)]
        return self._add(labels, predictions, equal(*sides), weights)
