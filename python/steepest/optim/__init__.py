"""Optimizers: what they hold, what they check, hooks, clipping, schedules; each family of rules has a file."""

from .adadelta import AdadeltaOptimizer
from .adagrad import AdagradOptimizer, RowWiseAdagradOptimizer
from .adagrad_da import AdagradDAOptimizer
from .adagrad_decay import AdagradDecayOptimizer, AdagradDecayOptimizerV2
from .adam import AdamOptimizer, LazyAdamOptimizer
from .adam_async import AdamAsyncOptimizer
from .adam_rows import GroupAdamOptimizer, RowWiseAdamOptimizer, RowWiseRMSPropOptimizer
from .adamax import AdaMaxOptimizer
from .adan import AdanOptimizer
from .decoupled import AdamW, AdamWOptimizer
from .ftrl import FtrlOptimizer, FtrlProximalOptimizer, GroupFtrlOptimizer
from .lamb import LAMBOptimizer
from .lars import LARSOptimizer
from .lion import LionOptimizer
from .momentum import MomentumOptimizer
from .multi import MultiOptimizer
from .muon import Muon
from .nadam import NadamOptimizer
from .optimizer import Optimizer
from .proximal import ProximalAdagradOptimizer, ProximalGradientDescentOptimizer
from .radam import RAdamOptimizer
from .rmsprop import RMSPropOptimizer
from .schedule_free import ScheduleFreeAdamW, ScheduleFreeSGD
from .sgd import GradientDescentOptimizer
from .sign import AddSignOptimizer, PowerSignOptimizer
from .wrappers import SWA, ExponentialMovingAverage, Lookahead

__all__ = [
    "SWA",
    "AdaMaxOptimizer",
    "AdadeltaOptimizer",
    "AdagradDAOptimizer",
    "AdagradDecayOptimizer",
    "AdagradDecayOptimizerV2",
    "AdagradOptimizer",
    "AdamAsyncOptimizer",
    "AdamOptimizer",
    "AdamW",
    "AdamWOptimizer",
    "AdanOptimizer",
    "AddSignOptimizer",
    "ExponentialMovingAverage",
    "FtrlOptimizer",
    "FtrlProximalOptimizer",
    "GradientDescentOptimizer",
    "GroupAdamOptimizer",
    "GroupFtrlOptimizer",
    "LAMBOptimizer",
    "LARSOptimizer",
    "LazyAdamOptimizer",
    "LionOptimizer",
    "Lookahead",
    "MomentumOptimizer",
    "MultiOptimizer",
    "Muon",
    "NadamOptimizer",
    "Optimizer",
    "PowerSignOptimizer",
    "ProximalAdagradOptimizer",
    "ProximalGradientDescentOptimizer",
    "RAdamOptimizer",
    "RMSPropOptimizer",
    "RowWiseAdagradOptimizer",
    "RowWiseAdamOptimizer",
    "RowWiseRMSPropOptimizer",
    "ScheduleFreeAdamW",
    "ScheduleFreeSGD",
]
