"""Random orthogonal matrices, made of normal draws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = ["orthogonal", "orthogonal_shape"]


def orthogonal_shape(sizes: Any) -> tuple[int, int]:
    """Return the shape of the normal draws that become an orthogonal matrix of a shape."""
    rows, columns = math.prod(sizes[:-1]), sizes[-1]
    return max(rows, columns), min(rows, columns)


def orthogonal(draws: Any, sizes: Any) -> Any:
    """Return an orthogonal matrix of a shape, made of normal draws."""
    q, r = np.linalg.qr(draws)
    q = q * np.sign(np.diagonal(r))
    return (q if math.prod(sizes[:-1]) >= sizes[-1] else q.T).reshape(sizes)
