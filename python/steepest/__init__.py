"""steepest: TensorFlow 1's optimizer API for NumPy, with update kernels in C++.

``opt.apply_gradients(zip(gradients, arrays))`` updates plain arrays in place; ``opt.minimize(loss)`` differentiates
NumPy code on Variables first. See the README for programs to start from.
"""

from typing import Any

from . import checkpoint as checkpoint
from . import clip as clip
from . import hooks, nn
from . import schedules as schedules
from .autodiff.custom import custom_gradient, stop_gradient
from .autodiff.functional import (
    gradients_function,
    implicit_gradients,
    implicit_value_and_gradients,
    value_and_gradients_function,
)
from .autodiff.jacobians import hessian, hvp, jacobian, jvp
from .autodiff.tape import GradientTape
from .base.allocation import empty, empty_like, zeros, zeros_like
from .base.runtime import config, get_num_threads, package_version, set_num_threads
from .checkpoint import Checkpoint, CheckpointManager, restore, save
from .debugging.switch import debug
from .nn import embedding_lookup
from .ops.conversion import constant, convert_to_tensor
from .ops.indexed_slices import IndexedSlices
from .ops.tensor import Tensor
from .ops.vjps.indexing import gather
from .optim import (
    SWA,
    AdadeltaOptimizer,
    AdagradDAOptimizer,
    AdagradDecayOptimizer,
    AdagradDecayOptimizerV2,
    AdagradOptimizer,
    AdamAsyncOptimizer,
    AdaMaxOptimizer,
    AdamOptimizer,
    AdamW,
    AdamWOptimizer,
    AdanOptimizer,
    AddSignOptimizer,
    ExponentialMovingAverage,
    FtrlOptimizer,
    FtrlProximalOptimizer,
    GradientDescentOptimizer,
    GroupAdamOptimizer,
    GroupFtrlOptimizer,
    LAMBOptimizer,
    LARSOptimizer,
    LazyAdamOptimizer,
    LionOptimizer,
    Lookahead,
    MomentumOptimizer,
    Muon,
    NadamOptimizer,
    PowerSignOptimizer,
    ProximalAdagradOptimizer,
    ProximalGradientDescentOptimizer,
    RAdamOptimizer,
    RMSPropOptimizer,
    RowWiseAdagradOptimizer,
    RowWiseAdamOptimizer,
    RowWiseRMSPropOptimizer,
    ScheduleFreeAdamW,
    ScheduleFreeSGD,
)
from .optim.clip import clip_by_average_norm, clip_by_global_norm, clip_by_norm, clip_by_value, global_norm
from .optim.hooks import (
    Accumulate,
    CheckFinite,
    ClipByGlobalNorm,
    ClipByNorm,
    ClipByValue,
    CowClip,
    GradientNoise,
    WeightDecay,
)
from .optim.lost_state import StateWarning
from .optim.multi import MultiOptimizer
from .optim.optimizer import Optimizer
from .optim.schedules import (
    cosine_decay,
    cosine_decay_restarts,
    exponential_decay,
    inverse_time_decay,
    linear_warmup,
    one_cycle,
    piecewise_constant,
    polynomial_decay,
)
from .variables.collections import (
    GraphKeys,
    add_to_collection,
    add_to_collections,
    get_collection,
    get_collection_ref,
    global_variables,
    trainable_variables,
)
from .variables.get_variable import get_variable
from .variables.global_step import create_global_step, get_global_step, get_or_create_global_step
from .variables.names import reset_default_store, set_random_seed
from .variables.scopes import AUTO_REUSE, VariableScope, get_variable_scope, name_scope, variable_scope
from .variables.variable import Variable

# Short names of the same classes. AdamW is a class of its own: AdamWOptimizer, which is TensorFlow's, decays otherwise.
SGD = GradientDescentOptimizer
Momentum = MomentumOptimizer
Adagrad = AdagradOptimizer
Adam = AdamOptimizer
RMSprop = RMSPropOptimizer
Adadelta = AdadeltaOptimizer
Adamax = AdaMaxOptimizer
NAdam = NadamOptimizer
RAdam = RAdamOptimizer
Lion = LionOptimizer
LAMB = LAMBOptimizer
LARS = LARSOptimizer
Adan = AdanOptimizer
Ftrl = FtrlOptimizer

__all__ = [
    "AUTO_REUSE",
    "LAMB",
    "LARS",
    "SGD",
    "SWA",
    "Accumulate",
    "AdaMaxOptimizer",
    "Adadelta",
    "AdadeltaOptimizer",
    "Adagrad",
    "AdagradDAOptimizer",
    "AdagradDecayOptimizer",
    "AdagradDecayOptimizerV2",
    "AdagradOptimizer",
    "Adam",
    "AdamAsyncOptimizer",
    "AdamOptimizer",
    "AdamW",
    "AdamWOptimizer",
    "Adamax",
    "Adan",
    "AdanOptimizer",
    "AddSignOptimizer",
    "CheckFinite",
    "Checkpoint",
    "CheckpointManager",
    "ClipByGlobalNorm",
    "ClipByNorm",
    "ClipByValue",
    "CowClip",
    "ExponentialMovingAverage",
    "Ftrl",
    "FtrlOptimizer",
    "FtrlProximalOptimizer",
    "GradientDescentOptimizer",
    "GradientNoise",
    "GradientTape",
    "GraphKeys",
    "GroupAdamOptimizer",
    "GroupFtrlOptimizer",
    "IndexedSlices",
    "LAMBOptimizer",
    "LARSOptimizer",
    "LazyAdamOptimizer",
    "Lion",
    "LionOptimizer",
    "Lookahead",
    "Momentum",
    "MomentumOptimizer",
    "MultiOptimizer",
    "Muon",
    "NAdam",
    "NadamOptimizer",
    "Optimizer",
    "PowerSignOptimizer",
    "ProximalAdagradOptimizer",
    "ProximalGradientDescentOptimizer",
    "RAdam",
    "RAdamOptimizer",
    "RMSPropOptimizer",
    "RMSprop",
    "RowWiseAdagradOptimizer",
    "RowWiseAdamOptimizer",
    "RowWiseRMSPropOptimizer",
    "ScheduleFreeAdamW",
    "ScheduleFreeSGD",
    "StateWarning",
    "Tensor",
    "Variable",
    "VariableScope",
    "WeightDecay",
    "add_to_collection",
    "add_to_collections",
    "clip_by_average_norm",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_value",
    "config",
    "constant",
    "convert_to_tensor",
    "cosine_decay",
    "cosine_decay_restarts",
    "create_global_step",
    "custom_gradient",
    "debug",
    "embedding_lookup",
    "empty",
    "empty_like",
    "exponential_decay",
    "gather",
    "get_collection",
    "get_collection_ref",
    "get_global_step",
    "get_num_threads",
    "get_or_create_global_step",
    "get_variable",
    "get_variable_scope",
    "global_norm",
    "global_variables",
    "gradients_function",
    "hessian",
    "hooks",
    "hvp",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "inverse_time_decay",
    "jacobian",
    "jvp",
    "linear_warmup",
    "name_scope",
    "nn",
    "one_cycle",
    "piecewise_constant",
    "polynomial_decay",
    "reset_default_store",
    "restore",
    "save",
    "set_num_threads",
    "set_random_seed",
    "stop_gradient",
    "trainable_variables",
    "value_and_gradients_function",
    "variable_scope",
    "zeros",
    "zeros_like",
]


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__", "clip", "schedules"})


def __getattr__(name: str) -> Any:
    if name == "__version__":  # reading it takes longer than importing everything else
        return package_version()
    raise AttributeError(f"module 'steepest' has no attribute {name!r}")
