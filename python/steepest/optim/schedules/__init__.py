"""Learning rates that follow the global step: TensorFlow 1's decays, a linear warm-up, and one cycle.

Each function returns a `Schedule`: a callable without arguments, to be given to an optimizer as its learning rate. The
optimizer calls it once in each ``apply_gradients``, before the step is counted. Everything is computed in float64.

The arguments that the functions share:

- ``learning_rate``: a number, a scalar `Variable` or array, or a callable that returns one. A schedule is such a
  callable, so one schedule can wrap another.
- ``global_step``: the number of steps taken so far, in the same forms; usually the Variable that ``apply_gradients``
  increments. None: the schedule counts the updates of the optimizer that it is given to.
- ``decay_steps``, ``warmup_steps``: a number of steps; need not be an integer.
"""

from .cycles import cosine_decay_restarts, one_cycle
from .decay import cosine_decay, exponential_decay, inverse_time_decay, polynomial_decay
from .piecewise import linear_warmup, piecewise_constant
from .schedule import Schedule

__all__ = [
    "Schedule",
    "cosine_decay",
    "cosine_decay_restarts",
    "exponential_decay",
    "inverse_time_decay",
    "linear_warmup",
    "one_cycle",
    "piecewise_constant",
    "polynomial_decay",
]
