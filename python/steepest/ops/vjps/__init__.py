"""The list of all files of derivative rules; whoever can record a value imports this."""

from . import einsum, elementwise, indexing, linalg, reductions, shapes

__all__ = ["einsum", "elementwise", "indexing", "linalg", "reductions", "shapes"]
