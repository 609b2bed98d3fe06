"""Ask TensorFlow's kernels, torch, optax and FBGEMM for steps of the rules that they have too.

    python tests/record_others.py        # records what the interpreter that runs it has; the rest stays

Writes ``tests/data/others.npz``: for each case ``<library>.<rule>.<type>`` the parameter after every step, and the
gradients, ``gradients.<type>``, or ``gradients.<library>.<type>`` where a library has its own; `CASES` of
``tests/test_others.py`` say which optimizer of this library each is compared with.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

PATH = Path(__file__).parent / "data" / "others.npz"
STEPS, SHAPE = 8, (5, 3)
LR, B1, B2, B3, EPS, WD = 0.05, 0.8, 0.95, 0.9, 1e-3, 0.1
IDS = np.array([3, 0, 4])  # the rows of sparse gradients
FBGEMM_SHAPE, FBGEMM_IDS = (5, 4), np.array([3, 0, 4, 3, 3])  # its widths are multiples of 4; it sums duplicates, too


def start(dtype: Any, shape: tuple[int, int] = SHAPE) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(12)
    w, g = rng.normal(size=shape).astype(dtype), rng.normal(size=(STEPS, *shape)).astype(dtype)
    g[:, 1, 1] = 0
    return w, g


def tensorflow_cases() -> dict[str, Callable[[Any], list[np.ndarray]]]:
    import tensorflow as tf

    ops = tf.raw_ops

    def steps(one: Callable[..., None], count: int) -> Callable[[Any], list[np.ndarray]]:
        def run(dtype: Any) -> list[np.ndarray]:
            w, gradients = start(dtype)
            variable = tf.Variable(w)
            slots = [tf.Variable(np.zeros_like(w)) for _ in range(count)]
            out = [w]
            for t, g in enumerate(gradients):
                one(dtype, t, variable, slots, tf.constant(g))
                out.append(variable.numpy())
            return out

        return run

    def scalars(dtype: Any, **values: float) -> dict[str, Any]:
        return {name: tf.constant(dtype(value)) for name, value in values.items()}

    def adam_like(op: Any, **more: Any) -> Callable[..., None]:
        def one(dtype: Any, t: int, w: Any, slots: list[Any], g: Any) -> None:
            handles = dict(zip(("m", "v", "vhat"), (slot.handle for slot in slots), strict=False))
            powers = {"beta1_power": B1 ** (t + 1), "beta2_power": B2 ** (t + 1)}
            if op is ops.ResourceApplyAdaMax:
                del powers["beta2_power"]
            op(
                var=w.handle,
                **handles,
                **scalars(dtype, **powers, lr=LR, beta1=B1, beta2=B2, epsilon=EPS),
                grad=g,
                **more,
            )

        return one

    def sign_like(op: Any, **numbers: float) -> Callable[..., None]:
        def one(dtype: Any, t: int, w: Any, slots: list[Any], g: Any) -> None:
            op(var=w.handle, m=slots[0].handle, **scalars(dtype, lr=LR, beta=B1, sign_decay=0.75, **numbers), grad=g)

        return one

    def nadam_rows(dtype: Any, t: int, w: Any, slots: list[Any], g: Any) -> None:
        """What ``tf.contrib.opt.NadamOptimizer._apply_sparse_shared`` does."""
        m, v = slots
        rows, ids = tf.gather(g, IDS), tf.constant(IDS[:, None])
        rate = LR * math.sqrt(1 - B2 ** (t + 1)) / (1 - B1 ** (t + 1))
        scaled = rows * dtype(1 - B1)
        m.assign(tf.tensor_scatter_nd_add(m * dtype(B1), ids, scaled))
        ahead = scaled + dtype(B1) * tf.gather(m, IDS)
        v.assign(tf.tensor_scatter_nd_add(v * dtype(B2), ids, rows * rows * dtype(1 - B2)))
        step = dtype(-rate) * ahead / (tf.sqrt(tf.gather(v, IDS)) + dtype(EPS))
        w.assign(tf.tensor_scatter_nd_add(w.value(), ids, step))

    def add_sign_rows(dtype: Any, t: int, w: Any, slots: list[Any], g: Any) -> None:
        """What ``tf.contrib.opt.AddSignOptimizer._apply_sparse`` does."""
        (m,), rows, ids = slots, tf.gather(g, IDS), tf.constant(IDS[:, None])
        m.assign(tf.tensor_scatter_nd_add(m * dtype(B1), ids, rows * dtype(1 - B1)))
        signs = tf.gather(tf.sign(m), IDS) * tf.sign(rows)
        w.assign(tf.tensor_scatter_nd_sub(w.value(), ids, dtype(LR) * (dtype(0.6) + dtype(0.75) * signs) * rows))

    def lars(nesterov: bool) -> Callable[..., None]:
        """What ``tf.contrib.opt.LARSOptimizer._resource_apply_dense`` does."""

        def one(dtype: Any, t: int, w: Any, slots: list[Any], g: Any) -> None:
            size, slope = tf.norm(w.value()), tf.norm(g)
            rate = dtype(LR) * (dtype(0.3) * size / (slope + dtype(WD) * size + dtype(EPS)))
            numbers = {"lr": rate, "momentum": tf.constant(dtype(B1))}
            ops.ResourceApplyMomentum(
                var=w.handle, accum=slots[0].handle, grad=g, **numbers, use_locking=False, use_nesterov=nesterov
            )

        return one

    return {
        "ada_max": steps(adam_like(ops.ResourceApplyAdaMax), 2),
        "nadam": steps(adam_like(ops.ResourceApplyAdam, use_nesterov=True), 2),
        "nadam_rows": steps(nadam_rows, 2),
        "amsgrad": steps(adam_like(ops.ResourceApplyAdamWithAmsgrad), 3),
        "add_sign": steps(sign_like(ops.ResourceApplyAddSign, alpha=0.6), 1),
        "add_sign_rows": steps(add_sign_rows, 1),
        "power_sign": steps(sign_like(ops.ResourceApplyPowerSign, logbase=math.log(3.0)), 1),
        "lars": steps(lars(False), 1),
        "lars_nesterov": steps(lars(True), 1),
    }


def torch_cases() -> dict[str, Callable[[Any], list[np.ndarray]]]:
    import torch

    def steps(make: Callable[..., Any]) -> Callable[[Any], list[np.ndarray]]:
        def run(dtype: Any) -> list[np.ndarray]:
            w, gradients = start(dtype)
            parameter = torch.nn.Parameter(torch.tensor(w))
            optimizer = make([parameter])
            out = [w]
            for g in gradients:
                parameter.grad = torch.tensor(g)
                optimizer.step()
                out.append(parameter.detach().numpy().copy())
            return out

        return run

    betas, optim = (B1, B2), torch.optim
    found = {
        "radam": steps(lambda p: optim.RAdam(p, LR, (B1, 0.97), EPS)),
        "ada_max_without_epsilon": steps(lambda p: optim.Adamax(p, LR, betas, 1e-30)),
        "amsgrad_without_epsilon": steps(lambda p: optim.Adam(p, LR, betas, 1e-30, amsgrad=True)),
        "adamw_without_epsilon": steps(lambda p: optim.AdamW(p, LR, betas, 1e-30, WD)),
    }
    if importlib.util.find_spec("pytorch_optimizer"):
        from pytorch_optimizer import Adan

        three = (B1, 0.7, B3)
        found["adan"] = steps(lambda p: Adan(p, LR, three, WD, weight_decouple=False, eps=EPS))
    return found


def optax_cases() -> dict[str, Callable[[Any], list[np.ndarray]]]:
    import jax
    import optax

    jax.config.update("jax_enable_x64", True)

    def steps(transform: Any) -> Callable[[Any], list[np.ndarray]]:
        def run(dtype: Any) -> list[np.ndarray]:
            w, gradients = start(dtype)
            state, out = transform.init(w), [w]
            for g in gradients:
                updates, state = transform.update(g, state, out[-1])
                out.append(np.asarray(optax.apply_updates(out[-1], updates)).astype(dtype))
            return out

        return run

    return {
        "lion": steps(optax.lion(LR, 0.8, 0.7, weight_decay=WD)),
        "lamb": steps(optax.lamb(LR, B1, B2, EPS, weight_decay=WD)),
        "radam_without_epsilon": steps(optax.radam(LR, B1, 0.97, 1e-30)),
        # Its momentum is of the scaled gradients, TensorFlow's of the gradients: they agree without.
        "lars_without_momentum": steps(optax.lars(LR, 0.0, trust_coefficient=0.3, eps=EPS, momentum=0.0)),
    }


def fbgemm_cases() -> dict[str, Callable[[Any], list[np.ndarray]]]:
    """The rules that FBGEMM has on processors; its backward pass updates the rows. Bags of one id each."""
    import torch
    from fbgemm_gpu.split_embedding_configs import EmbOptimType
    from fbgemm_gpu.split_table_batched_embeddings_ops_common import EmbeddingLocation
    from fbgemm_gpu.split_table_batched_embeddings_ops_training import (
        ComputeDevice,
        SplitTableBatchedEmbeddingBagsCodegen,
    )

    def steps(kind: Any, accumulator: float) -> Callable[[Any], list[np.ndarray]]:
        def run(dtype: Any) -> list[np.ndarray]:
            w, gradients = start(dtype, FBGEMM_SHAPE)
            place = (*FBGEMM_SHAPE, EmbeddingLocation.HOST, ComputeDevice.CPU)
            table = SplitTableBatchedEmbeddingBagsCodegen([place], optimizer=kind, learning_rate=LR, eps=1e-30)
            (weights,) = table.split_embedding_weights()
            with torch.no_grad():
                weights.copy_(torch.tensor(w))
                for states in table.split_optimizer_states() if accumulator else ():
                    states[0].fill_(accumulator)
            out = [w]
            for g in gradients:
                rows = table(torch.tensor(FBGEMM_IDS), torch.arange(len(FBGEMM_IDS) + 1))
                rows.backward(torch.tensor(g[FBGEMM_IDS]))
                out.append(weights.detach().numpy().copy())
            return out

        return run

    return {
        "sgd_rows": steps(EmbOptimType.EXACT_SGD, 0),
        "adagrad_rows": steps(EmbOptimType.EXACT_ADAGRAD, 0.1),
        "rowwise_adagrad_rows": steps(EmbOptimType.EXACT_ROWWISE_ADAGRAD, 0.1),
    }


LIBRARIES = {
    "tensorflow": ("tensorflow", tensorflow_cases),
    "torch": ("torch", torch_cases),
    "optax": ("optax", optax_cases),
    "fbgemm": ("fbgemm_gpu", fbgemm_cases),
}


def main() -> None:
    found = dict(np.load(PATH)) if PATH.exists() else {}
    for dtype in (np.float32, np.float64):
        found[f"gradients.{np.dtype(dtype)}"] = start(dtype)[1]
    found["gradients.fbgemm.float32"] = start(np.float32, FBGEMM_SHAPE)[1]
    for library, (module, cases) in LIBRARIES.items():
        if importlib.util.find_spec(module):
            for name, run in cases().items():
                for dtype in (np.float32, np.float64) if library != "fbgemm" else (np.float32,):
                    found[f"{library}.{name}.{np.dtype(dtype)}"] = np.stack(run(dtype))
    np.savez_compressed(PATH, **dict(sorted(found.items())))


if __name__ == "__main__":
    main()
