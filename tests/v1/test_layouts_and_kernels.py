"""Layouts of images, and generated modules' sums over indices, counts and batch statistics."""

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.framework import ops, test_util
from steepest.v1.python.kernel_tests.signal import test_util as signal_util
from steepest.v1.python.ops import (
    gen_linalg_ops,
    gen_math_ops,
    gen_nn_ops,
    gen_spectral_ops,
    math_grad,
    math_ops,
    nn_fused_batch_norm_grad,
    nn_ops,
)
from steepest.v1.python.ops.signal import fft_ops

import steepest.v1 as tf


def _run(*fetches):
    with tf.Session() as session:
        return session.run(fetches)


@pytest.fixture(autouse=True)
def _fresh_graph():
    tf.reset_default_graph()


def test_an_axis_of_one_layout_is_found_in_another():
    there = nn_ops.data_format_dim_map(tf.constant([[0, 1], [3, -1]]))
    assert _run(there)[0].tolist() == [[0, 2], [1, 1]]
    back = nn_ops.data_format_dim_map(there, src_format="NCHW", dst_format="NHWC")
    assert _run(back)[0].tolist() == [[0, 1], [3, 3]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="must determine a permutation, got NHWC to NCHZ"):
        _run(nn_ops.data_format_dim_map([0], dst_format="NCHZ"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Source format must be of length 4 or 5"):
        _run(nn_ops.data_format_dim_map([0], src_format="HW", dst_format="WH"))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"x must be in \[-4, 4\)"):
        _run(nn_ops.data_format_dim_map([4]))


def test_rows_of_a_layout_take_the_order_of_another():
    rows = np.arange(8).reshape(4, 2)
    assert _run(nn_ops.data_format_vec_permute(rows))[0].tolist() == rows[[0, 3, 1, 2]].tolist()
    with pytest.raises(ValueError, match=r"x must have 4 elements or rows, or 2"):
        nn_ops.data_format_vec_permute([1, 2, 3])
    without_n_and_c = nn_ops.data_format_vec_permute([4, 9, 3], src_format="NDHWC", dst_format="WHDCN")
    assert _run(without_n_and_c)[0].tolist() == [3, 9, 4]
    with pytest.raises(tf.errors.InvalidArgumentError, match="must contain H and W for 2D case"):
        _run(nn_ops.data_format_vec_permute([1, 2], src_format="1234", dst_format="4321"))


def test_sums_over_indices_of_a_list_of_tensors():
    x, y = np.random.default_rng(0).random((2, 3, 4)).astype(np.float32)
    assert np.allclose(_run(gen_linalg_ops.einsum([x, y], "ij,kj->ki"))[0], y @ x.T)
    twice = gen_linalg_ops.einsum([x], "ij->ii")
    assert np.allclose(_run(twice)[0], np.diag(x.sum(1)))
    thrice = _run(gen_linalg_ops.einsum([x[0]], "j->jjj"))[0]
    assert np.allclose(thrice.sum((1, 2)), x[0])
    assert np.count_nonzero(thrice) == 4


def test_counts_up_to_a_size():
    assert _run(gen_math_ops.bincount([1, 1, 7], 3, np.float32([])))[0].tolist() == [0, 2, 0]
    assert _run(gen_math_ops.bincount([1, 1, 0], 3, [0.5, 1.0, 2.0]))[0].tolist() == [2, 1.5, 0]
    assert gen_math_ops.bincount([1], tf.placeholder(tf.int32), []).shape.as_list() == [None]
    with pytest.raises(ValueError, match="must be non-negative"):
        gen_math_ops.bincount([1], -5, [])
    with pytest.raises(ValueError, match="Shape must be rank 0 but is rank 1 for 'Bincount'"):
        gen_math_ops.bincount([1], [1], [])
    with pytest.raises(tf.errors.InvalidArgumentError, match="non-negative"):
        _run(gen_math_ops.bincount([-1], 5, []))


@pytest.mark.parametrize("scaled", [True, False])
def test_slopes_of_a_batch_normalization_are_those_of_its_formula(scaled):
    rng = np.random.default_rng(1)
    x, g = (tf.constant(rng.random((3, 2, 4, 5))) for _ in range(2))
    m, v, beta, gamma = (tf.constant(rng.random(5)) for _ in range(4))
    test_util.set_producer_version(ops.get_default_graph(), 8)
    assert ops.get_default_graph().graph_def_versions.producer == 8
    y = gen_nn_ops._batch_norm_with_global_normalization(x, m, v, beta, gamma, 0.001, scaled)
    found = gen_nn_ops.batch_norm_with_global_normalization_grad(x, m, v, gamma, g, 0.001, scaled)
    wanted = tf.gradients(y, [x, m, v, beta, gamma], g)
    for ours, tape in zip(_run(*found), _run(*wanted), strict=True):
        assert np.allclose(ours, tape)


def test_one_row_of_logits_stands_for_all_rows_of_labels():
    labels = np.float32([[0, 0, 1], [0.5, 0.5, 0]])
    one = gen_nn_ops.softmax_cross_entropy_with_logits(np.float32([[1, 2, 3]]), labels)
    both = gen_nn_ops.softmax_cross_entropy_with_logits(np.float32([[1, 2, 3]] * 2), labels)
    for ours, wanted in zip(_run(*one), _run(*both), strict=True):
        assert np.allclose(ours, wanted)
    with pytest.raises(ValueError, match="rank 2, but is rank 3"):
        gen_nn_ops.softmax_cross_entropy_with_logits(labels[None], labels[None])


def test_transforms_name_the_rank_they_need():
    with pytest.raises(ValueError, match=r"Shape \(\) must have rank at least 1"):
        fft_ops.rfft(np.float32(1))
    with pytest.raises(ValueError, match="Dimension must be 1 but is 2"):
        fft_ops.rfft(np.ones(3, np.float32), [3, 3])
    with test_util.fft_kernel_label_map():
        assert _run(fft_ops.rfft(np.ones(4, np.float32)))[0].tolist() == [4, 0, 0]


def test_an_axis_is_said_once():
    x = np.arange(6.0).reshape(2, 3)
    for axes in ([0, 0], [0, -2]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Axes contains duplicate dimension: 0"):
            _run(tf.reduce_sum(x, axes))
    assert _run(math_ops.mul_no_nan(np.float32([np.nan, 2]), np.float32([0, 3])))[0].tolist() == [0, 6]


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
@pytest.mark.parametrize("trains", [True, False])
def test_slopes_of_fused_normalization_are_those_that_gradients_find(data_format, trains):
    rng = np.random.default_rng(3)
    arrays = [rng.random(shape).astype(np.float32) for shape in ((3, 2, 4, 2), (2,), (2,), (2,), (2,), (3, 2, 4, 2))]
    with tf.Graph().as_default(), tf.Session() as session:
        x, scale, offset, mean, variance, g = map(tf.constant, arrays)
        found = gen_nn_ops.fused_batch_norm_v2(
            x, scale, offset, mean, variance, 0.01, data_format=data_format, is_training=trains
        )
        inputs = g, x, scale, found.reserve_space_1, found.reserve_space_2
        form = 0.01, data_format, trains
        slopes = gen_nn_ops.fused_batch_norm_grad(*inputs, *form)[:3]
        last = gen_nn_ops.fused_batch_norm_grad_v3(*inputs, tf.zeros([0]), *form)[:3]
        direct = nn_fused_batch_norm_grad._BatchNormGrad(
            g, x, scale, mean, variance, 0.01, data_format.encode(), trains
        )
        want = session.run(tf.gradients(found.y, [x, scale, offset], g))
        for each in (slopes, last, direct):
            for ours, theirs in zip(session.run(each), want, strict=True):
                np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)


def test_what_the_slopes_of_fused_normalization_refuse():
    def of(g: tuple[int, ...], scale: int, mean: int, variance: int) -> None:
        gen_nn_ops.fused_batch_norm_grad_v2(
            tf.ones(g), tf.ones([2, 2, 2, 2]), tf.ones([scale]), tf.ones([mean]), tf.ones([variance])
        )

    with context.eager_mode():
        for sizes, words in {
            ((2, 2, 2, 3), 2, 2, 2): "x and y_backprop must have same shape,",
            ((2, 2, 2, 2), 3, 2, 2): "scale must have the same number of elements",
            ((2, 2, 2, 2), 2, 3, 2): "reserve_space_1 must have the same number of elements",
            ((2, 2, 2, 2), 2, 2, 3): "reserve_space_2 must have the same number of elements",
            ((2, 2), 2, 2, 2): "input must be 4-dimensional",
        }.items():
            with pytest.raises(tf.errors.InvalidArgumentError, match=words):
                of(*sizes)
        with pytest.raises(tf.errors.InvalidArgumentError, match="offset must have the same number of elements"):
            tf.nn.fused_batch_norm(tf.ones([1, 1, 1, 2]), tf.ones([2]), tf.ones([3]))
        few = {"mean": tf.ones([0]), "variance": tf.ones([2])}
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"When is_training=false, mean must have the same"):
            tf.nn.fused_batch_norm(tf.ones([1, 1, 1, 2]), tf.ones([2]), tf.ones([2]), **few, is_training=False)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"When exponential_avg_factor != 1, mean must have"):
            tf.nn.fused_batch_norm(tf.ones([1, 1, 1, 2]), tf.ones([2]), tf.ones([2]), **few, exponential_avg_factor=0.5)


def test_raw_batch_normalizations_have_the_results_of_their_kinds():
    given = {"scale": tf.ones([2]), "offset": tf.ones([2]), "mean": [], "variance": []}
    for kind, count in (("FusedBatchNorm", 5), ("FusedBatchNormV2", 5), ("FusedBatchNormV3", 6)):
        found = getattr(tf.raw_ops, kind)(x=tf.ones([1, 1, 2, 2]), **given)
        assert (found.y.op.type, len(found)) == (kind, count)


def test_generated_transforms_refuse_too_little():
    for transform, x in (
        (gen_spectral_ops.rfft, np.ones(5, np.float32)),
        (gen_spectral_ops.irfft, np.ones(3, np.complex64)),
    ):
        assert transform(x, [4]).shape.as_list() == [3 if transform is gen_spectral_ops.rfft else 4]
        with pytest.raises(tf.errors.InvalidArgumentError, match="Input dimension 0 must have length of at least"):
            _run(transform(x, [6]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="dimension 1 must have length of at least 6 but got: 5"):
        _run(gen_spectral_ops.rfft2d(np.ones((6, 5), np.float32), [6, 6]))


def test_axes_along_which_gradients_are_summed():
    infer = math_grad._InferGradientReductionAxes
    assert infer([2, 1, 3], [4, 1]) == ([1], [0, 2])
    assert infer([], [2, 3]) == ([0, 1], [])
    assert infer([None, 1], [1, 2]) == ([1], [0])
    assert infer([None, 2], [None, 2]) == infer(None, [1]) == (None, None)


def test_graphs_are_folded_where_nothing_is_fed():
    with tf.Graph().as_default() as graph:
        total = tf.add(tf.constant([1.0, 2.0]), 3.0, name="total")
        fed = tf.multiply(total, tf.placeholder(tf.float32), name="fed")
    folded = signal_util.grappler_optimize(graph, [total])
    assert [(node.name, node.op) for node in folded.node] == [("total", "Const")]
    assert tf.make_ndarray(folded.node[0].attr["value"].tensor).tolist() == [4, 5]
    kept = signal_util.grappler_optimize(graph, [fed])
    assert {node.name for node in kept.node} >= {"total", "fed"}
