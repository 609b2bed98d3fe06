"""Clipping of gradients between compute and apply, under TensorFlow 1's names."""

from .optim.clip import *
from .optim.clip import __all__ as __all__
