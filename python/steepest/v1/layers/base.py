"""The base class of layers: variables that are made at the first call."""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import Any

from ...variables.collections import GraphKeys
from ..graph.build import dtype_of, shape_of
from ..graph.collections import get_collection
from ..graph.dtypes import as_dtype
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.scopes import name_scope, variable_scope
from ..graph.shapes import TensorShape
from ..ops.array_ops import shape
from ..ops.cast_ops import cast
from ..ops.sparse_ops import convert_to_tensor
from ..training.get_variable import get_variable
from .by_name import initializer_of

__all__ = ["InputSpec", "Layer"]


class InputSpec:
    """What a layer asks of its inputs: a type, a shape, a number of axes, the sizes of some of them.

    Source: ``tf.layers.InputSpec``.
    """

    def __init__(
        self,
        dtype: Any = None,
        shape: Any = None,
        ndim: int | None = None,
        max_ndim: int | None = None,
        min_ndim: int | None = None,
        axes: dict[int, int | None] | None = None,
    ) -> None:
        self.dtype = dtype
        self.shape = None if shape is None else tuple(shape)
        self.ndim = len(self.shape) if self.shape is not None else ndim
        self.max_ndim, self.min_ndim, self.axes = max_ndim, min_ndim, dict(axes or {})

    def check(self, layer: str, shape: Any) -> None:
        """Raise ValueError for inputs of a shape that the layer cannot take."""
        if shape is None:
            return
        rank = len(shape)
        axes = {**self.axes, **dict(enumerate(self.shape or ()))}
        wrong = None
        if self.ndim is not None and rank != self.ndim:
            wrong = f"expected ndim={self.ndim}, found ndim={rank}"
        elif self.max_ndim is not None and rank > self.max_ndim:
            wrong = f"expected max_ndim={self.max_ndim}, found ndim={rank}"
        elif self.min_ndim is not None and rank < self.min_ndim:
            wrong = f"expected min_ndim={self.min_ndim}, found ndim={rank}"
        else:
            for axis, size in axes.items():
                if size is not None and shape[axis] not in (size, None):
                    wrong = f"expected axis {axis} of input shape to have value {size}"
        if wrong is not None:
            raise ValueError(
                f"Input 0 of layer {layer} is incompatible with the layer: {wrong}. Full shape received: {list(shape)}"
            )


class Layer:
    """Base class: ``call(inputs)`` inside the layer's variable scope, which later calls open again.

    Args:
        name: of the scope; by default the class's name in lower case, made unique.
        trainable: whether variables are put into TRAINABLE_VARIABLES.
        activity_regularizer: a function of the outputs; what it gives, divided by the number of rows, is a loss.

    Source: ``tf.layers.Layer``.
    """

    _DEFAULT_NAME = "layer"

    def __init__(self, trainable: bool = True, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        self.trainable, self._given_name, self._dtype = trainable, name, dtype
        self._reuse = kwargs.pop("_reuse", None)
        self._open_scope = kwargs.pop("_scope", None)
        self._scope: Any = None
        self._variables: list[Any] = []
        self.built = False
        self.input_spec: InputSpec | None = None
        self.activity_regularizer = kwargs.pop("activity_regularizer", None)
        self._losses: list[Any] = []
        self._updates: list[Any] = []
        if kwargs:
            raise TypeError(f"Keyword argument not understood: {sorted(kwargs)[0]}")

    @property
    def name(self) -> str:
        """The name of the scope."""
        given = self._given_name or self._DEFAULT_NAME
        return given if self._scope is None else str(self._scope.name).rpartition("/")[2]

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
        self._add(losses, self._losses, GraphKeys.REGULARIZATION_LOSSES)

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Add operations that are to run beside training, which are put into UPDATE_OPS too."""
        if not executing_eagerly():
            self._add(updates, self._updates, GraphKeys.UPDATE_OPS)

    def _add(self, items: Any, own: list[Any], key: str) -> None:
        for item in items if isinstance(items, (list, tuple)) else [items]:
            own.append(item)
            if not executing_eagerly():
                get_default_graph().add_to_collection(key, item)

    @property
    def variables(self) -> list[Any]:
        """The variables that were made."""
        return list(self._variables)

    weights = variables

    @property
    def trainable_variables(self) -> list[Any]:
        """Those that are trained."""
        return [variable for variable in self._variables if variable.trainable]

    trainable_weights = trainable_variables

    @property
    def non_trainable_variables(self) -> list[Any]:
        """Those that are not trained."""
        return [variable for variable in self._variables if not variable.trainable]

    non_trainable_weights = non_trainable_variables

    def count_params(self) -> int:
        """Return the number of elements of all variables; ValueError before there are any."""
        if not self.built:
            raise ValueError(f"You tried to call `count_params` on {self.name}, but the layer isn't built.")
        return sum(math.prod(variable.shape.as_list()) for variable in self._variables)

    def add_variable(
        self,
        name: str,
        shape: Any,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool = True,
        constraint: Any = None,
    ) -> Any:
        """Return the layer's variable ``name``, made where it is missing."""
        before = len(get_collection(GraphKeys.REGULARIZATION_LOSSES))
        variable = get_variable(
            name,
            shape,
            dtype or self._dtype or "float32",
            initializer_of(initializer),
            regularizer,
            trainable and self.trainable,
            constraint=constraint,
        )
        if not any(variable is other for other in self._variables):
            self._variables.append(variable)
        self._losses += get_collection(GraphKeys.REGULARIZATION_LOSSES)[before:]
        return variable

    add_weight = add_variable

    def build(self, input_shape: Any) -> None:
        """Make the variables; called before the first call of `call`."""

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the layer's outputs."""
        return inputs

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """Return the shape of the outputs for one of the inputs; here the same."""
        return TensorShape(input_shape)

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        x = convert_to_tensor(inputs)
        self._dtype = self._dtype or dtype_of(x)
        again = self._scope is not None
        scope = self._scope if again else self._given_name if self._open_scope is None else self._open_scope
        # Later calls go on in the name scope of the first.
        names = name_scope(self._scope.original_name_scope) if again else nullcontext()
        reuse = True if again else self._reuse
        with variable_scope(scope, self._DEFAULT_NAME, reuse=reuse, auxiliary_name_scope=not again) as opened, names:
            self._scope = self._scope if again else opened
            if self.input_spec is not None:
                self.input_spec.check(self.name, shape_of(x))
            if not self.built:
                self.build(TensorShape(shape_of(x)))
                self.built = True
            outputs = self.call(x, *args, **kwargs)
            if self.activity_regularizer is not None:
                self._regularize(outputs)
            return outputs

    def _regularize(self, outputs: Any) -> None:
        """Add the loss of the activity regularizer, for each output its value divided by the number of rows."""
        for output in outputs if isinstance(outputs, (list, tuple)) else [outputs]:
            loss = convert_to_tensor(self.activity_regularizer(output))
            self.add_loss(loss / cast(shape(output)[0], loss.dtype))

    apply = __call__
