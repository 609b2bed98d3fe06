"""What layers have as Keras' layers do: settings, values of weights, and connections, which these never have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...variables.collections import GraphKeys
from .. import nest
from ..graph.collections import get_collection
from ..graph.default_session import get_default_session
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.session import Session
from ..keras import activations
from ..keras.by_name import serialized
from ..ops.type_specs import TensorSpec
from ..variables.write_op import target_of

__all__ = ["KerasMethods"]


class KerasMethods:
    """Methods of layers that are called on tensors of any kind: nothing is kept of what went in and came out."""

    stateful = False
    dynamic = False
    supports_masking = True

    _settings: tuple[str, ...] = ()
    """The names of the arguments, beside those of all layers, that make the same layer again."""

    name: Any
    trainable: bool
    dtype: Any
    built: bool
    weights: Any
    compute_output_shape: Any

    @property
    def graph(self) -> None:
        """None; in eager mode RuntimeError: layers are of no graph before they are called."""
        if executing_eagerly():
            raise RuntimeError("Layer.graph not supported when executing eagerly.")

    @property
    def metrics(self) -> list[Any]:
        """Metrics that a layer computes: none."""
        return []

    @property
    def inbound_nodes(self) -> list[Any]:
        """Connections to other layers: none."""
        return []

    outbound_nodes = inbound_nodes

    @property
    def input(self) -> Any:
        """Raises AttributeError, as `input_mask`: only layers of Keras' models know what they were called on."""
        raise AttributeError(f"Layer {self.name} is not connected, no input to return.")

    input_mask = input

    @property
    def output(self) -> Any:
        """Raises AttributeError, as `output_mask`: only layers of Keras' models know what they returned."""
        raise AttributeError(f"Layer {self.name} has no inbound nodes.")

    output_mask = output

    @property
    def input_shape(self) -> Any:
        """Raises AttributeError, as `input` does."""
        raise AttributeError("The layer has never been called and thus has no defined input shape.")

    @property
    def output_shape(self) -> Any:
        """Raises AttributeError, as `output` does."""
        raise AttributeError("The layer has never been called and thus has no defined output shape.")

    def get_input_at(self, node_index: int) -> Any:
        """Raise RuntimeError: there are no connections."""
        raise _without("input")

    def get_output_at(self, node_index: int) -> Any:
        """Raise RuntimeError: there are no connections."""
        raise _without("output")

    def get_input_shape_at(self, node_index: int) -> Any:
        """Raise RuntimeError: there are no connections."""
        raise _without("input shape")

    def get_output_shape_at(self, node_index: int) -> Any:
        """Raise RuntimeError: there are no connections."""
        raise _without("output shape")

    get_input_mask_at, get_output_mask_at = get_input_at, get_output_at

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Return the mask that is given."""
        return mask

    def compute_output_signature(self, input_signature: Any) -> Any:
        """Return the `tf.TensorSpec` of the outputs for those of the inputs; TypeError for what is none."""
        specs = nest.flatten(input_signature)
        for spec in specs:
            if not isinstance(spec, TensorSpec):
                must = "Only TensorSpec signature types are supported, but saw signature"
                raise TypeError(f"{must} signature entry: {spec}.")
        shapes = self.compute_output_shape(nest.map_structure(lambda spec: spec.shape, input_signature))
        dtype = self.dtype or specs[0].dtype
        return nest.map_structure(lambda shape: TensorSpec(shape, dtype), shapes)

    def count_params(self) -> int:
        """Return the number of elements of all variables; ValueError before there are any."""
        if not self.built:
            raise ValueError(f"You tried to call `count_params` on {self.name}, but the layer isn't built.")
        return sum(math.prod(variable.shape.as_list()) for variable in self.weights)

    def get_weights(self) -> list[np.ndarray]:
        """Return the values of the variables in the session that is entered, else in one that the layers share.

        Variables without a value get their first one. Source: ``tf.layers.Layer.get_weights``.
        """
        if executing_eagerly():
            return [variable.numpy() for variable in self.weights]
        weights = list(self.weights)
        return list(_session().run(weights)) if weights else []

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Give the variables these values. Raises ValueError for another number of them, and for other shapes."""
        own = list(self.weights)
        if len(own) != len(weights):
            raise ValueError(
                f'You called `set_weights(weights)` on layer "{self.name}" with a weight list of length '
                f"{len(weights)}, but the layer was expecting {len(own)} weights. Provided weights: "
                f"{str(weights)[:50]}..."
            )
        for variable, value in zip(own, weights, strict=True):
            sizes, given = tuple(variable.shape.as_list()), np.shape(value)
            if sizes != given:
                raise ValueError(f"Layer weight shape {sizes} not compatible with provided weight shape {given}")
        if executing_eagerly():
            for variable, value in zip(own, weights, strict=True):
                variable.assign(value)
        elif own:
            session = _session()
            for variable, value in zip(own, weights, strict=True):
                variable.load(value, session)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that make the same layer again, as plain Python."""
        config = {"name": self.name, "trainable": self.trainable, "dtype": self.dtype}
        for setting in self._settings:
            value = getattr(self, setting)
            made = setting.endswith(("_initializer", "_regularizer", "_constraint"))
            if setting == "activation":
                value = serialized(activations.linear if value is None else value)
            config[setting] = serialized(value) if made else value
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Return the layer that `get_config` describes, without the values of its variables."""
        return cls(**config)


def _without(what: str) -> RuntimeError:
    return RuntimeError(f"The layer has never been called and thus has no defined {what}.")


def _session() -> Any:
    """Return the session that is entered, else one that the graph keeps; variables get their first values in it."""
    session: Any = get_default_session()
    graph = get_default_graph()
    if session is None:
        kept = vars(graph)  # beside what a graph has, so that both go together
        session = kept["_session_of_layers"] = kept.get("_session_of_layers") or Session(graph=graph)
    variables: list[Any] = [each for each in get_collection(GraphKeys.GLOBAL_VARIABLES) if isinstance(each, Node)]
    ops = {each: target_of("get_weights", each) for each in variables}
    missing = [each.initializer for each in variables if session._read(ops[each]) is None]
    if missing:
        session.run(missing)
    return session
