"""``tf.contrib.image``: images turned, moved and warped, and what is connected in them."""

from ...graph.missing import namespace
from . import matching, projective, splines, warping
from .matching import *
from .projective import *
from .splines import *
from .warping import *

__all__: list[str] = []
__all__ += matching.__all__
__all__ += projective.__all__
__all__ += splines.__all__
__all__ += warping.__all__

__getattr__, __dir__ = namespace(__name__, "image_ops")
