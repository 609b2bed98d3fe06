"""Batch renormalization: a batch's moments in training, corrected towards averages of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..graph.scopes import control_dependencies, name_scope
from ..nn import relu
from ..ops.array_ops import identity, stop_gradient
from ..ops.creation_ops import ones_like, zeros_like
from ..ops.math_ops import maximum, minimum, sqrt
from ..ops.sparse_ops import convert_to_tensor
from ..variables.state_ops import assign
from .moving import moved
from .phases import chosen

__all__ = ["CLIPS", "Renormalization"]

CLIPS = ["rmax", "rmin", "dmax"]


class Renormalization:
    """The corrections of a layer's moments: ``r`` of the deviation, ``d`` of the mean, and the averages behind them.

    With the layer's averages ``m`` and ``s`` of mean and deviation, ``r = deviation / s`` and ``d = (mean - m) / s``,
    clipped to ``[rmin, rmax]`` and ``[-dmax, dmax]``; the normalized values become ``x * r + d``.

    Source: ``tf.layers.BatchNormalization(renorm=True)``; Ioffe, 2017.
    """

    def __init__(self, layer: Any) -> None:
        self._layer = layer

    @staticmethod
    def forms(forms: dict[str, Any]) -> dict[str, Any]:
        """Return how the variables are made, beside those of the layer: deviations begin with roots of variances."""

        def deviation(*args: Any, **kwargs: Any) -> Any:
            return sqrt(forms["moving_variance"][1](*args, **kwargs))

        mean, spread = forms["moving_mean"], (True, deviation, None, None, False)
        return {"moving_stddev": spread, "renorm_mean": mean, "renorm_stddev": spread}

    def correct(self, mean: Any, variance: Any, training: Any) -> list[Any]:
        """Return the factor and the shift, and the moments for the averages of inference.

        The averages behind the corrections move, in training, before the moments that are returned are there.
        """
        layer = self._layer
        deviation = sqrt(variance + layer.epsilon)
        least = maximum(convert_to_tensor(layer.renorm_stddev), layer.epsilon**0.5)  # not 0 early in training
        factor, shift = deviation / least, (mean - convert_to_tensor(layer.renorm_mean)) / least
        with control_dependencies([factor, shift]):  # of the averages before they move
            of_batch = identity(mean), identity(deviation)
        rmin, rmax, dmax = (layer.renorm_clipping.get(key) for key in ("rmin", "rmax", "dmax"))
        factor = factor if rmin is None else maximum(factor, rmin)
        factor = factor if rmax is None else minimum(factor, rmax)
        shift = shift if dmax is None else minimum(maximum(shift, -dmax), dmax)
        factor = chosen(training, partial(identity, factor), partial(ones_like, factor))
        shift = chosen(training, partial(identity, shift), partial(zeros_like, shift))
        averages = layer.renorm_mean, layer.renorm_stddev
        updates = [
            chosen(training, partial(moved, *each, layer.renorm_momentum), partial(convert_to_tensor, each[0]))
            for each in zip(averages, of_batch, strict=True)
        ]
        with control_dependencies(updates):
            moments = identity(mean), identity(variance)
        return [stop_gradient(factor, "renorm_r"), stop_gradient(shift, "renorm_d"), *moments]

    def steps(self, mean: Any, variance: Any) -> list[Callable[[], Any]]:
        """Return what moves the mean and the variance of inference; the variance follows the deviation's average."""
        layer = self._layer

        def move_variance() -> Any:
            deviation = moved(layer.moving_stddev, sqrt(variance + layer.epsilon), layer.momentum)
            with name_scope("AssignNewValue") as scope:
                return assign(layer.moving_variance, relu(deviation * deviation - layer.epsilon), name=scope)

        return [partial(moved, layer.moving_mean, mean, layer.momentum), move_variance]
