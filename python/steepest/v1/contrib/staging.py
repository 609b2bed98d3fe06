"""``tf.contrib.staging``: elements that runs put down for later ones."""

from ..graph.missing import namespace
from ..ops.staging_ops import StagingArea

__all__ = ["StagingArea"]

__getattr__, __dir__ = namespace(__name__)
