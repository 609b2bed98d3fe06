"""What ``Optimizer.compute_gradients`` does: a tape around the loss."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..autodiff.tape import GradientTape
from ..base.errors import must
from ..base.typing import ArrayLike, Pairs
from ..ops.dispatch import unwrap
from ..ops.symbolic import Symbolic
from ..ops.tensor import Tensor
from ..variables.variable import Variable

if TYPE_CHECKING:
    from .optimizer import Optimizer

__all__ = ["Loss", "VarList", "compute_gradients", "minimize"]

Loss: TypeAlias = "Symbolic | Callable[[], ArrayLike | Tensor | Variable | Symbolic]"
"""What is minimized: a function without arguments, or a node of a graph."""

VarList: TypeAlias = Variable | Symbolic | Iterable["VarList"]
"""A variable, or a nest of lists of them."""

_WHO = "compute_gradients"


def minimize(optimizer: Optimizer, given: tuple[Any, ...], global_step: Any, name: str | None) -> Any:
    """Do what ``Optimizer.minimize`` documents; ``given`` are the arguments of ``compute_gradients``."""
    loss, *others = given
    values: list[Any] = []

    def observed() -> Any:
        value = loss()
        values.append(value)
        return value

    eager = callable(loss) and not isinstance(loss, Symbolic)
    pairs = optimizer.compute_gradients(functools.update_wrapper(observed, loss) if eager else loss, *others)
    check_connected(pairs)
    # A copy: the loss may be a variable itself, which the step is about to change.
    found = [np.array(unwrap(value))[()] for value in values[-1:] if not isinstance(value, Symbolic)]
    operation = optimizer.apply_gradients(pairs, global_step, name)
    return found[0] if found and operation is None else operation


def compute_gradients(
    optimizer: Optimizer,
    loss: Loss,
    var_list: VarList | None,
    gate_gradients: int,
    aggregation_method: int | None,
    grad_loss: Any,
) -> Pairs:
    """Do what ``Optimizer.compute_gradients`` documents; a symbolic loss goes to graph mode."""
    if isinstance(loss, Symbolic):
        return loss._compute_gradients(
            optimizer,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            grad_loss=grad_loss,
        )
    if not callable(loss):
        raise RuntimeError(must(_WHO, "`loss`", "be a function without arguments", loss, "write minimize(lambda: ...)"))
    variables = None if var_list is None else _flatten_variables(var_list)
    if variables and isinstance(variables[0], Symbolic):
        node: Any = loss()
        return optimizer.compute_gradients(node, variables, grad_loss=grad_loss)
    with GradientTape(watch_accessed_variables=variables is None) as tape:
        if variables is not None:
            tape.watch(variables)
        value: Any = loss()
    if isinstance(value, Symbolic):
        return value._compute_gradients(optimizer, var_list=var_list, grad_loss=grad_loss, called=True)
    if value is None:
        name = getattr(loss, "__name__", "loss")
        raise TypeError(must(_WHO, "loss", "return a value", f"None from {name}"))
    if variables is None:
        variables = list(tape.watched_variables())
    if not variables:
        remedy = "No variables to optimize: does the loss read any trainable Variable?"
        raise ValueError(must(_WHO, "var_list", "name at least one variable", "none", remedy))
    gradients = tape.gradient(value, variables, output_gradients=grad_loss)
    return list(zip(gradients, variables, strict=True))


def check_connected(pairs: Pairs) -> None:
    """Raise ValueError where no variable has a gradient."""
    if all(gradient is None for gradient, _ in pairs):
        names = [getattr(variable, "name", "?") for _, variable in pairs]
        rule = "depend on one of the variables"
        remedy = f"No gradients provided for any variable, check the path between {names} and the loss"
        raise ValueError(must("minimize", "loss", rule, "gradients that are all None", remedy))


def _flatten_variables(var_list: Any) -> list[Any]:
    """List the variables, eager or symbolic, in a nest of lists; TypeError for what is not one."""
    if isinstance(var_list, (Variable, Tensor, Symbolic)):
        return [var_list]
    if isinstance(var_list, np.ndarray):
        remedy = "wrap it in steepest.Variable, or give its gradient to apply_gradients yourself"
        raise TypeError(must(_WHO, "var_list", "hold Variables", var_list, remedy))
    if not isinstance(var_list, Iterable) or isinstance(var_list, (str, bytes)):
        raise TypeError(must(_WHO, "var_list", "be a Variable or a list of them", var_list))
    return [variable for entry in var_list for variable in _flatten_variables(entry)]
