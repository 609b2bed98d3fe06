"""``tf.contrib.opt``."""

from ... import (
    AdaMaxOptimizer,
    AddSignOptimizer,
    LazyAdamOptimizer,
    NadamOptimizer,
    PowerSignOptimizer,
    ScheduleFreeAdamW,
    ScheduleFreeSGD,
)
from ...optim.decoupled import (
    AdamWOptimizer,
    DecoupledWeightDecayExtension,
    MomentumWOptimizer,
    extend_with_decoupled_weight_decay,
)
from ..graph.missing import namespace
from ..optim.adam_gs import AdamGSOptimizer, LazyAdamGSOptimizer
from ..optim.external_optimizer import ExternalOptimizerInterface, ScipyOptimizerInterface
from ..optim.ggt import GGTOptimizer
from ..optim.lars import LARSOptimizer
from ..optim.matrix_functions import matrix_inverse_pth_root as matrix_inverse_pth_root  # of TensorFlow's module
from ..optim.matrix_functions import matrix_square_root as matrix_square_root
from ..optim.multitask import MultitaskOptimizerWrapper, clip_gradients_by_global_norm
from ..optim.reg_adagrad import RegAdagradOptimizer
from ..optim.shampoo import ShampooOptimizer
from ..training.wrappers import MovingAverageOptimizer, VariableClippingOptimizer
from .accumulated_gradients import AGNCustomGetter, AGNOptimizer
from .stale_gradients import DropStaleGradientOptimizer

__all__ = [
    "AGNCustomGetter",
    "AGNOptimizer",
    "AdaMaxOptimizer",
    "AdamGSOptimizer",
    "AdamWOptimizer",
    "AddSignOptimizer",
    "DecoupledWeightDecayExtension",
    "DropStaleGradientOptimizer",
    "ExternalOptimizerInterface",
    "GGTOptimizer",
    "LARSOptimizer",
    "LazyAdamGSOptimizer",
    "LazyAdamOptimizer",
    "MomentumWOptimizer",
    "MovingAverageOptimizer",
    "MultitaskOptimizerWrapper",
    "NadamOptimizer",
    "PowerSignOptimizer",
    "RegAdagradOptimizer",
    "ScheduleFreeAdamW",
    "ScheduleFreeSGD",
    "ScipyOptimizerInterface",
    "ShampooOptimizer",
    "VariableClippingOptimizer",
    "clip_gradients_by_global_norm",
    "extend_with_decoupled_weight_decay",
]

__getattr__, __dir__ = namespace(
    __name__,
    "adam_gs_optimizer adamax addsign agn_optimizer drop_stale_gradient_optimizer external_optimizer ggt "
    "lars_optimizer lazy_adam_gs_optimizer lazy_adam_optimizer "
    "matrix_functions moving_average_optimizer multitask_optimizer_wrapper nadam_optimizer powersign "
    "reg_adagrad_optimizer shampoo variable_clipping_optimizer weight_decay_optimizers",
)
