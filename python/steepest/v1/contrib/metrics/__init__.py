"""``tf.contrib.metrics``: the metrics of ``tf.metrics`` as ``streaming_*``, predictions before labels, and more."""

from ...graph.missing import namespace
from ...ops.counting_ops import confusion_matrix
from ...ops.set_ops import set_difference, set_intersection, set_size, set_union
from . import curves, histogram, moments, rates, streaming, values
from .curves import *
from .histogram import *
from .moments import *
from .rates import *
from .streaming import *
from .values import *

__all__: list[str] = ["confusion_matrix", "set_difference", "set_intersection", "set_size", "set_union"]
__all__ += curves.__all__
__all__ += histogram.__all__
__all__ += moments.__all__
__all__ += rates.__all__
__all__ += streaming.__all__
__all__ += values.__all__

__getattr__, __dir__ = namespace(__name__, "classification confusion_matrix_ops histogram_ops metric_ops set_ops")
