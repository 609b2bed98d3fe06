"""The base class of all optimizers: compute, process, apply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..autodiff.tape import GradientTape
from ..base.dtypes import code_of
from ..base.errors import must
from ..ops.symbolic import Symbolic
from ..variables.variable import Variable
from .fallback import PythonUpdates
from .hooks import Hook, run_hooks
from .hyperparameters import scalar
from .parameters import Parameter
from .slots import SlotKeeper
from .updates import Update, check_bounds, flatten_variables, to_pairs, to_update

__all__ = ["Optimizer"]

Pairs = list[tuple[Any, Any]]


class Optimizer(PythonUpdates, SlotKeeper):
    """Base class of the optimizers; also the place to start a new update rule in Python.

    ``minimize`` = ``compute_gradients`` + ``apply_gradients``; process the gradients between the two, or give
    ``hooks``: callables on the list of (gradient, variable) pairs that run in order at each ``apply_gradients``.

    A subclass defines ``_apply_dense(grad, var)`` and, where it keeps state, ``_create_slots(var_list)`` with
    ``_zeros_slot``. Sparse gradients then work too: the rows are gathered, updated and scattered back.

    Args:
        use_locking: accepted for TensorFlow's sake; updates never race.
        name: a non-empty string, part of the slots' names.
        hooks: callables on the list of pairs; see `steepest.hooks`.

    Raises:
        ValueError: for an empty name. TypeError: for a hook that is not callable.

    Source: ``tf.train.Optimizer`` of TensorFlow 1.
    """

    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    def __init__(
        self,
        use_locking: bool = False,
        name: str = "",
        use_own_namescope_for_non_slot_vars: bool = False,
        *,
        hooks: Iterable[Callable[[Pairs], Pairs]] = (),
    ) -> None:
        del use_own_namescope_for_non_slot_vars
        if not name or not isinstance(name, str):
            raise ValueError(must(type(self).__name__, "name", "be a non-empty string", name))
        SlotKeeper.__init__(self)
        self._use_locking = use_locking
        self._name = name
        self._hooks: list[Callable[[Pairs], Pairs]] = list(hooks)
        for hook in self._hooks:
            if not callable(hook):
                raise TypeError(must(name, "hooks", "be callables on the list of pairs", hook))

    def get_name(self) -> str:
        """Return the name given to the constructor."""
        return self._name

    def __repr__(self) -> str:
        given = {"learning_rate": getattr(self, "_learning_rate", None)}
        shown = ", ".join(f"{key}={value!r}" for key, value in given.items() if value is not None)
        return f"{type(self).__name__}({shown})"

    # Compute -------------------------------------------------------------------------------------

    def minimize(
        self,
        loss: Callable[[], Any],
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        """Take one step: ``compute_gradients``, then ``apply_gradients``. Arguments as there.

        Raises:
            ValueError: when no variable has a gradient.
        """
        pairs = self.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops, grad_loss
        )
        if all(gradient is None for gradient, _ in pairs):
            names = [getattr(variable, "name", "?") for _, variable in pairs]
            rule = "depend on one of the variables"
            remedy = f"No gradients provided for any variable, check the path between {names} and the loss"
            raise ValueError(must("minimize", "loss", rule, "gradients that are all None", remedy))
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(
        self,
        loss: Callable[[], Any],
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> Pairs:
        """Return the list of ``(gradient, variable)`` pairs; change nothing.

        Args:
            loss: a function without arguments that returns the value to minimize; where that is not a scalar, its
                sum is differentiated.
            var_list: a Variable, or a list or tuple (nested as you like) of them. By default the trainable
                variables that ``loss`` reads, in the order of their creation.
            gate_gradients, aggregation_method, colocate_gradients_with_ops: accepted and, as in TensorFlow for a
                callable loss, ignored.
            grad_loss: the gradient that arrives at ``loss``; ones by default.

        Returns:
            A list in the order of ``var_list``; a gradient is an ndarray, IndexedSlices for a gather, or None for a
            variable that the loss does not depend on.

        Raises:
            RuntimeError: for a loss that is not callable. TypeError: for a loss that returns None, or an entry of
            ``var_list`` that is not a Variable. ValueError: when there are no variables.
        """
        if isinstance(loss, Symbolic):
            return loss._compute_gradients(
                self,
                var_list=var_list,
                gate_gradients=gate_gradients,
                aggregation_method=aggregation_method,
                grad_loss=grad_loss,
            )
        del gate_gradients, aggregation_method, colocate_gradients_with_ops
        if not callable(loss):
            raise RuntimeError(
                "compute_gradients: `loss` passed to Optimizer.compute_gradients should be a function when eager "
                f"execution is enabled; it must be callable, or a node of a graph, got {loss!r:.60}; write lambda: ..."
            )
        variables = None if var_list is None else flatten_variables(var_list)
        if variables and isinstance(variables[0], Symbolic):
            return self.compute_gradients(loss(), variables, grad_loss=grad_loss)
        with GradientTape(watch_accessed_variables=variables is None) as tape:
            if variables is not None:
                tape.watch(variables)
            value = loss()
        if isinstance(value, Symbolic):
            return value._compute_gradients(self, var_list=var_list, grad_loss=grad_loss, called=True)
        if value is None:
            name = getattr(loss, "__name__", "loss")
            raise TypeError(must("compute_gradients", "loss", "return a value", f"None from {name}"))
        if variables is None:
            variables = list(tape.watched_variables())
        if not variables:
            remedy = "No variables to optimize: does the loss read any trainable Variable?"
            raise ValueError(must("compute_gradients", "var_list", "name at least one variable", "none", remedy))
        gradients = tape.gradient(value, variables, output_gradients=grad_loss)
        return list(zip(gradients, variables, strict=True))

    # Apply ---------------------------------------------------------------------------------------

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Update every variable that has a gradient, in one step: all of them, or on any error none.

        Args:
            grads_and_vars: an iterable of ``(gradient, variable)`` pairs. A variable is a `Variable` or a writable
                float array; a gradient an array of its shape, `IndexedSlices`, or None, which is skipped. Arrays
                are converted under NumPy's ``same_kind`` rule and never broadcast. A variable that comes twice is
                updated twice, in order.
            global_step: a Variable that is incremented by one, after everything else.
            name: accepted for TensorFlow's sake.

        Raises:
            ValueError: for no pairs, no gradients, wrong shapes, read-only arrays, hyper-parameters out of range.
            TypeError: for things of the wrong kind. IndexError: for a row outside the variable.
        """
        who = "apply_gradients"
        pairs = to_pairs(who, grads_and_vars)
        for _, variable in pairs:
            if isinstance(variable, Symbolic):
                return variable._apply_gradients(self, pairs, global_step, name)
        step = _checked_step(who, global_step)
        updates = self._check(who, pairs)
        fused: list[Hook] = []
        if self._hooks:
            pairs, fused, changed = run_hooks(who, self._hooks, pairs, updates, self._fuses(updates))
            if changed:
                updates = self._check(who, pairs, may_skip=True)
        if not updates:
            return None  # a hook holds the step back (Accumulate)
        parameters = _distinct(updates)
        if type(self)._valid_dtypes is not Optimizer._valid_dtypes:  # the types of all were checked already
            self._assert_valid_dtypes(parameters)
        forget = self._remember_slots()
        try:
            _hold_arrays(updates, True)
            self._create_slots(parameters)
            self._prepare()
            applied = self._apply_updates(who, updates, fused)
        except BaseException:
            forget()
            raise
        finally:
            _hold_arrays(updates, False)
        if applied:
            for update in updates:
                if isinstance(update.parameter, Variable):
                    update.parameter._changed()
            self._finish([], "update")
            if step is not None:
                step.assign_add(np.ones((), step.dtype))
        return None

    def _check(self, who: str, pairs: Pairs, may_skip: bool = False) -> list[Update]:
        """Check every pair before anything is written."""
        updates = [
            to_update(who, position, gradient, variable, self._parameters)
            for position, (gradient, variable) in enumerate(pairs)
            if gradient is not None
        ]
        if not updates and not may_skip:
            rule = "hold at least one gradient that is not None"
            raise ValueError(must(who, "grads_and_vars", rule, pairs, "No gradients provided for any variable."))
        return updates

    def _fuses(self, updates: list[Update]) -> bool:
        """Whether declarative hooks go into the native update."""
        return False

    def _apply_updates(self, who: str, updates: list[Update], fused: list[Hook]) -> bool:
        """Change the variables; False when a hook held the step back. On an error nothing has changed."""
        for position, update in enumerate(updates):
            check_bounds(who, position, update)
        self._apply_in_python(updates, [hook.native(self)[1] for hook in fused])  # decoupled weight decays
        return True

    # For subclasses ------------------------------------------------------------------------------

    def _create_slots(self, var_list: Sequence[Parameter]) -> None:
        """Make the slots of the variables that are about to be updated."""

    def _prepare(self) -> None:
        """Evaluate hyper-parameters; called once at each ``apply_gradients``."""

    def _finish(self, update_ops: list[Any], name_scope: str) -> None:
        """Called once after all updates."""

    def _call_if_callable(self, param: Any) -> Any:
        """Return ``param()`` for a callable, else ``param``."""
        return param() if callable(param) else param

    def _valid_dtypes(self) -> set[Any]:
        """Return the types that variables may have; a subclass that needs fewer says so here."""
        return {np.float16, np.float32, np.float64, "bfloat16"}

    def _assert_valid_dtypes(self, parameters: list[Parameter]) -> None:
        names = {dtype if isinstance(dtype, str) else np.dtype(dtype).name for dtype in self._valid_dtypes()}
        for parameter in parameters:
            if parameter.dtype.name not in names:
                rule = f"have one of the types {', '.join(sorted(names))}"
                raise ValueError(must(self._name, f"variable {parameter.name!r}", rule, f"{parameter.dtype}"))

    def _rate(self) -> float:
        """Return the learning rate of this step as a float, for hooks that need it."""
        if not hasattr(self, "_learning_rate"):
            rule = "have a _learning_rate for decoupled weight decay"
            raise TypeError(must(self._name, "optimizer", rule, type(self).__name__))
        return scalar(self._name, "learning_rate", self._learning_rate)


def _distinct(updates: list[Update]) -> list[Parameter]:
    found = {id(update.parameter): update.parameter for update in updates}
    return list(found.values())


def _hold_arrays(updates: list[Update], hold: bool) -> None:
    for update in updates:
        if not isinstance(update.parameter, Variable):
            update.parameter._array = update.target if hold else None


def _checked_step(who: str, global_step: Any) -> Variable | None:
    if global_step is None:
        return None
    if not isinstance(global_step, Variable) or not (
        global_step.dtype.kind in "iu" or code_of(global_step.dtype) is not None
    ):
        raise TypeError(must(who, "global_step", "be a numeric Variable or None", global_step))
    return global_step
