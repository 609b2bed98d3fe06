"""The base class of layers: variables that are made at the first call."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from ...variables.collections import GraphKeys
from .. import nest
from ..graph.build import dtype_of, shape_of
from ..graph.collections import get_collection
from ..graph.dtypes import as_dtype
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.options import VariableSynchronization, trained_by_default
from ..graph.scopes import init_scope, name_scope, variable_scope
from ..graph.session_values import lifted
from ..graph.shapes import TensorShape
from ..keras import initializers
from ..ops.array_ops import shape
from ..ops.cast_ops import cast
from ..ops.sparse_ops import convert_to_tensor
from ..saving.trackable import is_trackable
from ..training.modules import Module
from ..variables.get_variable import get_variable
from ..variables.partitioned_variable import PartitionedVariable
from .additions import Additions
from .input_spec import InputSpec, check_inputs
from .keras_methods import KerasMethods
from .names import numbered, snake_case

__all__ = ["Layer"]

_OF_KERAS = frozenset(
    {"autocast", "batch_input_shape", "batch_size", "experimental_autocast", "input_shape", "weights"}
)
"""Arguments that layers of Keras' models take, without a meaning here."""

_SHARED = Module._TF_MODULE_IGNORED_PROPERTIES | {"_losses"}
"""Attributes whose parts a copy of a layer shares in graph mode."""


class Layer(KerasMethods, Additions, Module):
    """Base class: ``call(inputs)`` inside the layer's variable scope, which later calls open again.

    Args:
        name: of the scope, made unique; by default the class's name in lower case.
        trainable: whether variables are put into TRAINABLE_VARIABLES.
        activity_regularizer: a function of the outputs; what it gives, divided by the number of rows, is a loss.

    A layer is a `tf.Module`: modules that have one among their attributes have its variables.

    Source: ``tf.layers.Layer``.
    """

    _self_setattr_tracking = False  # dependencies are the variables, whatever a layer keeps as attributes

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
        if unknown := kwargs.keys() - _OF_KERAS:
            raise TypeError(f"Keyword argument not understood: {min(unknown)}")

    @property
    def name(self) -> str:
        """The name that was given, or the class's with the number of the layer among those without a name."""
        return self._name

    @property
    def scope_name(self) -> str:
        """The name of the variable scope. Raises ValueError before the first call, which opens it."""
        if self._scope is None:
            raise ValueError(
                f'No name available for layer scope because the layer "{self._name}" has not been used yet. The scope '
                "name  is determined the first time the layer instance is called. You must therefore call the layer "
                "before querying `scope_name`."
            )
        return str(self._scope.name)

    @property
    def dtype(self) -> str | None:
        """The name of the variables' type; None before the first call where it was not given."""
        return None if self._dtype is None else as_dtype(self._dtype).base_dtype.name

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
        known = (
            set() if executing_eagerly() else {id(variable) for variable in get_collection(GraphKeys.GLOBAL_VARIABLES)}
        )
        with self._in_scope(), self._outside():
            variable = get_variable(
                name,
                () if shape is None else shape,
                dtype or self._dtype or "float32",
                initializer=initializers.get(initializer),
                trainable=trained_by_default(trainable, synchronization) and self.trainable,
                constraint=constraint,
                partitioner=partitioner,
            )
            parts = list(variable) if isinstance(variable, PartitionedVariable) else [variable]
            if regularizer is not None:
                self._regularize_weights(name, [part for part in parts if id(part) not in known], regularizer)
        for part in parts:
            trained = getattr(part, "trainable", False)  # what a getter made of a variable is not trained itself
            own = self._trainable_weights if trained else self._non_trainable_weights
            if not any(part is each for each in own):
                own.append(part)
        for reference, part in _references(name, variable, parts):
            if is_trackable(part):
                self._track_trackable(part, reference, overwrite=True)
        return variable

    add_weight = add_variable

    def _regularize_weights(self, name: str, variables: list[Any], regularizer: Any) -> None:
        """Add the loss of each new variable, under the layer's name for it: a getter may have given another one."""
        for variable in variables:
            if executing_eagerly():
                self._losses.append(partial(regularizer, variable))
                continue
            with lifted(get_default_graph()), name_scope(f"{name}/Regularizer"):
                loss = regularizer(variable)
            if loss is not None:
                self.add_loss(partial(_given, loss))

    def build(self, input_shape: Any) -> None:
        """Make the variables; called before the first call of `call`."""

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the layer's outputs."""
        return inputs

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """Return the shape of the outputs for one of the inputs. Raises NotImplementedError where a layer has none."""
        raise NotImplementedError

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

    @contextmanager
    def _outside(self) -> Iterator[None]:
        """Be outside of the graph of a function, in the same scope: variables outlive its body."""
        if executing_eagerly() or not get_default_graph().building_function:
            yield
            return
        reuse = True if self.built else self._reuse
        with init_scope(), variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False):
            yield

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        x = _tensors_of(inputs)
        if self._losses and executing_eagerly():
            self._forget_losses()
        leaves = [leaf for leaf in nest.flatten(x) if leaf is not None]
        self._dtype = self._dtype or (dtype_of(leaves[0]) if leaves else None)
        with self._in_scope():
            if self.input_spec is not None:
                check_inputs(self.input_spec, self.name, leaves)
            if not self.built:
                shapes = [TensorShape(shape_of(leaf)) for leaf in leaves]
                self.build(shapes[0] if len(shapes) == 1 else nest.pack_sequence_as(x, shapes))
                self.built = True
            outputs = self.call(x, *args, **kwargs)
            if outputs is None and inputs is not None:
                must = "should return a Tensor or a list of Tensors, not None"
                raise ValueError(f"A layer's `call` method {must} (layer: {self.name}).")
            if self.activity_regularizer is not None:
                self._regularize(outputs, x)
            if self._updates and not executing_eagerly():
                self._collect_updates()
            return outputs

    def __deepcopy__(self, memo: dict[int, Any]) -> Layer:
        """Return a layer of the same scope: of the same variables in graph mode, of copies of them in eager mode."""
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        for key, value in self.__dict__.items():
            parts = nest.flatten(value)
            whole = (parts and all(isinstance(part, Node) for part in parts)) or (
                key in _SHARED and not executing_eagerly()
            )
            kept = isinstance(value, Node) or key == "_scope"
            made.__dict__[key] = value if kept else copy.copy(value) if whole else copy.deepcopy(value, memo)
        return made

    def _regularize(self, outputs: Any, inputs: Any) -> None:
        """Add the loss of the activity regularizer, for each output its value divided by the number of rows."""
        with name_scope("ActivityRegularizer"):
            for output in outputs if isinstance(outputs, (list, tuple)) else [outputs]:
                loss = convert_to_tensor(self.activity_regularizer(output))
                self.add_loss(loss / cast(shape(output)[0], loss.dtype), inputs)

    apply = __call__


def _references(name: str, variable: Any, parts: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield under which names checkpoints of objects have a variable of a layer, or its parts."""
    if variable is parts[0]:
        yield name, variable
    else:
        yield from ((f"{name}/part_{position}", part) for position, part in enumerate(parts))


def _given(loss: Any) -> Any:
    return loss


def _tensors_of(inputs: Any) -> Any:
    """Return inputs with the numbers and arrays in them as tensors."""
    return nest.map_structure(lambda part: part if part is None else convert_to_tensor(part), inputs)
