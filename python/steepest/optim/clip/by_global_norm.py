"""The norm of all gradients together, and clipping by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from ...base.errors import must
from ...base.typing import Array, Gradient, Hyper
from ...ops.indexed_slices import IndexedSlices
from ...ops.tensor import Tensor
from ...variables.variable import Variable
from ..hyperparameters import scalar
from .scale import common_norm, scaled

__all__ = ["clip_by_global_norm", "global_norm"]


@overload
def global_norm(t_list: Sequence[Array | IndexedSlices | None], name: str | None = None) -> np.float64: ...
@overload
def global_norm(t_list: Sequence[Gradient | Variable | None], name: str | None = None) -> np.float64 | Tensor: ...
def global_norm(t_list: Any, name: str | None = None) -> Any:
    """Return the Euclidean norm of everything in the list: ``sqrt(sum over t of sum(t * t))``, a float64 scalar.

    Args:
        t_list: a list or tuple of gradients of any shapes and dtypes: arrays, `IndexedSlices` (duplicates are summed
            first) and None, which is passed over.
        name: ignored; TensorFlow 1 has it.

    Returns:
        A float64 scalar, in the gradients' units; 0 for an empty list. A recorded tensor where a tape records one of
        the gradients.

    Raises:
        TypeError: for what is not a list or a tuple, or a gradient that is not numeric.
        IndexError: for `IndexedSlices` with a row outside their dense shape.

    Example:
        >>> float(st.global_norm([np.array([3.0, 0.0]), None, np.array(4.0)]))
        5.0

    Source: ``tf.global_norm``. Unlike there, the dtypes in the list may differ, and the norm is accumulated and
    returned in float64.
    """
    del name
    who = "global_norm"
    return common_norm(who, [t for t in _checked_list(who, t_list) if t is not None])


@overload
def clip_by_global_norm(
    t_list: Sequence[Array], clip_norm: Hyper, use_norm: Hyper | None = None, name: str | None = None
) -> tuple[list[Array], np.float64]: ...
@overload
def clip_by_global_norm(
    t_list: Sequence[Array | None], clip_norm: Hyper, use_norm: Hyper | None = None, name: str | None = None
) -> tuple[list[Array | None], np.float64]: ...
@overload
def clip_by_global_norm(
    t_list: Sequence[Gradient | Variable | None],
    clip_norm: Hyper,
    use_norm: Hyper | None = None,
    name: str | None = None,
) -> tuple[list[Gradient | None], np.float64 | Tensor]: ...
def clip_by_global_norm(t_list: Any, clip_norm: Hyper, use_norm: Hyper | None = None, name: str | None = None) -> Any:
    """Scale all gradients together by ``clip_norm / max(global_norm, clip_norm)``.

    Args:
        t_list: a list or tuple of gradients of any shapes and dtypes: arrays, `IndexedSlices` and None.
        clip_norm: the largest common norm, in the gradients' units; at least 0.
        use_norm: the norm to use instead of ``global_norm(t_list)``.
        name: ignored; TensorFlow 1 has it.

    Returns:
        ``(list, norm)``: the list in the order of t_list, None where None was; the norm before clipping, a float64
        scalar. Where the norm is not finite, every gradient is NaN.

    Raises:
        TypeError: for what is not a list or a tuple, or a clip_norm of None.
        ValueError: for a negative clip_norm.
        IndexError: for `IndexedSlices` with a row outside their dense shape.

    Example:
        >>> clipped, norm = st.clip_by_global_norm([np.array([6.0, 0.0]), None, np.array([8.0])], 5.0)
        >>> [None if g is None else g.tolist() for g in clipped], float(norm)
        ([[3.0, 0.0], None, [4.0]], 10.0)

    Source: ``tf.clip_by_global_norm`` (Pascanu, Mikolov, Bengio, 2013).
    """
    del name
    who = "clip_by_global_norm"
    gradients = _checked_list(who, t_list)
    limit = scalar(who, "clip_norm", clip_norm)
    if not limit >= 0:
        raise ValueError(must(who, "clip_norm", "be at least 0", f"{limit!r}"))
    norm = global_norm(gradients) if use_norm is None else np.float64(scalar(who, "use_norm", use_norm))
    factor = 1.0 if norm <= limit else limit / norm if np.isfinite(norm) else np.nan
    return [None if t is None else scaled(who, t, factor) for t in gradients], norm


def _checked_list(who: str, t_list: Any) -> list[Any]:
    if not isinstance(t_list, (list, tuple)):
        raise TypeError(must(who, "t_list", "be a list or tuple: `t_list` should be a sequence of tensors", t_list))
    return list(t_list)
