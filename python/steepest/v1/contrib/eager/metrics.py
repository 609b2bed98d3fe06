"""``tf.contrib.eager.metrics``: metrics as objects, in either mode."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ....variables.collections import GraphKeys
from ...functions.traced_functions import defun
from ...graph.dtypes import as_dtype
from ...graph.graph import get_default_graph
from ...graph.missing import namespace
from ...graph.mode import eagerly, executing_eagerly
from ...graph.scopes import variable_scope
from ...ops.array_ops import shape, size
from ...ops.cast_ops import cast
from ...ops.compare_checks import assert_equal
from ...ops.control_flow_ops import group
from ...ops.math_ops import equal, greater, truediv
from ...ops.matmul_ops import add_n
from ...ops.reduce_ops import argmax, reduce_sum
from ...ops.sparse_ops import convert_to_tensor
from ...saving.trackable import Trackable
from ...variables.get_variable import get_variable
from ...variables.initializers import Zeros

__all__ = ["Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "Mean", "Metric", "SparseAccuracy"]

__getattr__, __dir__ = namespace(__name__)


class Metric(Trackable):
    """Base class: a subclass has ``build``, which makes variables, ``call``, which updates them, and ``result``.

    The call of a metric updates it: at once in eager mode; in graph mode by the tensors that it returns, for which all
    updates of ``call`` are run. Its variables are its dependencies in a `Checkpoint`.
    Source: ``tf.contrib.eager.metrics.Metric``.
    """

    def __init__(self, name: str | None = None, use_global_variables: bool = False) -> None:
        name = name or type(self).__name__
        scope_name = re.sub(r"[^A-Za-z0-9.]", "_", name)
        # In a graph another metric of the name is a mistake, in eager mode it has variables of its own.
        with variable_scope(scope_name, use_resource=True, reuse=False) as scope:
            self._scope = scope
        self._name: str = name + scope.name[scope.name.rfind(scope_name) + len(scope_name) :]
        self._built = False
        self._collections = [GraphKeys.GLOBAL_VARIABLES if use_global_variables else GraphKeys.LOCAL_VARIABLES]
        self._collections.append(GraphKeys.METRIC_VARIABLES)
        self._variables: list[Any] = []
        self._first_values: list[Any] = []
        self._make_variables = self.build
        self.build = self._build_once  # type: ignore[method-assign]
        self._mode = eagerly if executing_eagerly() else get_default_graph().as_default
        if not executing_eagerly():
            self.call = defun(self.call)  # type: ignore[method-assign]

    def _build_once(self, *args: Any, **kwargs: Any) -> None:
        self._make_variables(*args, **kwargs)
        self._built = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Make the variables at the first call, and update them."""
        if not self._built:  # `build` may have been called before
            with variable_scope(self._scope), self._mode():
                self.build(*args, **kwargs)
        return self.call(*args, **kwargs)

    @property
    def name(self) -> str:
        """The name given."""
        return self._name

    @property
    def variables(self) -> list[Any]:
        """The variables, in the order in which they were made."""
        return list(self._variables)

    def add_variable(self, name: str, shape: Any = None, dtype: Any = None, initializer: Any = None) -> Any:
        """Return a new variable of the metric: a local one, unless it uses global variables.

        RuntimeError but in ``build``.
        """
        if self._built:
            raise RuntimeError("Can't call add_variable() except in build().")
        variable = self._add_variable_with_custom_getter(
            name=name,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            trainable=False,
            collections=None if executing_eagerly() else self._collections,
            use_resource=True,
            getter=get_variable,
            overwrite=True,  # a second one of a graph is get_variable's mistake
        )
        self._variables.append(variable)
        if executing_eagerly():
            self._first_values.append(variable.value())
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
        """Return the value of what was given so far: in graph mode a tensor, in eager mode a function that gives it."""
        return self.result if executing_eagerly() else self.result()

    def aggregate(self, metrics: Sequence[Metric]) -> None:
        """Add what metrics of the same class were given. TypeError for others, ValueError for other variables."""
        for metric in metrics:
            if type(self) is not type(metric):
                raise TypeError(f"All metrics must be the same type, '{type(self)}' != '{type(metric)}'.")
        for place, variable in enumerate(self._variables):
            others = [metric._variables[place] for metric in metrics]
            if any(other.name != variable.name for other in others):
                raise ValueError("All metrics must have variables in the same order.")
            variable.assign_add(add_n(others))


class Mean(Metric):
    """The mean of all numbers, or the weighted one. Source: ``tf.contrib.eager.metrics.Mean``."""

    def __init__(self, name: str | None = None, dtype: Any = "float64", use_global_variables: bool = False) -> None:
        super().__init__(name, use_global_variables)
        self.dtype = as_dtype(dtype)

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Make the sum and the count."""
        self.numer = self.add_variable("numer", (), self.dtype, Zeros())
        self.denom = self.add_variable("denom", (), self.dtype, Zeros())

    def call(self, values: Any, weights: Any = None) -> Any:
        """Add the values; return their sum, or with weights the weighted values and the weights."""
        values = convert_to_tensor(values)
        if weights is None:
            self.denom.assign_add(cast(size(values), self.dtype))
            total = reduce_sum(values)
            self.numer.assign_add(cast(total, self.dtype))
            return total
        weights = cast(weights, self.dtype)
        self.denom.assign_add(reduce_sum(weights))
        weighted = cast(values, self.dtype) * weights
        self.numer.assign_add(reduce_sum(weighted))
        return weighted, weights

    def result(self, write_summary: bool = True) -> Any:
        """Return the mean so far, NaN before the first value. There are no writers that would get a summary."""
        del write_summary
        return truediv(self.numer.read_value(), self.denom.read_value())


class Accuracy(Mean):
    """The share of predictions that equal their labels, both of one type and shape."""

    def __init__(self, name: str | None = None, dtype: Any = "float64") -> None:
        super().__init__(name, dtype)

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Add predictions; return what was given. InvalidArgumentError for other shapes."""
        assert_equal(shape(labels), shape(predictions), message="Shapes of labels and predictions are unequal")
        labels, predictions, matches = self._compared(labels, predictions)
        super().call(cast(matches, self.dtype), weights)
        return (labels, predictions) if weights is None else (labels, predictions, weights)

    def _compared(self, labels: Any, predictions: Any) -> tuple[Any, Any, Any]:
        """Return labels and predictions as they are compared, and which of them are equal."""
        return labels, predictions, equal(labels, predictions)


class CategoricalAccuracy(Accuracy):
    """The share of predictions whose largest class is that of the labels, which have a number for each class."""

    def _compared(self, labels: Any, predictions: Any) -> tuple[Any, Any, Any]:
        classes = argmax(labels, -1), argmax(predictions, -1)
        return *classes, equal(*classes)


class BinaryAccuracy(Accuracy):
    """The share of predictions that are above a threshold where their labels are not zero, and below it elsewhere."""

    def __init__(self, threshold: float, name: str | None = None, dtype: Any = "float64") -> None:
        super().__init__(name, dtype)
        self.threshold = threshold

    def _compared(self, labels: Any, predictions: Any) -> tuple[Any, Any, Any]:
        sides = cast(labels, "bool"), greater(convert_to_tensor(predictions), self.threshold)
        return *sides, equal(*sides)


class SparseAccuracy(Accuracy):
    """The share of predictions whose largest class is the label."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Add predictions; return the labels, the largest classes, and the weights where there are some."""
        assert_equal(shape(labels), shape(predictions)[0], message="First axis of labels and predictions is unequal")
        labels, classes = cast(labels, "int64"), argmax(predictions, -1)
        Mean.call(self, cast(equal(labels, classes), self.dtype), weights)
        return (labels, classes) if weights is None else (labels, classes, weights)
