"""Optimizers of ``tf.contrib.opt`` that wrap another: averages of variables, variables of bounded norm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.errors import describe, must
from ...ops.indexed_slices import IndexedSlices
from ...ops.symbolic import Symbolic
from ...optim.clip import clip_by_norm as clip_array
from ...optim.hooks.hook import check_limit
from ...optim.hyperparameters import scalar
from ...optim.optimizer import Optimizer
from ...optim.updates import array_of, to_pairs
from ...optim.wrappers import ExponentialMovingAverage as EagerAverages
from ...variables.collections import GraphKeys, get_collection
from ...variables.variable import Variable as EagerVariable
from ..graph.graph import get_default_graph
from ..ops.clip_ops import clip_by_norm
from ..ops.control_flow_ops import group
from ..ops.gather_ops import gather
from ..optim.moving_average import ExponentialMovingAverage
from ..saving.saved_variables import variables_by_name
from ..saving.saver import Saver
from ..variables.scatter_ops import scatter_update
from ..variables.state_ops import assign

__all__ = [
    "MovingAverageOptimizer",
    "VariableClippingOptimizer",
    "Wrapper",
]

Pairs = list[tuple[Any, Any]]


class Wrapper(Optimizer):
    """An optimizer that leaves gradients and slots to another."""

    def __init__(self, opt: Optimizer, use_locking: bool, name: str) -> None:
        if not isinstance(opt, Optimizer):
            raise TypeError(must(type(self).__name__, "opt", "be an optimizer", describe(opt)))
        super().__init__(use_locking, name)
        self._opt = opt

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Pairs:
        """Do what the wrapped optimizer does."""
        pairs: Pairs = self._opt.compute_gradients(*args, **kwargs)
        return pairs

    def get_slot(self, var: Any, name: str) -> Any:
        """Return the wrapped optimizer's slot."""
        return self._opt.get_slot(var, name)

    def get_slot_names(self) -> list[str]:
        """Return the names of the wrapped optimizer's slots."""
        return self._opt.get_slot_names()

    def variables(self) -> list[Any]:
        """Return the variables of the wrapped optimizer."""
        return self._opt.variables()

    def _inner(self) -> tuple[Optimizer, ...]:
        return (self._opt,)


def _is_symbolic(pairs: Pairs) -> bool:
    return any(isinstance(variable, Symbolic) for _, variable in pairs)


class MovingAverageOptimizer(Wrapper):
    """An optimizer whose steps also move averages: ``average = average - (1 - decay) * (average - w)``.

    An average begins at what its variable was before the first step. With ``num_updates`` the decay is at most
    ``(1 + num_updates) / (10 + num_updates)``.

    Args:
        opt: the optimizer that takes the steps.
        average_decay: in [0, 1].
        num_updates: None, a number or a variable.
        sequential_update: whether averages wait for the step; in eager mode they always do.

    Raises:
        TypeError: for what is not an optimizer.
        ValueError: for a decay outside [0, 1].

    Source: ``tf.contrib.opt.MovingAverageOptimizer``.
    """

    def __init__(
        self, opt: Optimizer, average_decay: Any = 0.9999, num_updates: Any = None, sequential_update: bool = True
    ) -> None:
        super().__init__(opt, False, "MovingAverage")
        if not isinstance(average_decay, Symbolic) and not 0 <= scalar(self._name, "average_decay", average_decay) <= 1:
            raise ValueError(must(type(self).__name__, "average_decay", "be in [0, 1]", describe(average_decay)))
        self._average_decay, self._num_updates = average_decay, num_updates
        self._sequential_update = bool(sequential_update)
        self._ema = ExponentialMovingAverage(average_decay, num_updates)
        self._eager = EagerAverages(opt)
        self._swaps: dict[str, str] | None = None  # names of variables and of their averages, by one another

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Do what the wrapped optimizer does, then move the averages of the variables that have a gradient."""
        pairs = to_pairs("apply_gradients", grads_and_vars)
        variables = [variable for gradient, variable in pairs if gradient is not None]
        if not _is_symbolic(pairs):
            self._eager_step(pairs, variables, global_step, name)
            return None
        train = self._opt.apply_gradients(pairs, global_step, name)
        with get_default_graph().control_dependencies([train] if self._sequential_update else []):
            moved = self._ema.apply(variables)
        averages = [(variable, self._ema.average(variable)) for variable in variables]
        self._swaps = _both_ways(averages)
        return group(train, moved, name="train_with_avg")

    def _eager_step(self, pairs: Pairs, variables: list[Any], global_step: Any, name: str | None) -> None:
        for variable in variables:
            if not isinstance(variable, EagerVariable):
                raise TypeError(must("apply_gradients", "variable", "be a Variable to be averaged", describe(variable)))
        decay = scalar(self._name, "average_decay", self._average_decay)
        if self._num_updates is not None:
            updates = scalar(self._name, "num_updates", self._num_updates)
            decay = min(decay, (1 + updates) / (10 + updates))
        self._eager._decay = decay
        self._eager.apply_gradients(pairs, global_step, name)
        met: list[Any] = [variable for _, _, variable in self._eager._slot_table.parameters.known()]
        averages = [(variable, self.average(variable)) for variable in met]
        self._swaps = _both_ways(averages)

    def average(self, var: Any) -> Any:
        """Return the variable that is the average of another, None before its first step."""
        return self._ema.average(var) if isinstance(var, Symbolic) else self._eager.get_slot(var, "average")

    def _inner(self) -> tuple[Optimizer, ...]:
        return (self._eager,)

    def swapping_saver(self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any) -> Saver:
        """Return a ``tf.train.Saver`` that saves averages under the names of their variables, and the reverse.

        Args:
            var_list: variables, or a dict of them by name; by default all global ones.
            name, kwargs: arguments of ``tf.train.Saver``.

        Raises:
            RuntimeError: before ``minimize`` or ``apply_gradients``.
            ValueError: for a variable without its average among those to save, or the reverse.
        """
        if self._swaps is None:
            raise RuntimeError("Must call apply_gradients or minimize before creating the swapping_saver")
        if var_list is None:
            listed = get_collection if self._eager.get_slot_names() else get_default_graph().get_collection
            var_list = listed(GraphKeys.GLOBAL_VARIABLES)
        named = var_list if isinstance(var_list, dict) else variables_by_name(var_list, allow_empty=True)
        there: dict[str, Any] = {}
        for key, each in named.items():
            there |= {_name_of(part): part for part in each} if isinstance(each, list) else {key: each}
        swapped = {
            key: [self._swapped(there, _name_of(part), part) for part in each]
            if isinstance(each, list)
            else self._swapped(there, key, each)
            for key, each in named.items()
        }
        return Saver(swapped, name=name, **kwargs)

    def _swapped(self, there: dict[str, Any], name: str, variable: Any) -> Any:
        other = (self._swaps or {}).get(name)
        if other is None:
            return variable
        if other not in there:
            raise ValueError(
                f"Variable to swap {other} is not part of variables to save. This breaks MovingAverageOptimizer."
            )
        return there[other]


def _both_ways(averages: list[tuple[Any, Any]]) -> dict[str, str]:
    names = [(_name_of(variable), _name_of(average)) for variable, average in averages]
    return dict(names) | {average: name for name, average in names}


def _name_of(variable: Any) -> str:
    name: str = variable._name if isinstance(variable, EagerVariable) else variable.op.name
    return name


class VariableClippingOptimizer(Wrapper):
    """An optimizer after whose steps variables are scaled down to a norm, along some of their axes.

    After a sparse gradient only the batch's rows are, unless axis 0 is among the axes.

    Args:
        opt: the optimizer that takes the steps.
        vars_to_clip_dims: a dict from variables to lists of axes over which the norm is taken.
        max_norm: at least 0: the largest norm.
        use_locking, colocate_clip_ops_with_vars: ignored; TensorFlow 1 has them.
        name: of the operations.

    Raises:
        TypeError: for what is not an optimizer, or not such a dict.
        ValueError: for a ``max_norm`` that is negative or not finite, or an axis that a variable does not have.

    Source: ``tf.contrib.opt.VariableClippingOptimizer``.
    """

    def __init__(
        self,
        opt: Optimizer,
        vars_to_clip_dims: dict[Any, Sequence[int]],
        max_norm: float,
        use_locking: bool = False,
        colocate_clip_ops_with_vars: bool = False,
        name: str = "VariableClipping",
    ) -> None:
        del colocate_clip_ops_with_vars
        super().__init__(opt, use_locking, name)
        self._max_norm = check_limit(type(self).__name__, "max_norm", max_norm)
        if not isinstance(vars_to_clip_dims, dict):
            rule = "be a dict from variables to lists of axes"
            raise TypeError(must(type(self).__name__, "vars_to_clip_dims", rule, describe(vars_to_clip_dims)))
        self._axes = {variable: _checked_axes(variable, axes) for variable, axes in vars_to_clip_dims.items()}

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Do what the wrapped optimizer does, then scale the variables down."""
        pairs = to_pairs("apply_gradients", grads_and_vars)
        clipped = [(g, v) for g, v in pairs if g is not None and not isinstance(v, np.ndarray) and v in self._axes]
        if not _is_symbolic(pairs):
            self._opt.apply_gradients(pairs, global_step)
            for gradient, variable in clipped:
                self._clip(gradient, variable)
            return None
        graph = get_default_graph()
        with graph.name_scope(name or self._name) as scope:
            update = self._opt.apply_gradients(pairs, global_step)
            with graph.control_dependencies([update]):
                clips = [self._clip_node(gradient, variable) for gradient, variable in clipped]
            return group(update, *clips, name=scope)

    def _clip(self, gradient: Any, variable: Any) -> None:
        axes = self._axes[variable]
        rows: Any = ...
        if isinstance(gradient, IndexedSlices) and 0 not in axes:
            rows = np.unique(array_of(gradient.indices))
        array = variable.numpy()
        array[rows] = clip_array(array[rows], self._max_norm, axes)
        variable.assign(array)

    def _clip_node(self, gradient: Any, variable: Any) -> Any:
        axes = self._axes[variable]
        if isinstance(gradient, IndexedSlices) and 0 not in axes:
            rows = gather(variable.read_value(), gradient.indices)
            return scatter_update(variable, gradient.indices, clip_by_norm(rows, self._max_norm, axes))
        return assign(variable, clip_by_norm(variable.read_value(), self._max_norm, axes))


def _checked_axes(variable: Any, axes: Sequence[int]) -> list[int]:
    rank = len(variable.shape)
    if isinstance(axes, (str, int)) or not all(
        isinstance(axis, (int, np.integer)) and -rank <= axis < rank for axis in axes
    ):
        rule = f"be lists of axes below {rank} for {variable.name!r}"
        raise ValueError(must("VariableClippingOptimizer", "vars_to_clip_dims", rule, describe(axes)))
    return [int(axis) % rank for axis in axes]
