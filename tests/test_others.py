"""Rules step by step against TensorFlow's kernels, torch, optax and FBGEMM (``tests/record_others.py`` asks them)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import steepest as st
from record_others import B1, B2, B3, EPS, FBGEMM_IDS, IDS, LR, WD

RECORDED = dict(np.load(Path(__file__).parent / "data" / "others.npz"))
LIMITS = {"float32": 3e-6, "float64": 2e-12}
ADAM = (LR, B1, B2, EPS)


def sign_decay(global_step: object) -> float:
    return 0.75


CASES = {
    "tensorflow.ada_max": lambda: st.AdaMaxOptimizer(*ADAM),
    "tensorflow.nadam": lambda: st.NadamOptimizer(*ADAM),
    "tensorflow.nadam_rows": lambda: st.AdamOptimizer(*ADAM, use_nesterov=True),
    "tensorflow.amsgrad": lambda: st.AdamOptimizer(*ADAM, amsgrad=True),
    "tensorflow.add_sign": lambda: st.AddSignOptimizer(LR, 0.6, B1, sign_decay),
    "tensorflow.add_sign_rows": lambda: st.AddSignOptimizer(LR, 0.6, B1, sign_decay),
    "tensorflow.power_sign": lambda: st.PowerSignOptimizer(LR, 3.0, B1, sign_decay),
    "tensorflow.lars": lambda: st.LARSOptimizer(LR, B1, WD, 0.3, EPS),
    "tensorflow.lars_nesterov": lambda: st.LARSOptimizer(LR, B1, WD, 0.3, EPS, use_nesterov=True),
    "torch.radam": lambda: st.RAdamOptimizer(LR, B1, 0.97, EPS),
    "torch.ada_max_without_epsilon": lambda: st.AdaMaxOptimizer(LR, B1, B2, 1e-30),
    "torch.amsgrad_without_epsilon": lambda: st.AdamOptimizer(LR, B1, B2, 1e-30, amsgrad=True),
    "torch.adamw_without_epsilon": lambda: st.AdamW(LR, B1, B2, 1e-30, WD),
    "torch.adan": lambda: st.AdanOptimizer(LR, B1, 0.7, B3, EPS, WD),
    "optax.lion": lambda: st.LionOptimizer(LR, 0.8, 0.7, WD),
    "optax.lamb": lambda: st.LAMBOptimizer(LR, B1, B2, EPS, WD),
    "optax.radam_without_epsilon": lambda: st.RAdamOptimizer(LR, B1, 0.97, 1e-30),
    "optax.lars_without_momentum": lambda: st.LARSOptimizer(LR, 0.0, 0.0, 0.3, EPS),
    "fbgemm.sgd_rows": lambda: st.GradientDescentOptimizer(LR),
    "fbgemm.adagrad_rows": lambda: st.AdagradOptimizer(LR, 0.1),
    "fbgemm.rowwise_adagrad_rows": lambda: st.RowWiseAdagradOptimizer(LR, 0.1),
}
RUNS = [(case, dtype) for case in CASES for dtype in LIMITS if f"{case}.{dtype}" in RECORDED]


def differences(case: str, dtype: str) -> np.ndarray:
    """How far each step is from what is recorded, against max(1, |value|)."""
    recorded = RECORDED[f"{case}.{dtype}"]
    w, opt = recorded[0].copy(), CASES[case]()
    library = case.partition(".")[0]
    gradients = RECORDED.get(f"gradients.{library}.{dtype}", RECORDED[f"gradients.{dtype}"])
    ids = FBGEMM_IDS if library == "fbgemm" else IDS
    out = []
    for g, expected in zip(gradients, recorded[1:], strict=True):
        opt.apply_gradients([(st.IndexedSlices(g[ids], ids) if case.endswith("_rows") else g, w)])
        out.append(np.max(np.abs(w - expected) / np.maximum(1, np.abs(expected))))
    return np.array(out)


@pytest.mark.parametrize(("case", "dtype"), RUNS)
def test_every_step_is_theirs(case: str, dtype: str):
    assert differences(case, dtype).max() < LIMITS[dtype]


def test_every_recorded_case_is_compared():
    recorded = {name.rpartition(".")[0] for name in RECORDED if not name.startswith("gradients.")}
    assert recorded == set(CASES)


@pytest.mark.parametrize("case", CASES)
def test_a_slightly_wrong_step_is_seen(case: str, monkeypatch: pytest.MonkeyPatch):
    make = CASES[case]

    def wrong() -> st.Optimizer:
        opt = make()
        opt.learning_rate = LR * 1.001
        return opt

    monkeypatch.setitem(CASES, case, wrong)
    widest = max(dtype for name, dtype in RUNS if name == case)  # FBGEMM has no float64
    assert differences(case, widest).max() > (1e4 if widest == "float64" else 3) * LIMITS[widest]


def test_adamw_is_adam_with_the_decay_that_the_learning_rate_scales():
    g, w, v = np.random.default_rng(0).normal(size=(3, 50))
    v = w.copy()
    a, b = st.AdamW(0.1, weight_decay=0.5), st.AdamOptimizer(0.1)
    for _ in range(3):
        a.apply_gradients([(g, w)])
        v -= v * (0.1 * 0.5)
        b.apply_gradients([(g, v)])
    np.testing.assert_array_equal(w, v)


def test_an_adan_row_that_comes_late_has_no_difference_at_first():
    late, alone = np.ones((2, 3)), np.ones((2, 3))
    a, b = st.AdanOptimizer(0.1), st.AdanOptimizer(0.1)
    g = np.full((1, 3), 2.0)
    a.apply_gradients([(st.IndexedSlices(g, [0]), late)])
    a.apply_gradients([(st.IndexedSlices(g, [1]), late)])
    np.testing.assert_array_equal(a.get_slot(late, "v").value, 0)
    b.apply_gradients([(st.IndexedSlices(g, [0]), alone)])
    b.apply_gradients([(st.IndexedSlices(g + 1, [0]), alone)])
    assert (b.get_slot(alone, "v").value[0] != 0).all()


def test_the_sign_of_a_missing_gradient_is_zero_and_nan_stays():
    g = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1e-30, 2.0], np.float32)
    w = np.zeros(7, np.float32)
    st.LionOptimizer(1.0).apply_gradients([(g, w)])
    np.testing.assert_array_equal(w, -np.sign(g * np.float32(1 - 0.9)))
    w = np.zeros(7, np.float32)
    st.PowerSignOptimizer(1.0, base=2.0).apply_gradients([(g, w)])
    np.testing.assert_array_equal(w, np.float32(-2) * g)


def test_powersigns_factor_is_the_power():
    rng = np.random.default_rng(0)
    for base, decay in zip(10 ** rng.uniform(-3, 3, 200), rng.uniform(-2, 2, 200), strict=True):
        w = np.zeros(1)
        opt = st.PowerSignOptimizer(1.0, float(base), sign_decay_fn=lambda step, decay=decay: float(decay))
        opt.apply_gradients([(np.ones(1), w)])
        np.testing.assert_allclose(-w, base**decay, rtol=2e-14)


def test_signs_decay_by_the_global_step():
    step = st.Variable(np.int64(3), trainable=False)
    seen = []

    def decay(global_step: st.Variable) -> float:
        seen.append(int(global_step.value))
        return 1 - int(global_step.value) / 4

    w, opt = np.zeros(1), st.AddSignOptimizer(1.0, sign_decay_fn=decay)
    for _ in range(3):
        opt.apply_gradients([(np.ones(1), w)], step)
    assert seen == [3, 4, 5]
    np.testing.assert_allclose(w, -(1.25 + 1 + 0.75))
    with pytest.raises(ValueError, match=r"sign_decay_fn: value must be finite"):
        st.AddSignOptimizer(sign_decay_fn=lambda step: np.nan).apply_gradients([(np.ones(1), w)])
    np.testing.assert_allclose(w, -3)
