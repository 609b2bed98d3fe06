"""The base class of layers: variables that are made at the first call."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...ops.dispatch import Operand
from ...variables.collections import GraphKeys
from .. import nest
from ..graph.build import dtype_of, shape_of
from ..graph.collections import get_collection
from ..graph.dtypes import as_dtype
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation
from ..graph.options import VariableSynchronization, trained_by_default
from ..graph.scopes import name_scope, variable_scope
from ..graph.session_values import lifted
from ..graph.shapes import TensorShape
from ..graph.walks import reached
from ..keras import initializers
from ..ops.array_ops import shape
from ..ops.cast_ops import cast
from ..ops.sparse_ops import convert_to_tensor
from ..variables.get_variable import get_variable
from ..variables.partitioned_variable import PartitionedVariable
from .input_spec import InputSpec
from .names import numbered, snake_case

__all__ = ["Layer"]


class Layer:
    """Base class: ``call(inputs)`` inside the layer's variable scope, which later calls open again.

    Args:
        name: of the scope, made unique; by default the class's name in lower case.
        trainable: whether variables are put into TRAINABLE_VARIABLES.
        activity_regularizer: a function of the outputs; what it gives, divided by the number of rows, is a loss.

    Source: ``tf.layers.Layer``.
    """

    def __init__(self, trainable: bool = True, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        self.trainable, self._dtype = trainable, dtype
        self._base_name = name or snake_case(type(self).__name__)
        self._name = name or numbered(self._base_name)
        self._reuse = kwargs.pop("_reuse", None)
        self._scope: Any = None
        if (scope := kwargs.pop("_scope", None)) is not None:
            with variable_scope(scope) as opened:
                self._scope = opened
        self._opened = False
        self._trainable_weights: list[Any] = []
        self._non_trainable_weights: list[Any] = []
        self.built = False
        self.input_spec: InputSpec | None = None
        self.activity_regularizer = kwargs.pop("activity_regularizer", None)
        self._losses: list[Any] = []
        self._of_inputs: list[Any] = []  # losses and updates that belong to certain inputs
        self._updates: list[Any] = []
        if kwargs:
            raise TypeError(f"Keyword argument not understood: {sorted(kwargs)[0]}")

    @property
    def name(self) -> str:
        """The name that was given, or the class's with the number of the layer among those without a name."""
        return self._name

    @property
    def scope_name(self) -> str:
        """The name of the variable scope. Raises ValueError before the first call, which opens it."""
        if self._scope is None:
            raise ValueError(
                f'No name available for layer scope because the layer "{self._name}" has not been used yet.'
            )
        return str(self._scope.name)

    @property
    def dtype(self) -> str | None:
        """The name of the variables' type; None before the first call where it was not given."""
        return None if self._dtype is None else as_dtype(self._dtype).base_dtype.name

    @property
    def losses(self) -> list[Any]:
        """The losses of regularizers, and those that were added; in eager mode as they are now."""
        return [loss() if callable(loss) and not hasattr(loss, "dtype") else loss for loss in self._losses]

    @property
    def updates(self) -> list[Any]:
        """The operations that are to run beside training."""
        return list(self._updates)

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Add losses, which are put into REGULARIZATION_LOSSES too."""
        self._add(losses, self._losses, GraphKeys.REGULARIZATION_LOSSES, inputs)

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """Return the losses that belong to inputs; for None those that belong to none."""
        return self._belonging(self.losses, inputs)

    def get_updates_for(self, inputs: Any) -> list[Any]:
        """Return the updates that belong to inputs; for None those that belong to none."""
        return self._belonging(self.updates, inputs)

    def _belonging(self, items: list[Any], inputs: Any) -> list[Any]:
        found = [each for each in items if any(each is other for other in self._of_inputs) == (inputs is not None)]
        starts = {node.op for node in nest.flatten(inputs) if isinstance(node, Node)}
        return [each for each in found if reached([each.op], _taken) & starts] if starts else found

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Add operations that are to run beside training, which are put into UPDATE_OPS too."""
        if not executing_eagerly():
            self._add(updates, self._updates, GraphKeys.UPDATE_OPS, inputs)

    def _add(self, items: Any, own: list[Any], key: str, inputs: Any) -> None:
        for item in items if isinstance(items, (list, tuple)) else [items]:
            own.append(item)
            if inputs is not None:
                self._of_inputs.append(item)
            if not executing_eagerly():
                get_default_graph().add_to_collection(key, item)

    @property
    def variables(self) -> list[Any]:
        """The variables that were made, those that are trained first."""
        return [*self.trainable_variables, *self.non_trainable_variables]

    weights = variables

    @property
    def trainable_variables(self) -> list[Any]:
        """Those that are trained: none where the layer is not."""
        return list(self._trainable_weights) if self.trainable else []

    trainable_weights = trainable_variables

    @property
    def non_trainable_variables(self) -> list[Any]:
        """Those that are not trained."""
        rest = list(self._non_trainable_weights)
        return rest if self.trainable else [*self._trainable_weights, *rest]

    non_trainable_weights = non_trainable_variables

    def count_params(self) -> int:
        """Return the number of elements of all variables; ValueError before there are any."""
        if not self.built:
            raise ValueError(f"You tried to call `count_params` on {self.name}, but the layer isn't built.")
        return sum(math.prod(variable.shape.as_list()) for variable in self.variables)

    def add_variable(
        self,
        name: str,
        shape: Any,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool | None = None,
        constraint: Any = None,
        use_resource: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        partitioner: Any = None,
    ) -> Any:
        """Return the layer's variable ``name``, made where it is missing; ValueError for ON_READ with trainable."""
        if trainable and synchronization is VariableSynchronization.ON_READ:
            raise ValueError(
                "Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable variables. "
                "You have specified trainable=True and synchronization=VariableSynchronization.ON_READ."
            )
        before = len(get_collection(GraphKeys.REGULARIZATION_LOSSES))
        known = (
            set() if executing_eagerly() else {id(variable) for variable in get_collection(GraphKeys.GLOBAL_VARIABLES)}
        )
        with self._in_scope():
            variable = get_variable(
                name,
                shape,
                dtype or self._dtype or "float32",
                initializer=initializers.get(initializer),
                regularizer=regularizer if executing_eagerly() else None,
                trainable=trained_by_default(trainable, synchronization) and self.trainable,
                constraint=constraint,
                partitioner=partitioner,
            )
            parts = list(variable) if isinstance(variable, PartitionedVariable) else [variable]
            if executing_eagerly():
                self._losses += get_collection(GraphKeys.REGULARIZATION_LOSSES)[before:]
            elif regularizer is not None:
                self._regularize_weights(name, [part for part in parts if id(part) not in known], regularizer)
        for part in parts:
            trained = getattr(part, "trainable", False)  # what a getter made of a variable is not trained itself
            own = self._trainable_weights if trained else self._non_trainable_weights
            if not any(part is each for each in own):
                own.append(part)
        return variable

    add_weight = add_variable

    def _regularize_weights(self, name: str, variables: list[Any], regularizer: Any) -> None:
        """Add the loss of each new variable, under the layer's name for it: a getter may have given another one."""
        for variable in variables:
            with lifted(get_default_graph()), name_scope(f"{name}/Regularizer"):
                loss = regularizer(variable)
            if loss is not None:
                self.add_loss(loss)

    def build(self, input_shape: Any) -> None:
        """Make the variables; called before the first call of `call`."""

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the layer's outputs."""
        return inputs

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """Return the shape of the outputs for one of the inputs; here the same."""
        return TensorShape(input_shape)

    @contextmanager
    def _in_scope(self) -> Iterator[None]:
        """Be in the layer's scopes, which the first use opens; later ones go on in the name scope of the first."""
        if self._opened:
            yield
            return
        self._opened = True
        try:
            if self._scope is None:
                name = self._base_name if self._reuse else None  # without reuse it is made unique
                with variable_scope(name, self._base_name, reuse=self._reuse) as self._scope:
                    yield
                return
            names = name_scope(self._scope.original_name_scope)
            reuse = True if self.built else self._reuse
            with variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False), names:
                yield
        finally:
            self._opened = False

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        x = _tensors_of(inputs)
        leaves = nest.flatten(x)
        self._dtype = self._dtype or (dtype_of(leaves[0]) if leaves else None)
        with self._in_scope():
            if self.input_spec is not None:
                for leaf in leaves:
                    self.input_spec.check(self.name, shape_of(leaf), dtype_of(leaf))
            if not self.built:
                shapes = [TensorShape(shape_of(leaf)) for leaf in leaves]
                self.build(shapes[0] if len(shapes) == 1 else nest.pack_sequence_as(x, shapes))
                self.built = True
            outputs = self.call(x, *args, **kwargs)
            if self.activity_regularizer is not None:
                self._regularize(outputs, x)
            return outputs

    def __deepcopy__(self, memo: dict[int, Any]) -> Layer:
        """Return a layer of the same variables and scope."""
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        for key, value in self.__dict__.items():
            parts = nest.flatten(value)
            whole = key == "_scope" or (parts and all(isinstance(part, (Node, Operand)) for part in parts))
            is_one = isinstance(value, (Node, Operand))
            made.__dict__[key] = value if is_one else copy.copy(value) if whole else copy.deepcopy(value, memo)
        return made

    def _regularize(self, outputs: Any, inputs: Any) -> None:
        """Add the loss of the activity regularizer, for each output its value divided by the number of rows."""
        with name_scope("ActivityRegularizer"):
            for output in outputs if isinstance(outputs, (list, tuple)) else [outputs]:
                loss = convert_to_tensor(self.activity_regularizer(output))
                self.add_loss(loss / cast(shape(output)[0], loss.dtype), inputs)

    apply = __call__


def _tensors_of(inputs: Any) -> Any:
    """Return inputs as tensors; a dict, or a list of tensors, stays what it is."""
    nested = isinstance(inputs, dict) or (
        isinstance(inputs, (list, tuple)) and any(isinstance(part, (Node, Operand)) for part in nest.flatten(inputs))
    )
    return nest.map_structure(convert_to_tensor, inputs) if nested else convert_to_tensor(inputs)


def _taken(op: Operation) -> list[Operation]:
    """Return the operations whose results an operation takes."""
    return [tensor.op for tensor in op.operands]
