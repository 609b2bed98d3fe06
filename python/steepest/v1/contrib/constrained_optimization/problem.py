"""What is minimized under constraints: an objective, and what is to be at most 0."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from math import prod
from typing import Any

from ...graph.constants import constant
from ...variables.variables import Variable

__all__ = ["ConstantMinimizationProblem", "ConstrainedMinimizationProblem"]


class ConstrainedMinimizationProblem(metaclass=ABCMeta):
    """Base class: a subclass has the ``objective`` and the ``constraints``, tensors of one dtype.

    Source: ``tf.contrib.constrained_optimization.ConstrainedMinimizationProblem``.
    """

    @property
    @abstractmethod
    def objective(self) -> Any:
        """The scalar that is minimized."""

    @property
    @abstractmethod
    def constraints(self) -> Any:
        """What is to be at most 0, element by element; it need not have gradients where there are proxies."""

    @property
    def proxy_constraints(self) -> Any:
        """What stands for the constraints where gradients are taken, of their shape; None for themselves."""
        return None

    @property
    def pre_train_ops(self) -> Any:
        """Operations that run before each step, or None."""
        return None

    @property
    def num_constraints(self) -> int:
        """How many constraints there are. Raises ValueError for shapes that are not known, or differ."""
        shape = self.constraints.get_shape()
        proxies = shape if self.proxy_constraints is None else self.proxy_constraints.get_shape()
        if not (shape.is_fully_defined() and proxies.is_fully_defined()):
            raise ValueError("constraints and proxy_constraints must have fully-known shapes")
        if shape != proxies:
            raise ValueError("constraints and proxy_constraints must have the same shape")
        return int(prod(shape.as_list()))


class ConstantMinimizationProblem(ConstrainedMinimizationProblem):
    """Constraints that are constant, and an objective that is a variable of the value 0, for tests of optimizers."""

    def __init__(self, constraints: Any) -> None:
        self._objective = Variable(0.0, dtype="float32")
        self._constraints = constant(constraints, dtype="float32")

    @property
    def objective(self) -> Any:
        """The variable."""
        return self._objective

    @property
    def constraints(self) -> Any:
        """The constants."""
        return self._constraints
