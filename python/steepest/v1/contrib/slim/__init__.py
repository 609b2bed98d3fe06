"""``tf.contrib.slim``: the layers of ``tf.contrib.layers`` with `arg_scope`, losses, metrics and training."""

from ...graph.missing import namespace
from .. import framework as _framework
from .. import layers as _layers
from .. import losses, metrics
from ..framework import *
from ..layers import *
from . import evaluation, learning, model_analyzer, summaries

_SPACES = {"nest", "initializers", "optimizers", "regularizers", "utils"}  # of these two modules, not of this
_OWN = {"evaluation", "learning", "losses", "metrics", "model_analyzer", "summaries"}
__all__ = sorted({*_framework.__all__, *_layers.__all__, *_OWN} - _SPACES)
_RE_EXPORTED = (evaluation, learning, losses, metrics, model_analyzer, summaries)

__getattr__, __dir__ = namespace(__name__)
