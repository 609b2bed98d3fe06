"""Learning rates that follow the step, under TensorFlow 1's names."""

from .optim.schedules import *
from .optim.schedules import __all__ as __all__
