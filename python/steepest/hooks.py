"""Hooks: what happens to gradients between compute and apply; callables for ``hooks=[...]``."""

from .optim.hooks import *
from .optim.hooks import __all__ as __all__
