"""Hooks: what happens to gradients between compute and apply.

A hook is any callable that takes the list of ``(gradient, variable)`` pairs and returns such a list. The hooks of this
package act on what a row or an element really receives: duplicates of `IndexedSlices` count as their sum. Those marked
*fused* cost no copy of the gradients with the library's own optimizers: they become part of the native update.
"""

from .accumulate import Accumulate
from .check_finite import CheckFinite
from .check_finite import refuse_step as refuse_step
from .clipping import ClipByGlobalNorm, ClipByNorm, ClipByValue
from .cow_clip import CowClip
from .hook import Hook
from .hook import decays_of as decays_of
from .noise import GradientNoise
from .run import HooksPutBack as HooksPutBack
from .run import checked_hooks as checked_hooks
from .run import process_gradients as process_gradients
from .run import run_hooks
from .weight_decay import DecayBeforeUpdate, WeightDecay

__all__ = [
    "Accumulate",
    "CheckFinite",
    "ClipByGlobalNorm",
    "ClipByNorm",
    "ClipByValue",
    "CowClip",
    "GradientNoise",
    "Hook",
    "WeightDecay",
    "run_hooks",
]

FUSED = frozenset({CheckFinite, ClipByGlobalNorm, ClipByNorm, ClipByValue, DecayBeforeUpdate, WeightDecay})
"""The classes that are part of the native update; a subclass of one may do something else."""
