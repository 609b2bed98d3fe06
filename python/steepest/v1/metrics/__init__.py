"""``tf.metrics``: what is counted over many runs, in local variables; each function gives its value and an update."""

from ..graph.missing import namespace as _namespace
from . import at_k, classes, counts, means, thresholds
from .at_k import *
from .classes import *
from .counts import *
from .means import *
from .thresholds import *

__all__: list[str] = []
__all__ += at_k.__all__
__all__ += classes.__all__
__all__ += counts.__all__
__all__ += means.__all__
__all__ += thresholds.__all__

__getattr__, __dir__ = _namespace(__name__)
