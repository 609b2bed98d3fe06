"""Losses multiplied by a number, so that gradients of half types do not vanish: fixed, or as large as it can be."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ...ops.indexed_slices import IndexedSlices
from ...optim.optimizer import Optimizer
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.nests import flatten
from ..ops.control_flow_ops import cond, group, no_op
from ..ops.math_ops import is_finite, maximum
from ..ops.reduce_ops import reduce_all
from ..ops.sparse_ops import convert_to_tensor
from ..saving.trackable import Trackable, TrackableReference
from ..variables.variables import Variable
from .wrappers import Wrapper

__all__ = [
    "DynamicLossScale",
    "FixedLossScale",
    "LossScale",
    "MixedPrecisionLossScaleOptimizer",
    "get",
    "step_where",
]

Pairs = list[tuple[Any, Any]]


class LossScale(Trackable, ABC):
    """Base of what losses are multiplied by: calling it returns the number, `update` looks at gradients.

    Source: ``tf.train.experimental.LossScale``.
    """

    def __init__(self) -> None:
        self._weights: dict[Any, Any] = {}

    @abstractmethod
    def __call__(self) -> Any:
        """Return the number as a tensor of float32."""

    @abstractmethod
    def update(self, grads: Any) -> tuple[Any, Any]:
        """Change the number by gradients; return the operation that does it, and whether they may be applied."""

    @abstractmethod
    def get_config(self) -> dict[str, Any]:
        """Return the arguments that `from_config` makes another one of."""

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Return another one with the same arguments."""
        return cls(**config)

    def _add_weight(self, name: str, initial_value: Any, dtype: Any = None) -> Any:
        """Return a new variable of its own; RuntimeError for a name that one has."""
        key = (name, _graph())
        if key in self._weights:
            raise RuntimeError(f"Duplicate variables detected. {key}")
        self._weights[key] = Variable(initial_value, trainable=False, name=name, dtype=dtype)
        self._handle_deferred_dependencies(name, self._weights[key])
        return self._weights[key]

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        own = [TrackableReference(name, v) for (name, graph), v in self._weights.items() if graph is _graph()]
        return [*super()._checkpoint_dependencies, *sorted(own, key=lambda each: each.name)]

    def _lookup_dependency(self, name: str, cached_dependencies: Any = None) -> Any:
        found = super()._lookup_dependency(name, cached_dependencies)
        return self._weights.get((name, _graph())) if found is None else found


def _graph() -> Any:
    return None if executing_eagerly() else get_default_graph()


class FixedLossScale(LossScale):
    """The same number always.

    Args:
        loss_scale_value: a number that is at least 1.

    Raises:
        ValueError: for anything else.

    Source: ``tf.train.experimental.FixedLossScale``.
    """

    def __init__(self, loss_scale_value: float) -> None:
        super().__init__()
        if not isinstance(loss_scale_value, (int, float)):
            raise ValueError("loss_scale_value must be a Python int or float.")
        if loss_scale_value < 1:
            raise ValueError("loss_scale_value must be at least 1.")
        self._loss_scale_value = float(loss_scale_value)

    def __call__(self) -> Any:
        """Return the number."""
        return convert_to_tensor(self._loss_scale_value)

    def update(self, grads: Any) -> tuple[Any, bool]:
        """Change nothing: gradients are applied always."""
        del grads
        return no_op(), True

    def get_config(self) -> dict[str, Any]:
        """Return the number by its argument's name."""
        return {"loss_scale_value": self._loss_scale_value}

    def __repr__(self) -> str:
        return f"FixedLossScale({self._loss_scale_value})"


class DynamicLossScale(LossScale):
    """A number that grows while gradients are finite, and shrinks when one is not.

    Args:
        initial_loss_scale: the number at first.
        increment_period: after so many steps with finite gradients it is multiplied.
        multiplier: by what; where a gradient is not finite it is divided by it, but not below 1.

    Source: ``tf.train.experimental.DynamicLossScale``.
    """

    def __init__(
        self, initial_loss_scale: float = 2**15, increment_period: int = 2000, multiplier: float = 2.0
    ) -> None:
        super().__init__()
        self._initial_loss_scale, self._increment_period = float(initial_loss_scale), int(increment_period)
        self._multiplier = float(multiplier)
        self._current_loss_scale = self._add_weight("current_loss_scale", self._initial_loss_scale, "float32")
        self._num_good_steps = self._add_weight("good_steps", 0, "int64")

    @property
    def initial_loss_scale(self) -> float:
        """The number at first."""
        return self._initial_loss_scale

    @property
    def increment_period(self) -> int:
        """After how many good steps it grows."""
        return self._increment_period

    @property
    def multiplier(self) -> float:
        """By what it grows and shrinks."""
        return self._multiplier

    def __call__(self) -> Any:
        """Return the number of now."""
        return convert_to_tensor(self._current_loss_scale)

    def update(self, grads: Any) -> tuple[Any, Any]:
        """Let the number grow or shrink; return the operation that does it, and whether all gradients are finite."""
        current, steps = self._current_loss_scale, self._num_good_steps
        given = [each for each in flatten(grads) if each is not None]
        finite = reduce_all([reduce_all(is_finite(each)) for each in given]) if given else convert_to_tensor(True)

        def grow() -> Any:
            larger = current * self._multiplier
            kept = cond(is_finite(larger), lambda: _done(current.assign(larger)), no_op)
            return group(kept, steps.assign(0))

        def good() -> Any:
            return cond(steps + 1 >= self._increment_period, grow, lambda: _done(steps.assign_add(1)))

        def bad() -> Any:
            return group(steps.assign(0), current.assign(maximum(current / self._multiplier, 1.0)))

        return cond(finite, good, bad), finite

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        names = ("initial_loss_scale", "increment_period", "multiplier")
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        fixed = ", ".join(f"{name}={value}" for name, value in self.get_config().items())
        now = f"current_loss_scale={self._current_loss_scale.numpy()}, " if executing_eagerly() else ""
        steps = f"num_good_steps={self._num_good_steps.numpy()}, " if executing_eagerly() else ""
        return f"DynamicLossScale({now}{steps}{fixed})"


def _done(value: Any) -> Any:
    return value if executing_eagerly() else value.op


def get(identifier: Any) -> Any:
    """Return the loss scale that a number, ``"dynamic"`` or one itself stands for; None for None.

    Raises ValueError for anything else.
    """
    if isinstance(identifier, (int, float)):
        return FixedLossScale(identifier)
    if isinstance(identifier, str) and identifier == "dynamic":
        return DynamicLossScale()
    if identifier is None or isinstance(identifier, LossScale):
        return identifier
    raise ValueError(f"Could not interpret loss scale identifier: {identifier}")


class MixedPrecisionLossScaleOptimizer(Wrapper):
    """An optimizer whose losses are scaled before gradients are taken, and whose gradients are scaled back.

    With a `DynamicLossScale` a step with a gradient that is not finite is left out.

    Args:
        opt: the optimizer that takes the steps.
        loss_scale: a number, ``"dynamic"``, or a `LossScale`.

    Raises:
        ValueError: for what is no optimizer, or no loss scale.

    Source: ``MixedPrecisionLossScaleOptimizer`` of TensorFlow's ``loss_scale_optimizer``.
    """

    def __init__(self, opt: Optimizer, loss_scale: Any) -> None:
        if not isinstance(opt, Optimizer):
            raise ValueError(f'"opt" must be an instance of Optimizer, but got: {type(opt)}')
        scale = get(loss_scale)
        if scale is None:
            raise ValueError("loss_scale cannot be None")
        super().__init__(opt, False, opt.get_name())
        self._optimizer, self._loss_scale = opt, scale
        self._tracked = {"base_optimizer": opt, "loss_scale": scale}

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Pairs:
        """Return the gradients of the loss, computed from the scaled one."""
        scale = self._loss_scale()
        scaled = (lambda: loss() * scale) if callable(loss) else loss * scale
        pairs: Pairs = self._opt.compute_gradients(scaled, *args, **kwargs)
        back = 1.0 / scale
        return [(None if gradient is None else _scaled(gradient, back), variable) for gradient, variable in pairs]

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Apply gradients; with a dynamic scale only where all are finite, and the scale changes."""
        if not isinstance(self._loss_scale, DynamicLossScale):
            return self._opt.apply_gradients(grads_and_vars, global_step, name)
        pairs = list(grads_and_vars)
        own = name or self.get_name()
        change, finite = self._loss_scale.update([_values(gradient) for gradient, _ in pairs])
        taken = step_where(finite, self._opt, pairs, global_step, f"{own}-wrapped")
        return None if executing_eagerly() else group(taken, change, name=own)


def step_where(finite: Any, optimizer: Optimizer, pairs: Pairs, global_step: Any, name: str | None) -> Any:
    """Return the operation that takes an optimizer's step where a tensor is true; in eager mode do it."""
    if not executing_eagerly():
        optimizer._create_slots([variable for gradient, variable in pairs if gradient is not None])

    def step() -> Any:
        done = optimizer.apply_gradients(pairs, global_step, name)
        return no_op() if done is None else done

    return cond(finite, step, no_op)


def _values(gradient: Any) -> Any:
    return gradient.values if isinstance(gradient, IndexedSlices) else gradient


def _scaled(gradient: Any, factor: Any) -> Any:
    if isinstance(gradient, IndexedSlices):
        return IndexedSlices(gradient.values * factor, gradient.indices, gradient.dense_shape)
    return gradient * factor
