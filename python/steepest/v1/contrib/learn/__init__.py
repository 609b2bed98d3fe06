"""``tf.contrib.learn``: what programs without estimators use: data sets, vocabularies, runs; the rest is left out."""

from ...graph.missing import namespace
from . import datasets, preprocessing
from .graph_actions import run_feeds, run_n

__all__ = ["ModeKeys", "datasets", "preprocessing", "run_feeds", "run_n"]

__getattr__, __dir__ = namespace(__name__)


class ModeKeys:
    """What a model is made for: training, measuring it, or answers.

    Source: ``tf.contrib.learn.ModeKeys``.
    """

    TRAIN = "train"
    EVAL = "eval"
    INFER = "infer"
