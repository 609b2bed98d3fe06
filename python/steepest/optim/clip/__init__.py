"""Clipping of gradients between compute and apply, with TensorFlow 1's names.

Every function returns None for None. Norms are accumulated in float64, and duplicates of `IndexedSlices` are summed
first. A NaN or an infinity in a gradient shows in the result. Results have the gradient's dtype; where a norm scales
integers, float64. Under a tape that records the gradient the results are recorded tensors.
"""

from .by_global_norm import clip_by_global_norm, global_norm
from .by_norm import clip_by_average_norm, clip_by_norm
from .by_value import clip_by_value

__all__ = ["clip_by_average_norm", "clip_by_global_norm", "clip_by_norm", "clip_by_value", "global_norm"]
