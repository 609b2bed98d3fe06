"""Hooks: what happens to gradients between compute and apply.

A hook is any callable that takes the list of ``(gradient, variable)`` pairs and returns such a list. The hooks of this
package act on what a row or an element really receives: duplicates of `IndexedSlices` count as their sum. Those marked
*fused* cost no copy of the gradients with the library's own optimizers: they become part of the native update.
"""

from .accumulate import Accumulate
from .declarative import FUSED as FUSED
from .declarative import CheckFinite, ClipByGlobalNorm, ClipByNorm, ClipByValue, Hook, WeightDecay
from .declarative import refuse_step as refuse_step
from .noise import GradientNoise
from .run import process_gradients as process_gradients
from .run import run_hooks

__all__ = [
    "Accumulate",
    "CheckFinite",
    "ClipByGlobalNorm",
    "ClipByNorm",
    "ClipByValue",
    "GradientNoise",
    "Hook",
    "WeightDecay",
    "run_hooks",
]
