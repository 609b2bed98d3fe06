"""``tf.contrib.constrained_optimization``: optimizers of an objective under constraints, by games of two players.

Source: Cotter, Jiang and Sridharan, Two-Player Games for Efficient Non-Convex Constrained Optimization, 2018.
"""

from ...graph.missing import namespace
from .candidates import find_best_candidate_distribution, find_best_candidate_index
from .external_regret import AdditiveExternalRegretOptimizer
from .external_regret import _project_multipliers_wrt_euclidean_norm as _project_multipliers_wrt_euclidean_norm
from .optimizer import ConstrainedOptimizer
from .problem import ConstantMinimizationProblem as ConstantMinimizationProblem  # of TensorFlow's helpers of tests
from .problem import ConstrainedMinimizationProblem
from .swap_regret import AdditiveSwapRegretOptimizer, MultiplicativeSwapRegretOptimizer
from .swap_regret import _maximal_eigenvector_power_method as _maximal_eigenvector_power_method
from .swap_regret import (
    _project_log_stochastic_matrix_wrt_kl_divergence as _project_log_stochastic_matrix_wrt_kl_divergence,
)
from .swap_regret import _project_stochastic_matrix_wrt_euclidean_norm as _project_stochastic_matrix_wrt_euclidean_norm

__all__ = [
    "AdditiveExternalRegretOptimizer",
    "AdditiveSwapRegretOptimizer",
    "ConstrainedMinimizationProblem",
    "ConstrainedOptimizer",
    "MultiplicativeSwapRegretOptimizer",
    "find_best_candidate_distribution",
    "find_best_candidate_index",
]

__getattr__, __dir__ = namespace(
    __name__,
    "candidates constrained_minimization_problem constrained_optimizer external_regret_optimizer "
    "swap_regret_optimizer test_util",
)
