"""``tf.saved_model.experimental``: resources of a program's own in saved models, and how variables are written."""

from ..graph.missing import namespace
from ..python.trackable_names import TrackableResource
from .object_saving import save
from .options import VariablePolicy

__all__ = ["TrackableResource", "VariablePolicy", "save"]

__getattr__, __dir__ = namespace(__name__)
