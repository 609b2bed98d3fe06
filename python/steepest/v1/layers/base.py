"""The base class of layers: variables that are made at the first call."""

from __future__ import annotations

import math
from typing import Any

from ..graph.build import dtype_of, shape_of
from ..graph.scopes import variable_scope
from ..graph.shapes import TensorShape
from ..ops.sparse_ops import convert_to_tensor
from ..training.get_variable import get_variable

__all__ = ["Layer"]


class Layer:
    """Base class: ``call(inputs)`` inside the layer's variable scope, which later calls open again.

    Args:
        name: of the scope; by default the class's name in lower case, made unique.
        trainable: whether variables are put into TRAINABLE_VARIABLES.

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
        if kwargs:
            raise TypeError(f"Keyword argument not understood: {sorted(kwargs)[0]}")

    @property
    def name(self) -> str:
        """The name of the scope."""
        given = self._given_name or self._DEFAULT_NAME
        return given if self._scope is None else str(self._scope.name).rpartition("/")[2]

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
        """Return the number of elements of all variables."""
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
        variable = get_variable(
            name,
            shape,
            dtype or self._dtype or "float32",
            initializer,
            regularizer,
            trainable and self.trainable,
            constraint=constraint,
        )
        if not any(variable is other for other in self._variables):
            self._variables.append(variable)
        return variable

    add_weight = add_variable

    def build(self, input_shape: Any) -> None:
        """Make the variables; called before the first call of `call`."""

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the layer's outputs."""
        return inputs

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        x = convert_to_tensor(inputs)
        self._dtype = self._dtype or dtype_of(x)
        again = self._scope is not None
        scope = self._scope if again else self._given_name if self._open_scope is None else self._open_scope
        with variable_scope(scope, self._DEFAULT_NAME, reuse=True if again else self._reuse) as opened:
            self._scope = opened
            if not self.built:
                self.build(TensorShape(shape_of(x)))
                self.built = True
            return self.call(x, *args, **kwargs)

    apply = __call__
