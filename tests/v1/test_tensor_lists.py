"""Lists of tensors, TensorFlow's `list_ops`: what they hold, what they refuse, gradients, loops and eager mode."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.ops import gen_list_ops, list_ops

import steepest.v1 as tf

REFUSED = tf.errors.InvalidArgumentError


def run(fetches):
    with tf.Session() as session:
        return session.run(fetches)


def filled(values, shape=None, limit=None):
    held = list_ops.empty_tensor_list(shape, tf.float32, limit)
    for value in values:
        held = list_ops.tensor_list_push_back(held, value)
    return held


def test_elements_are_pushed_popped_read_and_set():
    with tf.Graph().as_default():
        held = filled([1.0, 2.0, 3.0], [])
        rest, last = list_ops.tensor_list_pop_back(held, tf.float32)
        changed = list_ops.tensor_list_set_item(held, 1, 7.0)
        longer = list_ops.tensor_list_set_item(rest, 3, 9.0, resize_if_index_out_of_bounds=True)
        values = run(
            [
                last,
                list_ops.tensor_list_length(rest),
                list_ops.tensor_list_get_item(changed, 1, tf.float32),
                list_ops.tensor_list_stack(longer, tf.float32),
                list_ops.tensor_list_gather(held, [2, 0], tf.float32),
                list_ops.tensor_list_stack(list_ops.tensor_list_resize(held, 1), tf.float32),
                list_ops.tensor_list_element_shape(filled([], [None, 3]), tf.int64),
            ]
        )
        expected = [3.0, 2, 7.0, [1.0, 2.0, 0.0, 9.0], [3.0, 1.0], [1.0], [-1, 3]]
        assert [np.asarray(value).tolist() for value in values] == expected
        assert list_ops.tensor_list_stack(held, tf.float32).shape.as_list() == [None]
        assert list_ops.tensor_list_gather(held, [0, 1], tf.float32).shape.as_list() == [2]


def test_rows_and_pieces_of_tensors():
    with tf.Graph().as_default():
        rows = list_ops.tensor_list_from_tensor([[1.0, 2.0], [3.0, 4.0]], [2])
        pieces = list_ops.tensor_list_split([[1.0], [2.0], [3.0]], [None, 1], [1, 2])
        spread = gen_list_ops.tensor_list_scatter_v2([5.0, 6.0], [3, 0], [], num_elements=5)
        over = list_ops.tensor_list_scatter([8.0], [1], [], spread)
        batch = tf.stack([filled([1.0]), filled([2.0, 3.0])])
        both = tf.unstack(list_ops.tensor_list_concat_lists(batch, batch, tf.float32))
        more = tf.unstack(list_ops.tensor_list_push_back_batch(batch, [4.0, 5.0]))
        values = run(
            [
                list_ops.tensor_list_stack(rows, tf.float32),
                list_ops.tensor_list_concat(pieces, tf.float32),
                list_ops.tensor_list_get_item(pieces, 1, tf.float32),
                list_ops.tensor_list_stack(over, tf.float32),
                list_ops.tensor_list_stack(both[1], tf.float32),
                list_ops.tensor_list_stack(more[0], tf.float32),
            ]
        )
        assert [value.tolist() for value in values] == [
            [[1, 2], [3, 4]],
            [[1], [2], [3]],
            [[2], [3]],
            [6, 8, 0, 5, 0],
            [2, 3, 2, 3],
            [1, 4],
        ]


def test_what_is_not_there_or_does_not_fit_is_refused():
    with tf.Graph().as_default():
        reserved = list_ops.tensor_list_reserve(None, 3, tf.float32)
        cases = {
            "Tried to push item into a full list": filled([1.0, 2.0], [], 1),
            "Trying to pop from an empty list": list_ops.tensor_list_pop_back(filled([]), tf.float32)[1],
            "Trying to modify element 5": list_ops.tensor_list_set_item(filled([1.0]), 5, 1.0),
            "Tried to append a tensor with incompatible shape": filled([[1.0]], []),
            "Trying to read an uninitialized tensor": list_ops.tensor_list_get_item(reserved, 0, tf.float32),
            "list which only contains uninitialized": list_ops.tensor_list_stack(reserved, tf.float32),
            "Tried to gather uninitialized tensors": list_ops.tensor_list_gather(reserved, [0], tf.float32),
            "Tried to stack elements of an empty list": list_ops.tensor_list_stack(filled([]), tf.float32),
            "Incompatible ranks during merge: 0 vs. 1": list_ops.tensor_list_stack(filled([1.0, [2.0]]), tf.float32),
            "Incompatible shapes during merge": list_ops.tensor_list_stack(filled([[1.0], [2.0, 3.0]]), tf.float32),
            "Invalid number of rows": list_ops.tensor_list_scatter([1.0], [0, 1], []),
            "must all be non-negative": list_ops.tensor_list_scatter([1.0], [-1], []),
            "Trying to scatter at index 3": gen_list_ops.tensor_list_scatter_v2([1.0], [3], [], num_elements=3),
            "Concat saw a scalar shape": list_ops.tensor_list_concat(filled([1.0]), tf.float32),
            "Unused values in tensor": list_ops.tensor_list_split([1.0, 2.0], [None], [1]),
            "Invalid data types": list_ops.tensor_list_push_back(filled([]), 1),
        }
        for words, fetched in cases.items():
            with pytest.raises(REFUSED, match=words):
                run(list_ops.tensor_list_length(fetched) if fetched.dtype == "variant" else fetched)
        with pytest.raises(ValueError, match="Incompatible shapes during merge"):
            gen_list_ops.tensor_list_get_item(
                list_ops.tensor_list_reserve([None, 2], 3, tf.float32), 0, [1, 3], tf.float32
            )


def test_elements_that_were_not_written_are_zeros():
    with tf.Graph().as_default():
        held = list_ops.tensor_list_set_item(list_ops.tensor_list_reserve(None, 3, tf.float32), 1, [1.0, 2.0])
        assert run(list_ops.tensor_list_stack(held, tf.float32)).tolist() == [[0, 0], [1, 2], [0, 0]]
        assert run(list_ops.tensor_list_gather(held, [1, 2], tf.float32)).tolist() == [[1, 2], [0, 0]]


@pytest.mark.parametrize("eager", [False, True])
def test_gradients_flow_through_lists(eager):
    with tf.Graph().as_default(), context.eager_mode() if eager else context.graph_mode():
        x, y = tf.constant([1.0, 2.0]), tf.constant(3.0)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x, y])
            held = list_ops.tensor_list_set_item(list_ops.tensor_list_from_tensor(x, []), 0, y)
            both = [list_ops.tensor_list_get_item(held, k, tf.float32) for k in (0, 1)]
            product = both[0] * both[0] + both[1] * both[1]
        found = tape.gradient(product, [x, y])
        values = [each.numpy() for each in found] if eager else run(found)
        assert [value.tolist() for value in values] == [[0.0, 4.0], 6.0]


@pytest.mark.parametrize("eager", [False, True])
def test_loops_push_to_lists(eager):
    with tf.Graph().as_default(), context.eager_mode() if eager else context.graph_mode():
        held = list_ops.empty_tensor_list([], tf.int32)
        _, held = tf.while_loop(
            lambda k, _: k < 4, lambda k, x: (k + 1, list_ops.tensor_list_push_back(x, k)), [tf.constant(0), held]
        )
        stacked = list_ops.tensor_list_stack(held, tf.int32)
        assert (stacked.numpy() if eager else run(stacked)).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("eager", [False, True])
def test_lists_are_tensors_of_variants(eager):
    with tf.Graph().as_default(), context.eager_mode() if eager else context.graph_mode():
        a, b = list_ops.tensor_list_from_tensor([1.0, 2.0], []), list_ops.tensor_list_from_tensor([3.0, 4.0], [])
        assert a.dtype == tf.variant
        assert a.shape == []
        both = tf.stack([a, b])
        assert both.dtype == tf.variant
        parts = [*tf.unstack(both), both[1], tf.add_n([a, b, a]), tf.zeros_like(b), tf.identity(a), tf.gather(both, 1)]
        nested = list_ops.tensor_list_push_back(list_ops.empty_tensor_list([], tf.variant), a)
        _, inner = list_ops.tensor_list_pop_back(tf.zeros_like(tf.add_n([nested, nested])), tf.variant)
        values = [list_ops.tensor_list_stack(part, tf.float32) for part in [*parts, inner]]
        values = [value.numpy() for value in values] if eager else run(values)
        expected = [[1, 2], [3, 4], [3, 4], [5, 8], [0, 0], [1, 2], [3, 4], [0, 0]]
        assert [value.tolist() for value in values] == expected


def test_functions_of_eager_mode_return_lists():
    with context.eager_mode():

        @tf.function
        def pushed(x):
            held = list_ops.tensor_list_push_back(list_ops.empty_tensor_list(None, tf.float32), x)
            return list_ops.tensor_list_push_back(held, x * 2)

        assert list_ops.tensor_list_stack(pushed(tf.constant([1.0])), tf.float32).numpy().tolist() == [[1.0], [2.0]]


def test_more_is_refused_of_lists():
    with tf.Graph().as_default():
        held = list_ops.tensor_list_from_tensor([1.0, 2.0], [])
        empty = list_ops.tensor_list_reserve(None, 3, tf.float32)
        of_vectors = list_ops.tensor_list_reserve([None, 3], 3, tf.float32)
        wrong = {
            "op elements int32 but list elements float": list_ops.tensor_list_get_item(held, 0, tf.int32),
            "with different lengths. One is 2 and the other is 3": list_ops.tensor_list_length(tf.add_n([held, empty])),
            "element_shape_except_first_dim_ is not fully defined": list_ops.tensor_list_concat(empty, tf.float32),
            "uninitialized tensor at index 0": list_ops.tensor_list_concat(of_vectors, tf.float32),
            "Invalid value in lengths: -1": list_ops.tensor_list_split([1.0, 2.0], None, [1, -1]),
        }
        for words, fetch in wrong.items():
            with pytest.raises(REFUSED, match=words):
                run(fetch)


def test_lists_of_gradients_arrive_at_lists():
    with tf.Graph().as_default(), tf.Session() as session:
        first, second = tf.constant(1.0), tf.constant(2.0)
        pushed, arriving = filled([first * first, second * 3.0], []), filled([5.0, 7.0], [])
        assert session.run(tf.gradients(pushed, [first, second], grad_ys=arriving)) == [10.0, 21.0]
        # Of gradients for more elements the last ones are those of the list.
        assert session.run(tf.gradients(filled([first], []), first, grad_ys=arriving)) == [7.0]


def test_lengths_of_elements_that_were_not_written_are_guessed():
    with tf.Graph().as_default():
        held = list_ops.tensor_list_reserve(None, 3, tf.float32)
        one = list_ops.tensor_list_set_item(held, 1, [[2.0, 3.0], [4.0, 5.0]])
        alike = gen_list_ops.tensor_list_concat(one, tf.float32)
        told = gen_list_ops.tensor_list_concat_v2(one, [-1, 2], [1, 7, 3], tf.float32)
        values = run([list_ops.tensor_list_concat(one, tf.float32), alike.lengths, *told])
    assert values[0].tolist() == [[0, 0]] * 2 + [[2, 3], [4, 5]] + [[0, 0]] * 2
    assert values[1].tolist() == [2, 2, 2]
    assert values[2].tolist() == [[0, 0]] + [[2, 3], [4, 5]] + [[0, 0]] * 3
    assert values[3].tolist() == [1, 2, 3]
    with context.eager_mode():
        held = list_ops.tensor_list_from_tensor([[1.0], [2.0]], [1])
        whole, lengths = gen_list_ops.tensor_list_concat(held, tf.float32)
        assert (whole.numpy().tolist(), lengths.numpy().tolist()) == ([1.0, 2.0], [1, 1])


def test_shapes_and_types_of_lists_are_refused_when_they_are_known():
    with tf.Graph().as_default():
        held = list_ops.tensor_list_from_tensor([1.0, 2.0], [])
        lists = tf.stack([held, held])
        ints = tf.stack([list_ops.tensor_list_from_tensor([1], [])] * 2)
        vectors = tf.stack([list_ops.tensor_list_from_tensor([[1.0]], [1])] * 2)
        wrong = {
            "at most rank 1 but is rank 2": lambda: list_ops.empty_tensor_list([[1]], tf.float32),
            "rank 0 but is rank 1": lambda: list_ops.tensor_list_resize(held, [1, 2]),
            "rank 0 but is rank 2: num": lambda: gen_list_ops.TensorListScatterV2(
                tensor=[2], indices=[0], element_shape=[], num_elements=np.zeros([3, 0])
            ),
            "equal rank, but are 1 and 0": lambda: list_ops.tensor_list_split([1.0], [], [1]),
            "equal rank, but are 0 and 1": lambda: list_ops.tensor_list_concat_lists(lists, vectors, tf.float32),
            "input_b.type != element_dtype: int32 vs. float": lambda: list_ops.tensor_list_concat_lists(
                lists, ints, tf.float32
            ),
            "List has type float but trying to push element with type int32": lambda: (
                list_ops.tensor_list_push_back_batch(lists, [3, 4])
            ),
        }
        for words, make in wrong.items():
            with pytest.raises(ValueError, match=words):
                make()
        sizes = tf.placeholder(tf.int32)
        assert list_ops._build_element_shape([None, 5, sizes])[1:] == [5, sizes]


def test_runs_refuse_what_only_they_know_of_lists():
    with tf.Graph().as_default(), tf.Session() as session:
        sizes, other = tf.placeholder(tf.int32), tf.placeholder(tf.int32)
        held = list_ops.tensor_list_from_tensor([1.0, 2.0], [])
        reserved = [list_ops.tensor_list_reserve(each, 3, tf.float32) for each in (sizes, other)]
        lists = tf.stack([held, held])
        wrong = {
            "incompatible element shapes. One is .* and the other is": (tf.add_n(reserved), [], [2]),
            "num_elements to reserve must be a tensor size 1": (
                list_ops.tensor_list_reserve([], sizes, tf.float32),
                [1, 2],
                0,
            ),
            "must be a non negative number, but got -1": (list_ops.tensor_list_reserve([], sizes, tf.float32), -1, 0),
            "at least of rank 1, but saw": (list_ops.tensor_list_split([1.0], sizes, [1]), [], 0),
            "is not compatible with element_shape": (list_ops.tensor_list_split([[1.0]], sizes, [1]), [1], 0),
            "size must be a scalar": (list_ops.tensor_list_resize(held, sizes), [1], 0),
            "must be at most rank 1": (list_ops.empty_tensor_list(sizes, tf.float32), [[1]], 0),
            "incompatible shape to a list at index 0": (
                list_ops.tensor_list_push_back_batch(lists, [[3.0], [4.0]]),
                0,
                0,
            ),
        }
        for words, (fetch, first, second) in wrong.items():
            with pytest.raises(REFUSED, match=words):
                session.run(list_ops.tensor_list_length(tf.identity(fetch)), {sizes: first, other: second})
    with context.eager_mode():
        ints, floats = (list_ops.tensor_list_from_tensor(rows, []) for rows in ([1], [1.0]))
        with pytest.raises(REFUSED, match=r"input_b\[0\].dtype != element_dtype"):
            list_ops.tensor_list_concat_lists(floats, ints, tf.float32)
