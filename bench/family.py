"""Every rule with a native kernel, by the name of its class, and the arrays that it moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

RATE = 0.01


@dataclass(frozen=True)
class Member:
    """One rule: how its optimizer is made, and what an update reads and writes besides parameter and gradient."""

    optimizer: str
    states: int  # arrays of the parameter's shape, read and written
    options: dict[str, Any] = field(default_factory=dict)
    row_bytes: int = 0  # read and written, that each row has besides
    measured: int = 0  # arrays that are read once more, before anything is written: a norm of the whole parameter
    dense: bool = True  # whether dense updates are not those of a rule named before
    rows: bool = True  # whether a sparse update costs what the batch's rows cost

    def make(self) -> Any:
        import steepest as st

        return getattr(st, self.optimizer)(learning_rate=RATE, **self.options)


L1L2 = {"l1_regularization_strength": 1e-4, "l2_regularization_strength": 1e-4}
FAMILY = {
    "SGD": Member("GradientDescentOptimizer", 0),
    "proximal SGD": Member("ProximalGradientDescentOptimizer", 0, L1L2),
    "Momentum": Member("MomentumOptimizer", 1, {"momentum": 0.9}),
    "Nesterov": Member("MomentumOptimizer", 1, {"momentum": 0.9, "use_nesterov": True}),
    "Adagrad": Member("AdagradOptimizer", 1),
    "proximal Adagrad": Member("ProximalAdagradOptimizer", 1, L1L2),
    "AdagradDA": Member("AdagradDAOptimizer", 2, L1L2),
    "AdagradDecay": Member("AdagradDecayOptimizer", 1, row_bytes=16),
    "row-wise Adagrad": Member("RowWiseAdagradOptimizer", 0, row_bytes=8),
    "RMSProp": Member("RMSPropOptimizer", 2, {"momentum": 0.9}),
    "centered RMSProp": Member("RMSPropOptimizer", 3, {"momentum": 0.9, "centered": True}),
    "row-wise RMSProp": Member("RowWiseRMSPropOptimizer", 0, row_bytes=8),
    "Adadelta": Member("AdadeltaOptimizer", 2),
    "Adam": Member("AdamOptimizer", 2, rows=False),
    "lazy Adam": Member("LazyAdamOptimizer", 2, dense=False),
    "deferred Adam": Member("AdamOptimizer", 2, {"sparse_update": "deferred"}, dense=False),
    "AMSGrad": Member("AdamOptimizer", 3, {"amsgrad": True}, rows=False),
    "AdamW": Member("AdamW", 2, rows=False),
    "row-wise Adam": Member("RowWiseAdamOptimizer", 1, row_bytes=8),
    "group Adam": Member("GroupAdamOptimizer", 4, {"l21_regularization_strength": 1e-4}),
    "AdaMax": Member("AdaMaxOptimizer", 2),
    "Nadam": Member("NadamOptimizer", 2, rows=False),
    "RAdam": Member("RAdamOptimizer", 2),
    "Adan": Member("AdanOptimizer", 4),
    "Lion": Member("LionOptimizer", 1),
    "AddSign": Member("AddSignOptimizer", 1, rows=False),
    "PowerSign": Member("PowerSignOptimizer", 1, rows=False),
    "LARS": Member("LARSOptimizer", 1, measured=2, rows=False),
    "LAMB": Member("LAMBOptimizer", 2, measured=4, rows=False),
    "FTRL": Member("FtrlOptimizer", 2, L1L2),
    "FTRL, power -0.7": Member("FtrlOptimizer", 2, {**L1L2, "learning_rate_power": -0.7}),
    "FTRL-Proximal": Member("FtrlProximalOptimizer", 2, L1L2),
    "group FTRL": Member("GroupFtrlOptimizer", 2, {"l21_regularization_strength": 1e-4}),
    "schedule-free SGD": Member("ScheduleFreeSGD", 1, rows=False),
    "schedule-free AdamW": Member("ScheduleFreeAdamW", 2, rows=False),
}
