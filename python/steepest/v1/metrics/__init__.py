"""``tf.metrics``: what is counted over many runs, in local variables; each function gives its value and an update."""

from ..graph.missing import namespace as _namespace
from .at_k import *
from .classes import *
from .counts import *
from .means import *
from .thresholds import *

__getattr__, __dir__ = _namespace(__name__)
