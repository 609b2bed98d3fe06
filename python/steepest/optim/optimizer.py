"""The base class of all optimizers: compute, process, apply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.typing import ArrayLike, Hook, Pairs
from ..base.typing import Parameter as Target
from ..ops.symbolic import Symbolic
from ..ops.tensor import Tensor
from ..variables.variable import Variable
from . import apply_methods, attributes, slot_methods
from .apply import EitherPair, Step, apply_gradients
from .compute import Loss, VarList, compute_gradients, minimize
from .counters import Counters
from .fallback import PythonUpdater
from .hooks import checked_hooks
from .native import NativeUpdater
from .optimizer_copy import reduced
from .optimizer_state import load_state_dict, state_dict
from .overrides import APPLY_METHODS, CALLED_EITHER_WAY, foreign_methods
from .parameters import Parameter
from .slots import SlotTable
from .step_cache import LockedStepCache, StepCache
from .updates import check_dtypes

__all__ = ["Optimizer"]


class Optimizer:
    """Base class of the optimizers; also the place to start a new update rule in Python.

    ``minimize`` is ``compute_gradients``, then ``apply_gradients``; ``hooks`` process gradients between the two. A
    parameter w is a `Variable` or a writable array of shape S: float16, bfloat16, float32 or float64. Its gradient g is
    an array of shape S, or `IndexedSlices` of N ids into the first axis. Slots have w's dtype, float32 for float16 and
    bfloat16.

    A subclass defines ``_apply_dense(grad, var)`` and, where it keeps state, ``_create_slots(var_list)`` with
    ``_zeros_slot``. Sparse gradients then work too: duplicates are summed, the rows of the variable and of its slots
    are gathered, updated by ``_apply_dense``, and scattered back.

    A step is taken as a whole or not at all, also where Ctrl-C ends it. Of a rule in Python, variables, slots and own
    variables are put back; not what it keeps elsewhere, does in ``_finish`` after a native update, or leaves to a
    second Ctrl-C.

    Args:
        use_locking: one step at a time, whichever thread takes it; else threads may lose updates of one variable.
        name: a non-empty string, part of the slots' names.
        use_own_namescope_for_non_slot_vars: ignored; TensorFlow 1 has it.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for an empty name.
        TypeError: for a hook that is not callable.

    Example:
        >>> class SignDescent(st.Optimizer):
        ...     def __init__(self, learning_rate, name="SignDescent"):
        ...         super().__init__(name=name)
        ...         self._learning_rate = learning_rate
        ...     def _apply_dense(self, grad, var):
        ...         var.assign_sub(self._learning_rate * np.sign(grad))
        >>> w = np.zeros(2)
        >>> SignDescent(0.5).apply_gradients([(np.array([3.0, -7.0]), w)])
        >>> w.tolist()
        [-0.5, 0.5]

    Source: ``tf.train.Optimizer`` of TensorFlow 1.
    """

    GATE_NONE, GATE_OP, GATE_GRAPH = 0, 1, 2

    _rule: str | None = None  # the native rule of the library's own optimizers
    _counters = Counters()  # what the rule counts besides: nothing

    def __init__(
        self,
        use_locking: bool = False,
        name: str = "",
        use_own_namescope_for_non_slot_vars: bool = False,
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        del use_own_namescope_for_non_slot_vars
        self._use_locking = use_locking
        self._name = attributes.checked_name(type(self).__name__, name)
        self._hooks: list[Any] = checked_hooks(name, hooks)
        self._begin()

    def _begin(self) -> None:
        """Make what is kept between steps, with nothing in it yet."""
        replaced = foreign_methods(type(self))
        self._slot_table = SlotTable()
        self._native = self._native_updater(self._slot_table)
        in_python = self._native is None or not replaced.isdisjoint(APPLY_METHODS)
        self._updater: Any = PythonUpdater(self._slot_table) if in_python else self._native
        cache = LockedStepCache if self._use_locking else StepCache
        self._cache = cache(self._native, replaced <= CALLED_EITHER_WAY)
        if self._native is not None:
            self._native.check_constants(self)

    def get_name(self) -> str:
        """Return the name given to the constructor."""
        return self._name

    __repr__ = attributes.represent
    learning_rate = attributes.hyper_property("learning_rate")
    hooks = attributes.hooks
    if not TYPE_CHECKING:  # no __getattr__: it would slow down every read of an attribute
        __setattr__ = attributes.set_attribute

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        attributes.add_hyper_properties(cls)

    __reduce__ = reduced
    state_dict = state_dict
    load_state_dict = load_state_dict

    def minimize(
        self,
        loss: Loss,
        global_step: Step | None = None,
        var_list: VarList | None = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: ArrayLike | Tensor | Symbolic | None = None,
    ) -> Any:
        """Take one step: ``compute_gradients``, then ``apply_gradients``. Arguments as there.

        Args:
            loss: a function without arguments that returns the value to minimize; in graph mode its node.
            global_step: a Variable that is incremented by one, after everything else.
            var_list: the variables to train; by default the trainable ones that ``loss`` reads.
            gate_gradients, aggregation_method, colocate_gradients_with_ops: ignored; TensorFlow 1 has them.
            name: of the operation in graph mode; ignored otherwise.
            grad_loss: the gradient that arrives at ``loss``, of its shape; ones by default.

        Returns:
            The loss before the step, without gradient; in graph mode the operation that takes the step.

        Raises:
            ValueError: when no variable has a gradient.

        Example:
            >>> w = st.Variable(np.array([3.0, -1.0]))
            >>> loss = st.GradientDescentOptimizer(0.25).minimize(lambda: np.sum(w * w))  # the gradient is 2 w
            >>> float(loss), w.numpy().tolist()
            (10.0, [1.5, -0.5])
        """
        given = loss, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops, grad_loss
        return minimize(self, given, global_step, name)

    def compute_gradients(
        self,
        loss: Loss,
        var_list: VarList | None = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: ArrayLike | Tensor | Symbolic | None = None,
    ) -> Pairs:
        """Return the list of ``(gradient, variable)`` pairs; change nothing.

        Args:
            loss: a function without arguments that returns the value to minimize; where that is not a scalar, its
                sum is differentiated. In graph mode a node.
            var_list: a Variable, or a nested list of them. By default the trainable variables that ``loss`` reads.
            gate_gradients, aggregation_method, colocate_gradients_with_ops: ignored; TensorFlow 1 has them.
            grad_loss: the gradient that arrives at ``loss``, of its shape; ones by default.

        Returns:
            A list in the order of ``var_list``, by default that of creation; a gradient is an array of the variable's
            shape and dtype, IndexedSlices for a gather, or None for a variable that the loss does not depend on.

        Raises:
            RuntimeError: for a loss that is not callable.
            TypeError: for a loss that returns None.
            TypeError: for an entry of ``var_list`` that is not a Variable.
            ValueError: when there are no variables.
        """
        del colocate_gradients_with_ops
        return compute_gradients(self, loss, var_list, gate_gradients, aggregation_method, grad_loss)

    def apply_gradients(
        self, grads_and_vars: Iterable[EitherPair], global_step: Step | None = None, name: str | None = None
    ) -> Any:
        """Update every variable that has a gradient, in one step: all of them, or on any error none.

        Args:
            grads_and_vars: an iterable of ``(gradient, variable)`` pairs. A variable is a `Variable` or a writable
                float array of shape S; a gradient an array of shape S, `IndexedSlices`, or None, which is skipped.
                Gradients are converted under NumPy's ``same_kind`` rule and never broadcast. A variable that comes
                twice is updated twice, in order.
            global_step: a Variable that is incremented by one, after everything else.
            name: of the operation in graph mode; ignored otherwise.

        Returns:
            None; in graph mode the operation that applies the gradients.

        Raises:
            ValueError: for no pairs, no gradients, wrong shapes, read-only arrays, hyper-parameters out of range.
            TypeError: for a variable, gradient or step of another type.
            IndexError: for a row outside the variable.
        """
        iterable = type(grads_and_vars)  # a zip can be read only once, by whichever way the step goes
        pairs: Any = list(grads_and_vars) if iterable is list or iterable is zip else grads_and_vars
        try:
            repeated = self._cache.step(self, pairs, global_step)
        except AttributeError:
            attributes.check_made(self)
            raise
        return None if repeated else apply_gradients(self, pairs, global_step, name)

    def get_slot(self, var: Target | Symbolic, name: str) -> Variable | None:
        """Return the slot ``name`` of a variable or array, or None when there is none; never raises.

        Args:
            var, name: the parameter, or a view of the same memory; one of ``get_slot_names()``.
        """
        return self._slot_table.find(var, name)

    def get_slot_names(self) -> list[str]:
        """Return the names of the slots made so far, sorted."""
        return self._slot_table.names()

    def variables(self) -> list[Variable]:
        """Return every variable that holds the optimizer's state, sorted by name; of graphs only the default one's."""
        return self._slot_table.variables()

    _slots = slot_methods.slots
    _slot_dict = slot_methods.slot_dict
    _get_or_make_slot = slot_methods.get_or_make_slot
    _get_or_make_slot_with_initializer = slot_methods.get_or_make_slot_with_initializer
    _zeros_slot = slot_methods.zeros_slot
    _create_non_slot_variable = slot_methods.create_non_slot_variable
    _get_non_slot_variable = slot_methods.get_non_slot_variable

    def _check_whole(self) -> None:
        """Raise TypeError where other processes have parts of this optimizer's state."""
        self._slot_table.check_whole(type(self).__name__)

    def _inner(self) -> tuple[Optimizer, ...]:
        """Return the optimizers that this one is around."""
        return ()

    def _enter_step(self, global_step: Any) -> None:
        """Do what this class's ``apply_gradients`` does first; called where a `MultiOptimizer` takes the step."""

    # For subclasses ------------------------------------------------------------------------------

    def _hyper(self) -> dict[str, Any]:
        """Return the native rule's hyper-parameters, in its order, as the user gave them."""
        return {} if self._rule is None else attributes.given_hyper(self)

    def _native_updater(self, slots: SlotTable) -> NativeUpdater | None:
        """Return what updates parameters by the native rule, None for a rule written in Python."""
        return None if self._rule is None else NativeUpdater(self._rule, slots)

    def _suffix_of(self, slot_name: str) -> str:
        """Return what follows the variable's name in the name of a slot that the native rule declares."""
        return self._name

    def _create_slots(self, var_list: Sequence[Parameter]) -> None:
        """Make the slots of the variables that are about to be updated."""
        if self._native is not None:
            self._counters.make(self, var_list)
            self._native.create_slots(self, var_list)

    def _prepare(self) -> None:
        """Evaluate hyper-parameters; called once at each ``apply_gradients``. A native rule then reads them again."""
        if self._native is not None:
            self._native.was_read = False

    _finish = apply_methods.finish
    _apply_by_kind = apply_methods.apply_by_kind
    _apply_dense = apply_methods.apply_dense
    _resource_apply_dense = apply_methods.resource_apply_dense
    _apply_sparse = apply_methods.apply_sparse
    _resource_apply_sparse = apply_methods.resource_apply_sparse
    _apply_sparse_duplicate_indices = apply_methods.apply_sparse_duplicate_indices
    _resource_apply_sparse_duplicate_indices = apply_methods.resource_apply_sparse_duplicate_indices

    def _call_if_callable(self, param: Any) -> Any:
        """Return ``param()`` for a callable, else ``param``."""
        return param() if callable(param) else param

    def _valid_dtypes(self) -> set[Any]:
        """Return the types that variables may have; a subclass that needs fewer says so here."""
        return {np.float16, np.float32, np.float64, "bfloat16"}

    def _assert_valid_dtypes(self, parameters: Sequence[Parameter]) -> None:
        check_dtypes(self._name, self._valid_dtypes(), parameters)
