"""``tf.contrib.linalg``: linear operators, under their names before TensorFlow 1.4 too."""

from ..graph.missing import namespace
from ..linalg import LinearOperatorLowerTriangular

__all__ = ["LinearOperatorLowerTriangular", "LinearOperatorTriL"]

__getattr__, __dir__ = namespace(__name__)

LinearOperatorTriL = LinearOperatorLowerTriangular
