"""Public functions with a call that works for each, and values to put in the place of each argument."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

import steepest as st

CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    name: (getattr(st, name), arguments)
    for name, arguments in {
        "clip_by_value": (np.ones(2), 0, 1),
        "clip_by_norm": (np.ones(2), 1.0),
        "clip_by_global_norm": ([np.ones(2)], 1.0),
        "clip_by_average_norm": (np.ones(2), 1.0),
        "global_norm": ([np.ones(2)],),
        "gather": (np.ones((3, 2)), [0]),
        "embedding_lookup": (np.ones((3, 2)), [0]),
        "IndexedSlices": (np.ones((1, 2)), [0], (3, 2)),
        "constant": (1.0,),
        "zeros": (3,),
        "empty": (3,),
        "zeros_like": (np.ones(2),),
        "empty_like": (np.ones(2),),
        "add_to_collections": (["c"], 1),
        "get_collection": ("c",),
        "set_random_seed": (1,),
        "exponential_decay": (0.1, 0, 10, 0.5),
        "inverse_time_decay": (0.1, 0, 10, 0.5),
        "polynomial_decay": (0.1, 0, 10),
        "cosine_decay": (0.1, 0, 10),
        "cosine_decay_restarts": (0.1, 0, 10),
        "one_cycle": (0.1, 0, 10, 0.3, "cos"),
        "linear_warmup": (0.1, 0, 10),
        "piecewise_constant": (0, [1], [1.0, 2.0]),
        "ClipByValue": (-1, 1),
        "ClipByNorm": (1.0,),
        "ClipByGlobalNorm": (1.0,),
        "WeightDecay": (0.1,),
        "Accumulate": (2,),
        "GradientNoise": (0.1,),
        "CheckFinite": ("raise",),
        "AdamOptimizer": (0.1, 0.9, 0.99, 1e-8),
        "MomentumOptimizer": (0.1, 0.9),
        "AdagradOptimizer": (0.1, 0.1),
        "AdagradDecayOptimizer": (0.1, None, 0.1, 10, 0.9),
        "AdaMaxOptimizer": (0.1, 0.9, 0.99, 1e-8),
        "NadamOptimizer": (0.1, 0.9, 0.99, 1e-8),
        "AddSignOptimizer": (0.1, 1.0, 0.9, None),
        "PowerSignOptimizer": (0.1, 2.0, 0.9, None),
        "LARSOptimizer": (0.1, 0.9, 0.1, 0.1, 0.1),
        "LionOptimizer": (0.1, 0.9, 0.99, 0.1),
        "RAdamOptimizer": (0.1, 0.9, 0.99, 1e-8),
        "AdanOptimizer": (0.1, 0.9, 0.9, 0.99, 1e-8, 0.1),
        "LAMBOptimizer": (0.1, 0.9, 0.99, 1e-6, 0.1),
        "AdamW": (0.1, 0.9, 0.99, 1e-8, 0.1),
    }.items()
} | {
    f"nn.{name}": (getattr(st.nn, name), arguments)
    for name, arguments in {
        "dropout": (np.ones(3), 0.5),
        "embedding_bag": (np.ones((3, 2)), [[0, 1]], None, "mean", np.ones((1, 2)), 7),
        "l2_loss": (np.ones(2),),
        "relu": (np.ones(2),),
        "leaky_relu": (np.ones(2), 0.2),
        "softmax": (np.ones((2, 2)),),
    }.items()
}
_W = st.Variable(np.ones(2))


def _loss() -> Any:
    return np.sum(_W * _W)


def _step(pairs: Any, step: Any) -> None:
    st.AdamOptimizer().apply_gradients(pairs, step)


def _new_variable(**more: Any) -> None:
    st.reset_default_store()
    st.get_variable("v", (2,), **more)


def _path() -> str:
    return os.path.join(tempfile.gettempdir(), f"steepest-{os.getpid()}.safetensors")


CALLS |= {
    "hooks": (lambda hooks: st.AdamOptimizer(hooks=hooks), ([],)),
    "name": (lambda name: st.AdamOptimizer(name=name), ("a",)),
    "sparse_update": (lambda update: st.AdamOptimizer(sparse_update=update), ("full",)),
    "labels": (lambda x: st.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=np.ones(2)), (np.ones(2),)),
    "classes": (lambda x: st.nn.sparse_softmax_cross_entropy_with_logits(labels=x, logits=np.eye(2)), ([0, 1],)),
    "watch": (lambda x: st.GradientTape().watch(x), (st.constant(1.0),)),
    "variable": (lambda x, flag: st.Variable(x, trainable=flag), (np.ones(2), True)),
    "variable.trainable": (lambda flag: setattr(st.Variable(1.0), "trainable", flag), (True,)),
    "variable.assign_add": (lambda x: st.Variable(np.ones(2)).assign_add(x), (np.ones(2),)),
    "get_variable.dtype": (lambda dtype: _new_variable(dtype=dtype), (np.float32,)),
    "GradientTape": (st.GradientTape, (False, True)),
    "zeros.dtype": (lambda dtype: st.zeros(2, dtype), (np.float32,)),
    "to_dense": (lambda *given: st.IndexedSlices(*given).to_dense(), (np.ones((1, 2)), [0], (3, 2))),
    "save_arrays": (lambda arrays: st.checkpoint.save_arrays(_path(), arrays), ({"a": np.ones(2)},)),
    "apply_gradients": (lambda pairs, step: _step(pairs, step), ([(np.ones(2), np.ones(2))], None)),
    "gradient": (lambda gradient: _step([(gradient, np.ones(2))], None), (np.ones(2),)),
    "parameter": (lambda parameter: _step([(np.ones(2), parameter)], None), (np.ones(2),)),
    "grad_loss": (lambda seed: st.AdamOptimizer().compute_gradients(_loss, [_W], grad_loss=seed), (1.0,)),
    "var_list": (lambda variables: st.AdamOptimizer().compute_gradients(_loss, variables), ([_W],)),
    "learning_rate": (lambda rate: setattr(st.AdamOptimizer(), "learning_rate", rate), (0.1,)),
    "hooks, set": (lambda hooks: setattr(st.AdamOptimizer(), "hooks", hooks), ([],)),
    "decoupled": (lambda flag: st.WeightDecay(0.1, flag), (False,)),
    "variable.assign": (lambda x: st.Variable(np.ones(2)).assign(x), (np.ones(2),)),
    "variable.rows": (lambda x: st.Variable(np.ones(2)).rows(x), ([0],)),
}

VALUES: dict[str, Any] = {
    "none": None,
    "text": "x",
    "object": object(),
    "list": [],
    "dict": {},
    "list of None": [None],
    "cube": np.ones((2, 2, 2)),
    "complex": 1j,
    "texts": np.array(["a"]),
    "negative": -1,
    "nan": float("nan"),
    "half": 1.5,
    "function": lambda: 1,
    "true": True,
    "ragged": [[1], [1, 2]],
    "huge": 2**70,
    "masked": np.ma.masked_array(np.ones(2), [True, False]),
}
