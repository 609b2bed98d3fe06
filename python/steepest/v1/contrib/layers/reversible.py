"""``tf.contrib.layers``: blocks of layers whose inputs follow from their outputs, and functions to be run twice."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ....variables.variable import Variable as EagerVariable
from ...graph.mode import executing_eagerly
from ...graph.node import Tensor
from ...graph.scopes import get_variable_scope, variable_scope
from ...layers.base import Layer
from ...variables.variables import Variable

__all__ = ["RevBlock", "recompute_grad", "rev_block"]

Function = Callable[..., Any]


def _in_scope(function: Function, scope: str) -> Function:
    def wrapped(*args: Any) -> Any:
        with variable_scope(scope, use_resource=True):
            return function(*args)

    return wrapped


class RevBlock(Layer):
    """Layers with ``y1 = x1 + f(x2)``, ``y2 = x2 + g(y1)``, one after another; gradients flow as everywhere.

    Args:
        f, g: functions of a tensor to one of its shape, with variables of their own in each layer, or lists of them.
        num_layers: how many layers.
        f_side_input, g_side_input: lists of tensors, second arguments of f and g where given.
        use_efficient_backprop: ignored: what layers gave is kept until the gradients are known.
        name: of the layer.
        kwargs: arguments of ``tf.layers.Layer``.

    Raises:
        ValueError: for a list of functions of another length.

    Source: ``tf.contrib.layers.RevBlock``.
    """

    def __init__(
        self,
        f: Function | list[Function],
        g: Function | list[Function],
        num_layers: int = 1,
        f_side_input: Sequence[Any] | None = None,
        g_side_input: Sequence[Any] | None = None,
        use_efficient_backprop: bool = True,
        name: str = "revblock",
        **kwargs: Any,
    ) -> None:
        del use_efficient_backprop
        super().__init__(name=name, **kwargs)
        self.num_layers = num_layers
        self.f, self.g = self._of_layers(f, "f"), self._of_layers(g, "g")
        self.f_side_input, self.g_side_input = list(f_side_input or []), list(g_side_input or [])

    def _of_layers(self, given: Function | list[Function], what: str) -> list[Function]:
        functions = given if isinstance(given, list) else [given] * self.num_layers
        if len(functions) != self.num_layers:
            raise ValueError(f"{what} must be one function or one for each of {self.num_layers} layers")
        return [_in_scope(each, f"revlayer_{number}/{what}") for number, each in enumerate(functions)]

    def build(self, _: Any) -> None:
        """Do nothing: the variables are made when the functions are first called."""
        self.built = True

    def call(self, inputs: Sequence[Any], forward: bool = True) -> tuple[Any, Any]:
        """Return what the layers make of a pair of tensors, or with ``forward=False`` of what they made it."""
        scope = get_variable_scope()
        before = len(scope.global_variables())
        first, second = inputs
        pair = self._forward(first, second) if forward else self._backward(first, second)
        trainable = {id(variable) for variable in scope.trainable_variables()}
        for variable in scope.global_variables()[before:]:
            stored = self._trainable_weights if id(variable) in trainable else self._non_trainable_weights
            stored.append(variable)
        return pair

    def forward(self, x1: Any, x2: Any) -> Any:
        """Return ``(y1, y2)``."""
        return self.apply([x1, x2])

    def backward(self, y1: Any, y2: Any) -> Any:
        """Return the ``(x1, x2)`` of which the layers make ``(y1, y2)``."""
        return self.apply([y1, y2], forward=False)

    def _of_f(self, number: int, x: Any) -> Any:
        return self.f[number](x, self.f_side_input) if self.f_side_input else self.f[number](x)

    def _of_g(self, number: int, x: Any) -> Any:
        return self.g[number](x, self.g_side_input) if self.g_side_input else self.g[number](x)

    def _forward(self, x1: Any, x2: Any) -> tuple[Any, Any]:
        for number in range(self.num_layers):
            x1 = x1 + self._of_f(number, x2)
            x2 = x2 + self._of_g(number, x1)
        return x1, x2

    def _backward(self, y1: Any, y2: Any) -> tuple[Any, Any]:
        for number in reversed(range(self.num_layers)):
            y2 = y2 - self._of_g(number, y1)
            y1 = y1 - self._of_f(number, y2)
        return y1, y2


def rev_block(
    x1: Any,
    x2: Any,
    f: Function | list[Function],
    g: Function | list[Function],
    num_layers: int = 1,
    f_side_input: Sequence[Any] | None = None,
    g_side_input: Sequence[Any] | None = None,
    is_training: bool = True,
) -> Any:
    """Return the pair that a `RevBlock` makes of a pair of tensors.

    Args:
        x1, x2: tensors of one shape.
        f, g, num_layers, f_side_input, g_side_input: arguments of `RevBlock`.
        is_training: ignored, as its ``use_efficient_backprop``.

    Source: ``tf.contrib.layers.rev_block``.
    """
    reuse = get_variable_scope().reuse
    block = RevBlock(f, g, num_layers, f_side_input, g_side_input, is_training, _reuse=reuse)
    return block.forward(x1, x2)


def recompute_grad(fn: Function | None = None, use_data_dep: bool = False, tupleize_grads: bool = False) -> Function:
    """Decorate a function of tensors as TensorFlow 1 does: here it is not run again for the gradients.

    Args:
        fn: the function; its argument ``is_recomputing``, if it has one, is always False.
        use_data_dep, tupleize_grads: ignored.

    Raises:
        ValueError: for a function of other tensors or variables than its arguments, or when called with what is no
            tensor.

    Source: ``tf.contrib.layers.recompute_grad``.
    """
    if fn is None:
        return functools.partial(recompute_grad, use_data_dep=use_data_dep, tupleize_grads=tupleize_grads)
    code = getattr(fn, "__code__", None)
    for name, cell in zip(code.co_freevars if code else (), getattr(fn, "__closure__", None) or (), strict=True):
        try:
            value = cell.cell_contents
        except ValueError:
            continue  # given a value after the decorator
        if isinstance(value, (Tensor, Variable, EagerVariable)):
            raise ValueError(
                f"fn decorated with @recompute_grad closes over Tensor {value.name} (local variable name: {name}). The "
                "decorated fn must not close over Tensors or Variables because gradients will NOT be computed for "
                "them through fn. To ensure correct gradients, make the Tensor an input to fn."
            )
    function = fn

    @functools.wraps(function)
    def wrapped(*args: Any) -> Any:
        if not executing_eagerly() and not all(isinstance(arg, Tensor) for arg in args):
            raise ValueError("All inputs to function must be Tensors")
        return function(*args)

    return wrapped
