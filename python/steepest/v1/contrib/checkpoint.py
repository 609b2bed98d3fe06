"""``tf.contrib.checkpoint``: objects that are saved with what depends on them, and what a checkpoint says of them."""

from ..graph.missing import namespace
from ..saving.checkpoint_management import CheckpointManager
from ..saving.containers import List, Mapping, UniqueNameTracker
from ..saving.data_structures import AutoTrackable as Checkpointable
from ..saving.numpy_state import NumpyState
from ..saving.object_metadata import dot_graph_from_checkpoint, list_objects, object_metadata
from ..saving.split_dependencies import split_dependency
from ..saving.trackable import NoDependency
from ..saving.trackable import PythonState as PythonStateWrapper
from ..saving.trackable import Trackable as CheckpointableBase

__all__ = [
    "CheckpointManager",
    "Checkpointable",
    "CheckpointableBase",
    "List",
    "Mapping",
    "NoDependency",
    "NumpyState",
    "PythonStateWrapper",
    "UniqueNameTracker",
    "dot_graph_from_checkpoint",
    "list_objects",
    "object_metadata",
    "split_dependency",
]

__getattr__, __dir__ = namespace(__name__, "containers python_state visualize")

# TensorFlow has a module of that name too: ``from tensorflow.contrib.checkpoint.python import split_dependency``.
split_dependency.__dict__["split_dependency"] = split_dependency
