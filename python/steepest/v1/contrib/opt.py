"""``tf.contrib.opt``."""

from ... import (
    AdaMaxOptimizer,
    AddSignOptimizer,
    LARSOptimizer,
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
from ..optim.external_optimizer import ExternalOptimizerInterface, ScipyOptimizerInterface
from ..optim.multitask import MultitaskOptimizerWrapper, clip_gradients_by_global_norm
from ..training.wrappers import MovingAverageOptimizer, VariableClippingOptimizer

__all__ = [
    "AdaMaxOptimizer",
    "AdamWOptimizer",
    "AddSignOptimizer",
    "DecoupledWeightDecayExtension",
    "ExternalOptimizerInterface",
    "LARSOptimizer",
    "LazyAdamOptimizer",
    "MomentumWOptimizer",
    "MovingAverageOptimizer",
    "MultitaskOptimizerWrapper",
    "NadamOptimizer",
    "PowerSignOptimizer",
    "ScheduleFreeAdamW",
    "ScheduleFreeSGD",
    "ScipyOptimizerInterface",
    "VariableClippingOptimizer",
    "clip_gradients_by_global_norm",
    "extend_with_decoupled_weight_decay",
]

__getattr__, __dir__ = namespace(
    __name__,
    "adamax addsign external_optimizer lars_optimizer lazy_adam_optimizer moving_average_optimizer "
    "multitask_optimizer_wrapper nadam_optimizer powersign variable_clipping_optimizer weight_decay_optimizers",
)
