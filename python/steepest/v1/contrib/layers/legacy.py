"""The dense layer of before ``tf.contrib.layers.fully_connected``: its variables are ``weights`` and ``bias``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ....variables.collections import GraphKeys
from ...graph.build import shape_of
from ...graph.scopes import variable_scope
from ...nn import bias_add
from ...ops.activation_ops import relu
from ...ops.array_ops import reshape, shape
from ...ops.concat_ops import stack, unstack
from ...ops.matmul_ops import matmul
from ...ops.sparse_ops import convert_to_tensor
from ...variables.get_variable import get_variable
from ...variables.initializers import GlorotUniform, Zeros
from .model_variables import activated

__all__ = ["legacy_fully_connected", "legacy_linear", "legacy_relu"]


def legacy_fully_connected(
    x: Any,
    num_output_units: int,
    activation_fn: Callable[..., Any] | None = None,
    weight_init: Any = None,
    bias_init: Any = "zeros",
    name: str | None = None,
    weight_collections: Sequence[str] | None = (GraphKeys.WEIGHTS,),
    bias_collections: Sequence[str] | None = (GraphKeys.BIASES,),
    output_collections: Sequence[str] | None = (GraphKeys.ACTIVATIONS,),
    trainable: bool = True,
    weight_regularizer: Callable[[Any], Any] | None = None,
    bias_regularizer: Callable[[Any], Any] | None = None,
) -> Any:
    """Return ``activation(x @ weights + bias)`` along the last axis; ``bias_init`` None leaves the bias out.

    Raises ValueError for fewer than two axes, or a last of unknown size.

    Source: ``tf.contrib.layers.legacy_fully_connected``.
    """
    with variable_scope(name, "fully_connected", [x]):
        x = convert_to_tensor(x)
        sizes = shape_of(x)
        if sizes is None:
            raise ValueError("dims of x must be known but is None")
        if len(sizes) < 2:
            raise ValueError(f"rank of x must be at least 2 not: {len(sizes)}")
        if sizes[-1] is None:
            raise ValueError("last dimension of x must be known but is None")

        def made(what: str, form: list[int], start: Any, rule: Any, keys: Any) -> Any:
            kept = list(dict.fromkeys([*(keys or ()), GraphKeys.GLOBAL_VARIABLES]))
            return get_variable(what, form, x.dtype.base_dtype, start, rule, trainable, kept)

        form = [sizes[-1], num_output_units]
        weights = made("weights", form, weight_init or GlorotUniform(), weight_regularizer, weight_collections)
        y = matmul(x if len(sizes) == 2 else reshape(x, [-1, sizes[-1]]), weights)
        if bias_init is not None:
            start = Zeros() if isinstance(bias_init, str) else bias_init
            y = bias_add(y, made("bias", [num_output_units], start, bias_regularizer, bias_collections))
        if len(sizes) > 2:
            y = reshape(y, stack([*unstack(shape(x))[:-1], num_output_units]))
            y.set_shape([*sizes[:-1], num_output_units])
        return activated(y, activation_fn, output_collections)


legacy_relu = functools.partial(legacy_fully_connected, activation_fn=relu)
legacy_linear = functools.partial(legacy_fully_connected, activation_fn=None)
