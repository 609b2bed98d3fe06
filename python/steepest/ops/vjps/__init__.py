"""The list of all files of derivative rules; whoever can record a value imports this."""

from . import (
    calculus,
    choosing,
    cumulative,
    decompositions,
    einsum,
    elementwise,
    indexing,
    linalg,
    masked,
    norms,
    padding,
    products,
    reductions,
    shapes,
    special,
    statistics,
)

__all__ = [
    "calculus",
    "choosing",
    "cumulative",
    "decompositions",
    "einsum",
    "elementwise",
    "indexing",
    "linalg",
    "masked",
    "norms",
    "padding",
    "products",
    "reductions",
    "shapes",
    "special",
    "statistics",
]
