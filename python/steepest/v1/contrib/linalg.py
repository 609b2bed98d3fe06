"""``tf.contrib.linalg``: linear operators, under their names before TensorFlow 1.4 too."""

from ..graph.missing import namespace
from ..linalg import (
    LinearOperator,
    LinearOperatorDiag,
    LinearOperatorFullMatrix,
    LinearOperatorIdentity,
    LinearOperatorLowerTriangular,
    LinearOperatorScaledIdentity,
)

__all__ = [
    "LinearOperator",
    "LinearOperatorDiag",
    "LinearOperatorFullMatrix",
    "LinearOperatorIdentity",
    "LinearOperatorLowerTriangular",
    "LinearOperatorScaledIdentity",
    "LinearOperatorTriL",
]

__getattr__, __dir__ = namespace(__name__)

LinearOperatorTriL = LinearOperatorLowerTriangular
