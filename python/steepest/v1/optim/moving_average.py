"""Moving averages of variables: shadow variables that follow them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ...ops.tensor import Tensor as EagerTensor
from ...variables.collections import GraphKeys
from ..graph.build import call, convert
from ..graph.collections import trainable_variables
from ..graph.dtypes import as_dtype
from ..graph.graph import Graph, get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation, Tensor
from ..graph.run_values import array_of
from ..graph.scopes import get_variable_scope, name_scope, variable_scope
from ..graph.session_values import lifted
from ..ops import math_ops
from ..ops.control_flow_ops import group
from ..ops.sparse_ops import convert_to_tensor
from ..variables.get_variable import get_variable
from ..variables.initializers import Zeros
from ..variables.state_ops import assign, assign_add, assign_sub
from ..variables.variables import Variable

__all__ = ["ExponentialMovingAverage", "assign_moving_average", "weighted_moving_average"]


class ExponentialMovingAverage:
    """Shadows of variables: ``shadow = shadow - (1 - decay) * (shadow - value)`` at each run of ``apply``.

    With ``num_updates`` the decay is at most ``(1 + num_updates) / (10 + num_updates)``. With ``zero_debias`` shadows
    of tensors are averages from 0, divided by ``1 - decay ** updates``; those of variables start at their value.

    Args:
        decay: a number or a node. num_updates: None, a number or a variable. name: part of the shadows' names.

    Source: ``tf.train.ExponentialMovingAverage``.
    """

    def __init__(
        self, decay: Any, num_updates: Any = None, zero_debias: bool = False, name: str = "ExponentialMovingAverage"
    ) -> None:
        self._decay = decay
        self._num_updates = num_updates
        self._zero_debias = zero_debias
        self._name = name
        self._averages: dict[Any, Variable] = {}
        # The averages that start at 0, and how often each was updated.
        self._biased: dict[Any, tuple[Variable, Variable]] = {}

    @property
    def name(self) -> str:
        """The name given to the constructor."""
        return self._name

    def apply(self, var_list: Any = None) -> Operation | None:
        """Return the operation that updates the shadows of variables, by default of the trainable ones.

        A variable that has a shadow keeps it. Raises TypeError for variables that are not floats.
        """
        if executing_eagerly():
            self._apply_eagerly(trainable_variables() if var_list is None else var_list)
            return None
        graph = get_default_graph()
        if var_list is None:
            var_list = graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
        for variable in var_list:
            if not variable.dtype.is_floating:
                raise TypeError(f"The variables must be half, float, or double: {variable.name}")
            if variable not in self._averages:
                self._averages[variable] = self._shadow(graph, variable)
                if isinstance(variable, Variable):
                    graph.add_to_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, variable)
        with graph.name_scope(self._name) as scope:
            decay = self._limited()
            updates = [self._update(variable, self._averages[variable], decay) for variable in var_list]
            operation: Operation | None = group(*updates, name=scope)
            return operation

    def _apply_eagerly(self, variables: Any) -> None:
        """Make the shadows that are missing, and move all of them at once."""
        decay = np.float32(unwrap(self._decay))
        if self._num_updates is not None:
            count = np.float32(unwrap(self._num_updates))
            decay = np.minimum(decay, (1 + count) / (10 + count))
        if any(isinstance(variable, EagerTensor) for variable in variables):
            why = "does not support non-Variable tensors when eager execution is enabled."
            raise TypeError(f"tf.train.ExponentialMovingAverage {why}")
        for variable in variables:
            value = np.asarray(unwrap(variable))
            if value.dtype.kind not in "fV":
                raise TypeError(f"The variables must be half, float, or double: {variable!r:.60}")
            if variable not in self._averages:
                with name_scope(None):
                    name = get_variable_scope().full_name(f"{variable._name}/{self._name}")
                    self._averages[variable] = Variable(value, trainable=False, name=name)
            shadow: Any = self._averages[variable]
            shadow.assign_sub((shadow.numpy() - value) * value.dtype.type(1 - decay))

    def _shadow(self, graph: Graph, variable: Any) -> Variable:
        with lifted(graph), graph._store.as_default():
            if isinstance(variable, Variable):
                initial: Any = variable.initialized_value()
                shadow: Variable = variable._new_variable(initial, None, None, self._name, beside=True)
                return shadow
            zeros = np.zeros(variable.shape.as_list(), variable.dtype.dtype)
            name = get_variable_scope().full_name(f"{variable.op.name}/{self._name}")
            near = graph.colocate_with(variable.op) if variable.op.type == "VariableV2" else nullcontext()
            with graph.name_scope(None), near:
                return Variable(zeros, trainable=False, name=name)

    def _counted(self, variable: Any, shadow: Variable) -> tuple[Variable, Variable]:
        """Return the plain average behind a shadow without bias, and the number of its updates."""
        if variable not in self._biased:
            graph, zeros = get_default_graph(), np.zeros([int(size) for size in shadow.shape], shadow.dtype.dtype)
            with lifted(graph), graph.name_scope(None), graph._store.as_default():
                name = get_variable_scope().full_name(shadow.op.name)
                biased = Variable(zeros, trainable=False, name=f"{name}/biased")
                self._biased[variable] = biased, Variable(zeros.dtype.type(0), False, name=f"{name}/local_step")
        return self._biased[variable]

    def _limited(self) -> Tensor:
        decay = convert(self._decay, None if hasattr(self._decay, "op") else "float32")
        if self._num_updates is None:
            return decay

        def smaller_rate(rate: Any, updates: Any) -> Any:
            count = np.float32(unwrap(updates))
            return np.minimum(array_of(rate), (1 + count) / (10 + count)).astype(np.float32)

        inputs = (decay, self._num_updates)
        limited: Tensor = call(
            "Minimum", smaller_rate, inputs, shape=(), dtype="float32", same=False, differentiable=False
        )
        return limited

    def _update(self, variable: Any, shadow: Variable, decay: Tensor) -> Any:
        dtype = as_dtype(shadow.dtype).base_dtype

        def step(average: Any, value: Any, rate: Any) -> Any:
            return (array_of(average) - array_of(value)) * dtype.dtype.type(1 - unwrap(rate))

        def debiased(average: Any, rate: Any, count: Any) -> Any:
            return array_of(average) / (1 - dtype.dtype.type(unwrap(rate)) ** unwrap(count))

        options: dict[str, Any] = {
            "shape": shadow._tensor()._shape,
            "dtype": dtype,
            "same": False,
            "differentiable": False,
        }
        with name_scope(None, "AssignMovingAvg") as scope:
            if not self._zero_debias or isinstance(variable, Variable):
                return assign_sub(shadow, call("sub", step, (shadow, variable, decay), **options), name=scope)
            average, count = self._counted(variable, shadow)
            changed = assign_sub(average, call("sub", step, (average, variable, decay), **options))
            updates = count.assign_add(dtype.dtype.type(1))
            return assign(shadow, call("truediv", debiased, (changed, decay, updates), **options), name=scope)

    def average(self, var: Any) -> Variable | None:
        """Return the shadow of a variable, None where it has none."""
        return self._averages.get(var)

    def average_name(self, var: Any) -> str:
        """Return the name of a variable's shadow; where it has none yet, the name that one made here would have."""
        shadow = self._averages.get(var)
        if shadow is not None:
            return shadow.op.name if isinstance(shadow, Node) else shadow._name
        if executing_eagerly():
            return f"{var._name}/{self._name}"
        return get_default_graph().unique_name(f"{var.op.name}/{self._name}", mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables: Any = None) -> dict[str, Any]:
        """Return names and variables for a `Saver` that loads the shadows into the variables themselves."""
        graph = get_default_graph()
        averaged = (
            list(moving_avg_variables)
            if moving_avg_variables is not None
            else list(
                dict.fromkeys(
                    graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
                    + graph.get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES)
                )
            )
        )
        variables, known = {self.average_name(variable): variable for variable in averaged}, set(averaged)
        for variable in graph.get_collection(GraphKeys.GLOBAL_VARIABLES):
            if variable not in known and variable.op.name not in variables:
                variables[variable.op.name] = variable
        return variables


def assign_moving_average(
    variable: Any, value: Any, decay: Any, zero_debias: bool = True, name: str | None = None
) -> Any:
    """Return the tensor that moves an average: ``variable = variable - (variable - value) * (1 - decay)``.

    With ``zero_debias`` the average begins at 0 beside the variable, in ``biased``, and the variable becomes that
    divided by ``1 - decay ** updates``. Source: ``tensorflow.python.training.moving_averages.assign_moving_average``.
    """
    dtype = as_dtype(variable.dtype).base_dtype
    with name_scope(name, "AssignMovingAvg") as scope:
        share = 1 - convert_to_tensor(decay, dtype)
        if not zero_debias:
            return assign_sub(variable, (convert_to_tensor(variable) - value) * share, name=scope)
        with variable_scope(variable.name.removesuffix(":0")):
            start = Zeros(dtype)
            biased = get_variable(_unused("biased"), variable.shape.as_list(), dtype, start, trainable=False)
            count = get_variable(_unused("local_step"), [], dtype, start, trainable=False)
        moved = assign_sub(biased, (convert_to_tensor(biased) - value) * share)
        updates = assign_add(count, np.ones((), dtype.as_numpy_dtype))
        return assign(variable, moved / (1 - (1 - share) ** updates), name=scope)


def _unused(name: str) -> str:
    """Return the name, with a number where the variable scope, which does not share, has such a variable."""
    scope = get_variable_scope()
    if scope.reuse:
        return name
    taken = {variable.op.name for variable in get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES)}
    numbered = (name if not k else f"{name}_{k}" for k in itertools.count())
    return next(each for each in numbered if f"{scope.name}/{each}" not in taken)


def weighted_moving_average(
    value: Any,
    decay: Any,
    weight: Any,
    truediv: bool = True,
    collections: Sequence[str] | None = None,
    name: str | None = None,
) -> Any:
    """Return the tensor that moves the averages of ``value * weight`` and of ``weight``, and is their ratio.

    The averages are variables in ``collections``, by default of the global ones; without ``truediv`` the ratio is that
    of `tf.div`. Source: ``tensorflow.python.training.moving_averages.weighted_moving_average``.
    """
    with variable_scope(name, "WeightedMovingAvg") as scope:
        given, share = convert_to_tensor(value), convert_to_tensor(weight)
        parts: list[Any] = []
        options: dict[str, Any] = {"trainable": False, "collections": collections}
        for label, part in (("value_x_weight", given * share), ("weight", share)):
            dtype = as_dtype(part.dtype).base_dtype
            average = get_variable(label, part.shape.as_list(), dtype, Zeros(dtype), **options)
            parts.append(assign_moving_average(average, part, decay, zero_debias=False))
        return (math_ops.truediv if truediv else math_ops.div)(parts[0], parts[1], name=scope.name)
