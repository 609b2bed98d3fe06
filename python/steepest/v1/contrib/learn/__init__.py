"""``tf.contrib.learn``: its data sets, which programs without estimators read too; the rest is left out."""

from ...graph.missing import namespace
from . import datasets

__all__ = ["datasets"]

__getattr__, __dir__ = namespace(__name__)
