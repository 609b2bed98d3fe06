"""``tf.contrib.learn``: data sets and vocabularies, which programs without estimators use too; the rest is left out."""

from ...graph.missing import namespace
from . import datasets, preprocessing

__all__ = ["datasets", "preprocessing"]

__getattr__, __dir__ = namespace(__name__)
