"""Which call of ``tf.gradients`` made a gradient: told by the name scope of its operations."""

from __future__ import annotations

from typing import Any

__all__: list[str] = []


def _GetGradSource(op_or_tensor: Any) -> str:
    """Return the innermost scope of gradients in which an operation or a tensor is; ValueError where there is none."""
    parts = op_or_tensor.name.split("/")
    places = [at for at, part in enumerate(parts) if part.startswith("gradients")]
    if not places:
        raise ValueError(
            f"Expected op/tensor name to start with gradients (excluding scope), got: {op_or_tensor.name}. This means "
            "that a tf.gradients op with this op in its dependency path has a custom name that does not start with "
            "'gradients'. Please make sure all calls to tf.gradients that have non-empty 'name' arguments use names "
            "that start with 'gradients'."
        )
    return "/".join(parts[: places[-1] + 1])
