"""Batch normalization as a layer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..graph.build import dtype_of, shape_of
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.shapes import TensorShape
from ..keras import constraints, initializers, regularizers
from ..nn import batch_normalization, fused_batch_norm, moments
from ..ops.array_ops import reshape, shape
from ..ops.cast_ops import cast
from ..ops.creation_ops import ones_like, zeros_like
from ..ops.reduce_ops import reduce_mean
from ..ops.sparse_ops import convert_to_tensor
from ..variables.get_variable import no_partitioner
from ..variables.initializers import Ones, Zeros
from .base import Layer
from .moving import moved
from .phases import chosen, decided
from .renormalization import CLIPS, Renormalization

__all__ = ["BatchNormalization"]


class BatchNormalization(Layer):
    """``gamma * (x - mean) / sqrt(variance + epsilon) + beta`` along an axis, by the batch's moments in training.

    In training the moments of the batch are used, and operations in UPDATE_OPS move their averages; else these are.
    Arguments as for `tf.layers.batch_normalization`.
    """

    _TF_MODULE_IGNORED_PROPERTIES = Layer._TF_MODULE_IGNORED_PROPERTIES | {"_made"}
    _settings = (
        "axis",
        "momentum",
        "epsilon",
        "center",
        "scale",
        "beta_initializer",
        "gamma_initializer",
        "moving_mean_initializer",
        "moving_variance_initializer",
        "beta_regularizer",
        "gamma_regularizer",
        "beta_constraint",
        "gamma_constraint",
    )

    def __init__(
        self,
        axis: Any = -1,
        momentum: float = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = None,
        gamma_initializer: Any = None,
        moving_mean_initializer: Any = None,
        moving_variance_initializer: Any = None,
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        renorm: bool = False,
        renorm_clipping: Any = None,
        renorm_momentum: float = 0.99,
        fused: bool | None = None,
        trainable: bool = True,
        virtual_batch_size: Any = None,
        adjustment: Any = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(trainable, name, **kwargs)
        if not isinstance(axis, (int, list, tuple)):
            raise TypeError(f"axis must be int or list, type given: {type(axis)}")
        self.beta_regularizer = regularizers.get(beta_regularizer)
        self.gamma_regularizer = regularizers.get(gamma_regularizer)
        self.beta_constraint, self.gamma_constraint = (
            constraints.get(beta_constraint),
            constraints.get(gamma_constraint),
        )
        self.axis, self.momentum, self.epsilon, self.fused = axis, momentum, epsilon, fused
        self.center, self.scale = center, scale
        self.virtual_batch_size, self.adjustment, self.renorm = virtual_batch_size, adjustment, renorm
        self.renorm_clipping, self.renorm_momentum = renorm_clipping or {}, renorm_momentum
        if renorm and set(self.renorm_clipping) - set(CLIPS):
            raise ValueError(f"renorm_clipping {renorm_clipping} contains keys not in {CLIPS}")
        self.beta_initializer = initializers.get(beta_initializer or Zeros())
        self.gamma_initializer = initializers.get(gamma_initializer or Ones())
        self.moving_mean_initializer = initializers.get(moving_mean_initializer or Zeros())
        self.moving_variance_initializer = initializers.get(moving_variance_initializer or Ones())
        # Names in the order in which TensorFlow makes the variables.
        self._forms = {
            "gamma": (scale, self.gamma_initializer, self.gamma_regularizer, self.gamma_constraint, True),
            "beta": (center, self.beta_initializer, self.beta_regularizer, self.beta_constraint, True),
            "moving_mean": (True, self.moving_mean_initializer, None, None, False),
            "moving_variance": (True, self.moving_variance_initializer, None, None, False),
        }
        if renorm:
            self._forms.update(Renormalization.forms(self._forms))
        self._made: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        made = self.__dict__.get("_made", {})
        if name in made or name in self.__dict__.get("_forms", {}):
            return made.get(name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def build(self, input_shape: Any) -> None:
        """Make gamma, beta and the moving averages."""
        input_shape = TensorShape(input_shape)
        if input_shape.ndims is None:
            raise ValueError(f"Input has undefined rank: {input_shape}")
        axes = self._axes(input_shape.ndims)
        self._check_parts(axes)
        sizes = input_shape.as_list()
        if any(sizes[k] is None for k in axes):
            raise ValueError(f"Input has undefined `axis` dimension. Input shape: {input_shape}")
        form_shape = [n if k in axes else 1 for k, n in enumerate(sizes)]
        if self.virtual_batch_size is not None:
            form_shape.insert(1, 1)
        elif len(axes) == 1:
            form_shape = [sizes[axes[0]]]
        dtype = "float32" if self.dtype in ("float16", "bfloat16") else None  # half precision is raised
        for name, (wanted, initializer, regularizer, constraint, trainable) in self._forms.items():
            self._made[name] = None
            if wanted:
                form = initializer, regularizer, trainable, constraint
                cuts = None if trainable else no_partitioner  # the averages are assigned as wholes
                self._made[name] = self.add_variable(name, form_shape, dtype, *form, partitioner=cuts)
        self.built = True

    def _axes(self, rank: int) -> list[int]:
        """Return the axes that keep their moments apart, from 0. Raises ValueError for one that is not there."""
        axes = list(self.axis) if isinstance(self.axis, (list, tuple)) else [self.axis]
        if any(not -rank <= axis < rank for axis in axes):
            raise ValueError(f"Invalid axis: {self.axis}")
        axes = [axis % rank for axis in axes]
        if len(axes) != len(set(axes)):
            raise ValueError(f"Duplicate axis: {axes}")
        return axes

    def _check_parts(self, axes: list[int]) -> None:
        """Raise ValueError for parts of the batch that cannot be normalized on their own."""
        if self.virtual_batch_size is None:
            return
        if self.virtual_batch_size <= 0:
            raise ValueError(
                "virtual_batch_size must be a positive integer that divides the true batch size of the input Tensor"
            )
        if 0 in axes:
            raise ValueError(
                "When using virtual_batch_size, the batch dimension must be 0 and thus axis cannot include 0"
            )
        if self.adjustment is not None:
            raise ValueError("When using virtual_batch_size, adjustment cannot be specified")

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs: that of the inputs, as it is given."""
        return input_shape

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Return the outputs; ``training`` is a bool or a node."""
        training = decided(training)
        rank = len(shape_of(inputs) or ())
        if self._is_fused(rank):
            return self._by_kernel(inputs, training, "NCHW" if self._axes(rank) == [1] else "NHWC")
        if self.virtual_batch_size is None:
            return self._normalized(inputs, training, rank, self._axes(rank))
        row = list(shape_of(inputs) or ())[1:]
        axes = [axis + 1 for axis in self._axes(len(row) + 1)]
        parts = reshape(inputs, [self.virtual_batch_size, -1, *row])  # of n parts, part k has the rows k, k + n, ...
        return reshape(self._normalized(parts, training, len(row) + 2, axes), [-1, *row])

    def _is_fused(self, rank: int) -> bool:
        """Return whether TensorFlow has a kernel of its own for this: the averages are of the unbiased variance."""
        apart = self.renorm or self.virtual_batch_size is not None or self.adjustment is not None
        return self.fused is not False and rank == 4 and self._axes(rank) in ([1], [3]) and not apart

    def _moves(self, training: Any) -> bool:
        """Return whether the averages are to move: in eager mode, where that is done at once, not of a frozen layer."""
        return isinstance(training, Node) or (training and (self.trainable or not executing_eagerly()))

    def _by_kernel(self, inputs: Any, training: Any, data_format: str) -> Any:
        mean, variance = self.moving_mean, self.moving_variance
        gamma = ones_like(convert_to_tensor(mean)) if self.gamma is None else self.gamma
        beta = zeros_like(convert_to_tensor(mean)) if self.beta is None else self.beta
        form: dict[str, Any] = {"epsilon": self.epsilon, "data_format": data_format}

        def of_batch() -> Any:
            return fused_batch_norm(inputs, gamma, beta, **form)

        def of_averages() -> Any:
            averages = convert_to_tensor(mean), convert_to_tensor(variance)
            return fused_batch_norm(inputs, gamma, beta, *averages, **form, is_training=False)

        outputs, *of_these = chosen(training, of_batch, of_averages)
        if self._moves(training):
            momentum = chosen(training, partial(convert_to_tensor, self.momentum), partial(convert_to_tensor, 1.0))
            for average, value in zip((mean, variance), of_these, strict=True):
                self.add_update(moved(average, value, momentum), inputs)
        return outputs

    def _normalized(self, inputs: Any, training: Any, rank: int, axes: list[int]) -> Any:
        is_cut = self.virtual_batch_size is not None
        others, several = [k for k in range(rank) if k not in axes and not (is_cut and k == 1)], is_cut or len(axes) > 1

        def along(value: Any) -> Any:
            inner = rank - 1 - axes[0]
            return value if value is None or several or not inner else reshape(value, [-1] + [1] * inner)

        mean, variance = convert_to_tensor(self.moving_mean), convert_to_tensor(self.moving_variance)
        scale, offset = along(self.gamma), along(self.beta)
        if isinstance(training, Node) or training:
            if self.adjustment is not None:
                by, to = self.adjustment(shape(inputs))
                by = chosen(training, partial(convert_to_tensor, by), partial(ones_like, by))
                to = chosen(training, partial(convert_to_tensor, to), partial(zeros_like, to))
                scale, offset = _composed(by, to, scale, offset)
            of_batch = moments(cast(inputs, dtype_of(mean)), others, keep_dims=several)
            mean, variance = (
                chosen(training, partial(convert_to_tensor, each), partial(convert_to_tensor, average))
                for each, average in zip(of_batch, (mean, variance), strict=True)
            )
            values = [reduce_mean(each, axis=1, keepdims=True) if is_cut else each for each in (mean, variance)]
            averages = self.moving_mean, self.moving_variance
            steps: list[Callable[[], Any]] = [
                partial(moved, *each, self.momentum) for each in zip(averages, values, strict=True)
            ]
            if self.renorm:
                rule = Renormalization(self)
                factor, shift, *values = rule.correct(values[0], values[1], training)
                scale, offset = _composed(along(factor), along(shift), scale, offset)
                steps = rule.steps(values[0], values[1])
            for average, step in zip(averages, steps, strict=True) if self._moves(training) else ():
                self.add_update(chosen(training, step, partial(convert_to_tensor, average)), inputs)
        mean, variance, offset, scale = (
            part if part is None else cast(part, dtype_of(inputs))
            for part in (along(mean), along(variance), offset, scale)
        )
        outputs = batch_normalization(inputs, mean, variance, offset, scale, self.epsilon)
        outputs.set_shape(shape_of(inputs))
        return outputs


def _composed(scale: Any, offset: Any, then_scale: Any, then_offset: Any) -> tuple[Any, Any]:
    """Return the scale and offset of both steps, the first given first; None is a step that is not there."""
    if then_scale is not None:
        scale, offset = scale * then_scale, offset * then_scale
    return scale, offset if then_offset is None else offset + then_offset
