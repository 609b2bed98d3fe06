"""``tf.contrib.solvers``: linear equations, least squares and bidiagonal forms of operators that are only applied."""

from ...graph.missing import namespace
from . import lanczos, least_squares, linear_equations, util

__all__ = ["lanczos", "least_squares", "linear_equations", "util"]

__getattr__, __dir__ = namespace(__name__)
