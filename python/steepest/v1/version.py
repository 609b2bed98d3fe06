"""``tf.version``: the version whose names these are."""

from .graph.graph_def import GIT_VERSION, VERSION
from .graph.graph_def import GRAPH_DEF_VERSION as _VERSION
from .graph.missing import namespace

__all__ = [
    "COMPILER_VERSION",
    "GIT_VERSION",
    "GRAPH_DEF_VERSION",
    "GRAPH_DEF_VERSION_MIN_CONSUMER",
    "GRAPH_DEF_VERSION_MIN_PRODUCER",
    "VERSION",
]

COMPILER_VERSION = ""
__version__, __git_version__, __compiler_version__ = VERSION, GIT_VERSION, COMPILER_VERSION
GRAPH_DEF_VERSION, GRAPH_DEF_VERSION_MIN_CONSUMER, GRAPH_DEF_VERSION_MIN_PRODUCER = _VERSION, 0, 0

__getattr__, __dir__ = namespace(__name__)
