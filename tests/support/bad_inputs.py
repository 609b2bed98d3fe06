"""Bad inputs as data: what is done, the exception, and a pattern of its message."""

from __future__ import annotations

import numpy as np
from bad_world import Bad, read_only, slices, with_optimizer

import steepest as st

NAN, INF = float("nan"), float("inf")

SHAPES = [
    Bad(
        "third-pair",
        lambda t: t.apply((np.ones(2), t.s)),
        ValueError,
        r"gradient 2 of 's' must have the variable's shape",
    ),
    Bad("transposed", lambda t: t.apply((np.ones((3, 5)), t.w)), ValueError, r"shape \(5, 3\), got shape \(3, 5\)"),
    Bad("broadcastable", lambda t: t.apply((np.ones(3), t.w)), ValueError, "not broadcast"),
    Bad("scalar-for-matrix", lambda t: t.apply((1.0, t.w)), ValueError, r"got shape \(\)"),
    Bad("one-too-many", lambda t: t.apply((np.ones(7), t.a)), ValueError, r"\(6,\), got shape \(7,\)"),
    Bad("extra-axis", lambda t: t.apply((np.ones((6, 1)), t.a)), ValueError, r"got shape \(6, 1\)"),
    Bad("inner-shape", lambda t: t.apply((slices(np.ones((2, 4)), [0, 1]), t.w)), ValueError, r"\(2, 3\).*\(2, 4\)"),
    Bad("values-1-d", lambda t: t.apply((slices(np.ones(2), [0, 1]), t.w)), ValueError, r"got shape \(2,\)"),
    Bad("slices-of-scalar", lambda t: t.apply((slices(np.ones(1), [0]), t.s)), ValueError, "dense for a scalar"),
    Bad("ragged", lambda t: t.apply(([[1.0], [1.0, 2.0]], t.w)), TypeError, "be an array, IndexedSlices or None"),
]
INDICES = [
    Bad(
        "negative",
        lambda t: t.apply((slices(np.ones((2, 3)), [1, -1]), t.w)),
        IndexError,
        r"\[0, 5\), got -1 at position 1",
    ),
    Bad(
        "too-large",
        lambda t: t.apply((slices(np.ones((2, 3)), [5, 0]), t.w)),
        IndexError,
        r"\[0, 5\), got 5 at position 0",
    ),
    Bad(
        "int32-max", lambda t: t.apply((slices(np.ones((1, 3)), np.int32([2**31 - 1])), t.w)), IndexError, "2147483647"
    ),
    Bad(
        "int64-min",
        lambda t: t.apply((slices(np.ones((1, 3)), np.int64([-(2**63)])), t.w)),
        IndexError,
        "-9223372036854775808",
    ),
    Bad(
        "last-of-many", lambda t: t.apply((slices(np.ones((999, 3)), [0] * 998 + [9]), t.w)), IndexError, "position 998"
    ),
    Bad("no-rows", lambda t: t.apply((slices(np.ones((1, 3)), [0]), np.ones((0, 3)))), IndexError, r"\[0, 0\)"),
    Bad("2-d", lambda t: slices(np.ones((1, 3)), [[0]]), ValueError, "1-D"),
    Bad("float", lambda t: slices(np.ones((1, 3)), np.array([0.0])), TypeError, "int32 or int64"),
    Bad("uint8", lambda t: slices(np.ones((1, 3)), np.array([0], np.uint8)), TypeError, "int32 or int64"),
    Bad("bool", lambda t: slices(np.ones((1, 3)), np.array([True])), TypeError, "int32 or int64"),
    Bad("fewer-than-values", lambda t: slices(np.ones((2, 3)), [0]), ValueError, "values"),
    Bad("scalar-values", lambda t: slices(np.float64(1), [0]), ValueError, "values"),
]
KINDS = [
    Bad("complex", lambda t: t.apply((np.ones(6, complex), t.a)), TypeError, "same_kind"),
    Bad("string", lambda t: t.apply((np.array(["x"] * 6), t.a)), TypeError, "same_kind"),
    Bad("object", lambda t: t.apply((np.array([object()] * 6), t.a)), TypeError, "same_kind"),
    Bad("dates", lambda t: t.apply((np.zeros(6, "M8[s]"), t.a)), TypeError, "same_kind"),
    Bad("thing", lambda t: t.apply((object(), t.a)), TypeError, "same_kind"),
    Bad("complex-slices", lambda t: t.apply((slices(np.ones((1, 3), complex), [0]), t.w)), TypeError, "same_kind|real"),
    Bad("int-array", lambda t: t.apply((np.ones(3), np.ones(3, int))), TypeError, "float16, float32, float64"),
    Bad("int-variable", lambda t: t.apply((np.ones(()), t.step)), TypeError, "'step' must be of a floating type"),
    Bad("object-array", lambda t: t.apply((np.ones(3), np.ones(3, object))), TypeError, "dtype object"),
    Bad("complex-array", lambda t: t.apply((np.ones(3), np.ones(3, complex))), TypeError, "dtype complex128"),
    Bad("longdouble", lambda t: t.apply((np.ones(3), np.ones(3, np.longdouble))), TypeError, "native byte order"),
    Bad("swapped", lambda t: t.apply((np.ones(3), np.ones(3, ">f4"))), TypeError, "native byte order"),
    Bad("masked", lambda t: t.apply((np.ones(3), np.ma.ones(3))), TypeError, "without a mask"),
    Bad("read-only", lambda t: t.apply((np.ones(3), read_only())), ValueError, "must be writable"),
    Bad(
        "broadcast-view",
        lambda t: t.apply((np.ones((2, 3)), np.broadcast_to(np.ones(3), (2, 3)))),
        ValueError,
        "writable",
    ),
    Bad("string-variable", lambda t: t.apply((np.ones(3), "w")), TypeError, "a Variable or a NumPy array"),
    Bad("float-variable", lambda t: t.apply((1.0, 2.0)), TypeError, "got 2.0; wrap it in steepest.Variable"),
    Bad("list-variable", lambda t: t.apply((np.ones(2), [1.0, 2.0])), TypeError, "a Variable or a NumPy array"),
    Bad(
        "tensor",
        lambda t: t.apply((np.ones(2), st.constant([1.0, 2.0]))),
        NotImplementedError,
        "Trying to update a Tensor",
    ),
]
PAIRS = [
    Bad("none", lambda t: t.opt.apply_gradients(None), TypeError, "iterable of"),
    Bad("array", lambda t: t.opt.apply_gradients(np.ones((2, 2))), TypeError, "iterable of"),
    Bad("variable", lambda t: t.opt.apply_gradients(t.w), TypeError, "iterable of"),
    Bad("empty", lambda t: t.opt.apply_gradients([]), ValueError, "No variables provided"),
    Bad(
        "triples",
        lambda t: t.opt.apply_gradients([(1, 2, 3)]),
        ValueError,
        r"\[0\] must be a \(gradient, variable\) pair",
    ),
    Bad("flat", lambda t: t.opt.apply_gradients([np.ones(3), t.w]), ValueError, "pair"),
    Bad("all-none", lambda t: t.opt.apply_gradients([(None, t.w)]), ValueError, "No gradients provided"),
    Bad("step-number", lambda t: t.apply(global_step=3), TypeError, "global_step must be a numeric Variable"),
    Bad("step-array", lambda t: t.apply(global_step=np.int64(3)), TypeError, "global_step"),
]
HYPER = [
    Bad("nan-rate", lambda t: st.AdamOptimizer(NAN), ValueError, "learning_rate must be finite, got nan"),
    Bad("inf-rate", lambda t: st.GradientDescentOptimizer(INF), ValueError, "learning_rate must be finite, got inf"),
    Bad("rate-string", lambda t: st.GradientDescentOptimizer("fast"), TypeError, "learning_rate must be a number"),
    Bad("rate-none", lambda t: st.MomentumOptimizer(None, 0.9), TypeError, "learning_rate must be a number"),
    Bad("momentum-nan", lambda t: st.MomentumOptimizer(0.1, NAN), ValueError, "momentum must be finite"),
    Bad("beta1-one", lambda t: st.AdamOptimizer(beta1=1.0), ValueError, r"beta1 must be in \[0, 1\), got 1.0"),
    Bad("beta2-negative", lambda t: st.AdamOptimizer(beta2=-0.1), ValueError, "beta2 must be in"),
    Bad("epsilon-negative", lambda t: st.LazyAdamOptimizer(epsilon=-1e-8), ValueError, "epsilon must be at least 0"),
    Bad(
        "accumulator-zero",
        lambda t: st.AdagradOptimizer(0.1, 0.0),
        ValueError,
        "initial_accumulator_value must be positive",
    ),
    Bad("decay-start", lambda t: st.AdagradDecayOptimizer(0.1, None, -1.0), ValueError, "must be positive"),
    Bad("decay-step-0", lambda t: st.AdagradDecayOptimizer(0.1, accumulator_decay_step=0), ValueError, "at least 1"),
    Bad(
        "decay-step-half",
        lambda t: st.AdagradDecayOptimizer(0.1, accumulator_decay_step=0.5),
        ValueError,
        "integer of at least 1",
    ),
    Bad(
        "decay-rate-1", lambda t: st.AdagradDecayOptimizer(0.1, accumulator_decay_rate=1.0), ValueError, r"in \(0, 1\)"
    ),
    Bad(
        "decay-global-step",
        lambda t: st.AdagradDecayOptimizer(0.1, -1),
        ValueError,
        "global_step must be an integer of at least 0",
    ),
    Bad("no-name", lambda t: st.AdamOptimizer(name=""), ValueError, "name must be a non-empty string"),
    Bad("hook-number", lambda t: st.AdamOptimizer(hooks=[3]), TypeError, "hooks must be callables"),
]


LATER = [
    Bad(
        "callable-nan",
        with_optimizer(lambda: st.AdamOptimizer(lambda: NAN)),
        ValueError,
        "learning_rate must be finite",
    ),
    Bad("callable-none", with_optimizer(lambda: st.AdagradOptimizer(lambda: None)), TypeError, "learning_rate must be"),
    Bad("callable-raises", with_optimizer(lambda: st.AdamOptimizer(lambda: 1 / 0)), ZeroDivisionError, "division"),
    Bad(
        "vector-rate",
        with_optimizer(lambda: st.AdamOptimizer(np.ones(2))),
        ValueError,
        "learning_rate must be a scalar",
    ),
    Bad("variable-rate", with_optimizer(lambda: st.AdamOptimizer(st.Variable(NAN))), ValueError, "must be finite"),
    Bad("complex-rate", with_optimizer(lambda: st.AdamOptimizer(np.complex64(1))), TypeError, "real number"),
    Bad("hook-none", with_optimizer(lambda: st.AdamOptimizer(hooks=[lambda p: None])), TypeError, "return a list"),
    Bad(
        "hook-shape",
        with_optimizer(lambda: st.AdamOptimizer(hooks=[lambda p: [(g[:1] if g.ndim else g, v) for g, v in p]])),
        ValueError,
        "the variable's shape",
    ),
    Bad(
        "hook-raises", with_optimizer(lambda: st.AdamOptimizer(hooks=[lambda p: 1 / 0])), ZeroDivisionError, "division"
    ),
    Bad("base-class", with_optimizer(lambda: st.Optimizer(False, "Base")), NotImplementedError, "define _apply_dense"),
    Bad(
        "many-hooks",
        with_optimizer(lambda: st.AdamOptimizer(hooks=[st.ClipByValue(-1, 1)] * 17)),
        ValueError,
        "at most 16",
    ),
    Bad(
        "not-finite",
        lambda t: st.AdamOptimizer(hooks=[st.CheckFinite()]).apply_gradients([(np.array([1.0, NAN, 1, 1, 1, 1]), t.a)]),
        ValueError,
        "must be finite",
    ),
]
HOOKS = [
    Bad("value-order", lambda t: st.ClipByValue(1, -1), ValueError, "low must be at most high"),
    Bad("value-nan", lambda t: st.ClipByValue(NAN, 1), ValueError, "low must be at most high"),
    Bad("norm-negative", lambda t: st.ClipByNorm(-1), ValueError, "norm must be at least 0"),
    Bad("global-nan", lambda t: st.ClipByGlobalNorm(NAN), ValueError, "norm must be at least 0"),
    Bad("decay-negative", lambda t: st.WeightDecay(-0.1), ValueError, "rate must be at least 0"),
    Bad("noise-string", lambda t: st.GradientNoise("loud"), TypeError, "stddev must be a number"),
    Bad("accumulate-0", lambda t: st.Accumulate(0), ValueError, "steps must be an integer of at least 1"),
    Bad("accumulate-float", lambda t: st.Accumulate(2.5), ValueError, "steps must be an integer"),
    Bad("finite-action", lambda t: st.CheckFinite("ignore"), ValueError, "action must be 'raise' or 'skip'"),
    Bad("clip-none", lambda t: st.clip_by_value(t.a, None, 1), TypeError, "clip_value_min must be a number"),
    Bad("clip-enlarges", lambda t: st.clip_by_value(t.a, np.zeros((2, 6)), 1), ValueError, "without enlarging"),
    Bad("clip-complex", lambda t: st.clip_by_norm(np.ones(2, complex), 1), TypeError, "real numbers"),
    Bad("clip-norm-none", lambda t: st.clip_by_norm(t.a, None), TypeError, "clip_norm must be a number"),
    Bad("clip-axis", lambda t: st.clip_by_norm(t.a, 1.0, axes=3), ValueError, "axes must be axes"),
    Bad("global-array", lambda t: st.clip_by_global_norm(t.a, 1.0), TypeError, "should be a sequence of tensors"),
    Bad("global-generator", lambda t: st.global_norm(g for g in [t.a]), TypeError, "should be a sequence of tensors"),
    Bad("global-negative", lambda t: st.clip_by_global_norm([t.a], -1.0), ValueError, "clip_norm must be at least 0"),
    Bad("norm-bad-row", lambda t: st.global_norm([slices(np.ones((1, 3)), [-1], (5, 3))]), IndexError, "position 0"),
]
COMPUTE = [
    Bad(
        "loss-value",
        lambda t: t.opt.minimize(3.0),
        RuntimeError,
        "be a function without arguments, got 3.0; write",
    ),
    Bad("loss-array", lambda t: t.opt.compute_gradients(t.a), RuntimeError, "must be a function"),
    Bad(
        "loss-none", lambda t: t.opt.minimize(lambda: None, var_list=[t.w]), TypeError, "must return a value, got None"
    ),
    Bad("loss-arguments", lambda t: t.opt.minimize(lambda x: x), TypeError, "argument"),
    Bad("loss-constant", lambda t: t.opt.minimize(lambda: np.float32(1.0)), ValueError, "No variables"),
    Bad(
        "unconnected",
        lambda t: t.opt.minimize(lambda: np.sum(t.w * 1.0), var_list=[t.v]),
        ValueError,
        "No gradients provided",
    ),
    Bad("no-var-list", lambda t: t.opt.minimize(lambda: np.sum(t.w * 1.0), var_list=[]), ValueError, "No variables"),
    Bad(
        "array-in-var-list",
        lambda t: t.opt.minimize(lambda: np.sum(t.w * 1.0), var_list=[t.a]),
        TypeError,
        "wrap it in steepest.Variable",
    ),
    Bad(
        "string-in-var-list", lambda t: t.opt.minimize(lambda: np.sum(t.w * 1.0), var_list=["w"]), TypeError, "var_list"
    ),
    Bad("no-rule", lambda t: t.opt.minimize(lambda: np.sum(np.i0(t.w))), TypeError, "i0"),
    Bad("complex-loss", lambda t: t.opt.minimize(lambda: np.sum(np.fft.fft(t.w))), TypeError, r"np\.real"),
    Bad("watch-array", lambda t: st.GradientTape().watch(t.a), ValueError, "ndarray"),
    Bad("gather-negative", lambda t: st.gather(t.w, [0, -1]), IndexError, "position 1"),
]
SETTINGS = [
    Bad("threads-0", lambda t: st.set_num_threads(0), ValueError, r"threads must be in \[1, 1024\], got 0"),
    Bad("threads-float", lambda t: st.set_num_threads(2.0), TypeError, "threads must be an integer"),
    Bad("threads-bool", lambda t: st.set_num_threads(True), TypeError, "threads must be an integer"),
    Bad("threads-huge", lambda t: st.set_num_threads(10**6), ValueError, "threads must be in"),
    Bad("assign-shape", lambda t: t.w.assign(np.ones(3)), ValueError, "shape"),
    Bad("assign-complex", lambda t: t.w.assign(np.ones((5, 3), complex)), TypeError, "assign"),
    Bad("variable-complex", lambda t: st.Variable(1j), TypeError, "Variable"),
    Bad("variable-object", lambda t: st.Variable(object()), TypeError, "Variable"),
]

BAD = {
    f"{group}-{bad.id}": bad
    for group, found in {
        "shape": SHAPES,
        "index": INDICES,
        "kind": KINDS,
        "pairs": PAIRS,
        "hyper": HYPER,
        "later": LATER,
        "hooks": HOOKS,
        "compute": COMPUTE,
        "settings": SETTINGS,
    }.items()
    for bad in found
}
