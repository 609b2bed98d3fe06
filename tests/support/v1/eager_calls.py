"""Makes every call of the conformance cases in eager mode, and prints as JSON what came out: for a process of its own.

The recorded answers are those of graph mode: TensorFlow's kernels are the same in both.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from op_cases import Case, Raw, Var, leaves
from op_observe import Observation, array_of, weights
from op_tables import CASES

__all__ = ["eager_cases"]


def eager_cases() -> dict[str, Case]:
    """Return the cases that are a call of one function; the others are about graphs."""
    return {name: case for name, case in CASES.items() if case.path}


def placed(tf: Any, arg: Any, wanted: list[Any]) -> Any:
    """Return an argument as a tensor or a variable; what is floating enters ``wanted``."""
    if isinstance(arg, list | tuple):
        return type(arg)(placed(tf, part, wanted) for part in arg)
    if isinstance(arg, str) and arg.startswith("tf."):
        return getattr(tf, arg[3:])
    if isinstance(arg, Raw):
        return arg.value
    if not isinstance(arg, Var | np.ndarray):
        return arg
    value = tf.Variable(arg.value) if isinstance(arg, Var) else tf.constant(arg)
    if (arg.value if isinstance(arg, Var) else arg).dtype.kind == "f":
        wanted.append(value)
    return value


def outcome(tf: Any, case: Case) -> dict[str, Any]:
    """Return outputs, their kinds, and the gradients of their weighted sum."""
    wanted: list[Any] = []
    args = [placed(tf, arg, wanted) for arg in case.args]
    kwargs = {key: placed(tf, value, wanted) for key, value in case.kwargs.items()}
    with tf.GradientTape() as tape:
        tape.watch(wanted)
        outputs = leaves(case.build(tf, *args, **kwargs))
        seen: dict[str, Any] = {"outputs": [array_of(output.numpy()) for output in outputs]}
        seen["tensors"] = all(tf.is_tensor(output) for output in outputs)
        terms = [tf.cast(tf.reduce_sum(weighted(output)), tf.float64) for output in outputs if output.dtype.is_floating]
        total = tf.add_n(terms) if terms and wanted and case.grad else None
    if total is not None:
        seen["gradients"] = [gradient_of(gradient) for gradient in tape.gradient(total, wanted)]
    return seen


def weighted(output: Any) -> Any:
    value = output.numpy()
    return output * weights(value.shape).astype(value.dtype)


def gradient_of(gradient: Any) -> Observation | None:
    if gradient is None:
        return None
    if hasattr(gradient, "indices"):
        return {"indices": array_of(gradient.indices), **array_of(np.asarray(gradient.values))}
    return array_of(gradient.numpy())


def main(tf: Any) -> None:
    tf.enable_eager_execution()
    found: dict[str, Any] = {}
    for name, case in eager_cases().items():
        try:
            found[name] = outcome(tf, case)
        except Exception as error:
            found[name] = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(found))


if __name__ == "__main__":
    import steepest.v1

    main(steepest.v1)
