"""Run a case under an API and write down what came out, as plain Python that JSON can hold."""

from __future__ import annotations

from typing import Any

import numpy as np
from op_cases import Case, Raw, Var, leaves

Observation = dict[str, Any]

# Arrays are constants, or placeholders: the first of unknown first dimension, all of unknown first dimension, or all of
# unknown rank.
MODES = ("constant", "first", "batch", "unknown")
FED = MODES[1:]


def weights(shape: tuple[int, ...]) -> np.ndarray:
    """Return the fixed array by which an output is weighted before it is differentiated."""
    return np.cos(1.0 + np.arange(np.prod(shape, dtype=int))).reshape(shape)


def array_of(value: Any) -> Observation:
    array = np.asarray(value)
    flat = [v.decode() if isinstance(v, bytes) else v for v in array.ravel().tolist()]
    if array.dtype.kind == "c":
        flat = [[v.real, v.imag] for v in flat]
    elif array.dtype == np.float32:
        flat = [float(str(v)) for v in array.ravel()]  # the shortest digits that give this float32 back
    name = "string" if array.dtype.kind in "OSU" else array.dtype.name
    return {"dtype": name, "shape": list(array.shape), "values": flat}


def static_of(node: Any) -> list[int | None] | None:
    shape = node.get_shape()
    return None if shape.ndims is None else shape.as_list()


class Placed:
    """The arguments of a case as nodes: constants, variables, or placeholders that know less of their shape."""

    def __init__(self, tf: Any, case: Case, mode: str) -> None:
        self.feeds: dict[Any, Any] = {}
        self.wanted: list[Any] = []
        self._tf, self._mode = tf, mode
        self.args = [self._place(arg) for arg in case.args]
        self.kwargs = {key: self._place(value) for key, value in case.kwargs.items()}

    def outputs(self, case: Case) -> list[Any]:
        return leaves(case.build(self._tf, *self.args, **self.kwargs))

    def _place(self, arg: Any) -> Any:
        if isinstance(arg, list | tuple):
            return type(arg)(self._place(part) for part in arg)
        if isinstance(arg, str) and arg.startswith("tf."):
            return getattr(self._tf, arg[3:])
        if isinstance(arg, Raw):
            return arg.value
        if isinstance(arg, Var):
            node = self._tf.Variable(arg.value)
            kind = arg.value.dtype.kind
        elif isinstance(arg, np.ndarray):
            node = self._node(arg)
            kind = arg.dtype.kind
        else:
            return arg
        if kind in "fc":
            self.wanted.append(node)
        return node

    def _node(self, array: np.ndarray) -> Any:
        if self._mode == "constant" or (self._mode == "first" and self.feeds):
            return self._tf.constant(array)
        known = None if self._mode == "unknown" else [None, *array.shape[1:]] if array.ndim else []
        node = self._tf.placeholder(array.dtype, known)
        self.feeds[node] = array
        return node


def gradient_of(session: Any, gradient: Any) -> Observation | None:
    if gradient is None:
        return None
    if hasattr(gradient, "indices"):
        values, indices = session.run([gradient.values, gradient.indices])
        return {"indices": array_of(indices), **array_of(values)}
    return array_of(session.run(gradient))


def static_shapes(tf: Any, case: Case, mode: str) -> Any:
    """Return the static shapes of the outputs in a graph of their own, or the name of what building raises."""
    with tf.Graph().as_default():
        placed = Placed(tf, case, mode)
        try:
            return [static_of(output) for output in placed.outputs(case)]
        except Exception as error:
            return type(error).__name__


def fed_values(tf: Any, case: Case, mode: str) -> list[Observation]:
    """Return the outputs' values when the arrays come through placeholders."""
    with tf.Graph().as_default(), tf.Session() as session:
        placed = Placed(tf, case, mode)
        outputs = placed.outputs(case)
        session.run(tf.global_variables_initializer())
        return [array_of(value) for value in session.run(outputs, placed.feeds)]


def outcome(tf: Any, case: Case) -> Observation:
    """Return the outputs of the case in a graph of its own, and what it leaves in losses and variables."""
    with tf.Graph().as_default(), tf.Session() as session:
        outputs = Placed(tf, case, "constant").outputs(case)
        losses, variables = tf.get_collection(tf.GraphKeys.LOSSES), tf.global_variables()
        session.run(tf.global_variables_initializer())
        values = [array_of(value) for value in session.run(outputs)]
        if not case.values:
            values = [{**value, "values": None} for value in values]
        seen: Observation = {"outputs": values, "dtypes": [output.dtype.base_dtype.name for output in outputs]}
        if losses:
            seen["losses"] = [array_of(value) for value in session.run(losses)]
        if any(isinstance(arg, Var) for arg in case.args) and not case.grad:
            seen["variables"] = [array_of(value) for value in session.run(variables)]
        return seen


def parts(tf: Any, output: Any, value: np.ndarray) -> list[tuple[Any, np.ndarray]]:
    """Return what is differentiated of an output: nothing of integers, of complex numbers both parts."""
    if value.dtype.kind == "c":
        return [(tf.real(output), value.real), (2.0 * tf.imag(output), value.imag)]
    return [(output, value)] if value.dtype.kind == "f" else []


def gradients(tf: Any, case: Case) -> list[Observation | None]:
    """Return the gradients of the weighted sum of the floating outputs, for each floating argument."""
    with tf.Graph().as_default(), tf.Session() as session:
        placed = Placed(tf, case, "constant")
        outputs = placed.outputs(case)
        session.run(tf.global_variables_initializer())
        pairs = zip(outputs, map(np.asarray, session.run(outputs)), strict=True)
        floating = [part for output, value in pairs for part in parts(tf, output, value)]
        if not floating or not placed.wanted:
            return []
        weighted = [output * weights(value.shape).astype(value.dtype) for output, value in floating]
        total = tf.add_n([tf.cast(tf.reduce_sum(term), tf.float64) for term in weighted])
        return [gradient_of(session, gradient) for gradient in tf.gradients(total, placed.wanted)]
