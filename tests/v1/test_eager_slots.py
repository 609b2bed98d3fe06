"""What programs of eager mode see of an optimizer's slots and powers: TensorFlow's types."""

import copy
import pickle

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set

OPTIMIZERS = {
    "momentum": lambda: tf.train.MomentumOptimizer(0.25, 0.5),
    "adam": lambda: tf.train.AdamOptimizer(0.25),
    "ftrl": lambda: tf.train.FtrlOptimizer(0.25),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.25),
}


@pytest.fixture(autouse=True)
def eagerly():
    with eager_execution_set(True):
        yield


def trained(optimizer, dtype=np.float16):
    v = tf.Variable(np.ones(3, dtype))
    for _ in range(2):
        optimizer.minimize(lambda: tf.reduce_sum(v * v))
    return v


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_slots_of_half_types_are_of_that_type(name, dtype):
    optimizer = OPTIMIZERS[name]()
    v = trained(optimizer, tf.as_dtype(dtype).as_numpy_dtype)
    for slot in (optimizer.get_slot(v, each) for each in optimizer.get_slot_names()):
        assert slot.dtype.name == (slot * v).dtype.name == slot.read_value().dtype.name == dtype
        assert slot.numpy().dtype == v.numpy().dtype
        assert f"dtype={dtype}, numpy=" in repr(slot)


def test_a_half_slot_is_assigned_to_and_trains_on():
    optimizer = OPTIMIZERS["momentum"]()
    v = trained(optimizer)
    slot = optimizer.get_slot(v, "momentum")
    slot.assign(tf.constant([1, 2, 3], tf.float16))
    slot.assign_add([1, 1, 1])
    tf.scatter_sub(slot, [0], tf.constant([2], tf.float16))
    assert slot.numpy().tolist() == [0, 3, 4]
    optimizer.apply_gradients([(tf.ones([3], tf.float16), v)])
    assert slot.numpy().tolist() == [1, 2.5, 3]
    for twin in (copy.deepcopy(slot), pickle.loads(pickle.dumps(slot))):
        assert (twin.numpy().tolist(), twin.dtype.name) == ([1, 2.5, 3], "float16")
    assert tf.function(lambda: slot * v)().dtype == tf.float16


def test_a_checkpoint_has_half_slots_in_their_type(tmp_path):
    optimizer = OPTIMIZERS["momentum"]()
    v = trained(optimizer)
    slot = optimizer.get_slot(v, "momentum")
    before = slot.numpy().tolist()
    checkpoint = tf.train.Checkpoint(optimizer=optimizer, v=v)
    path = checkpoint.save(str(tmp_path / "model"))
    types = [tf.train.load_checkpoint(path).get_variable_to_dtype_map()[name].name for name, _ in listed(path)]
    assert types == ["float16"]
    slot.assign([0, 0, 0])
    checkpoint.restore(path)
    assert slot.numpy().tolist() == before


def listed(path):
    return [entry for entry in tf.train.list_variables(path) if "OPTIMIZER_SLOT" in entry[0]]


@pytest.mark.parametrize(
    ("beta", "dtype"), [(0.5, "float32"), (np.float64(0.5), "float64"), (np.float32(0.5), "float32")]
)
def test_powers_are_float32_unless_a_beta_is_an_array_of_float64(beta, dtype):
    optimizer = tf.train.AdamOptimizer(0.25, beta1=beta)
    trained(optimizer, np.float64)
    (power,) = [each for each in optimizer.variables() if each.name == "beta1_power:0"]
    assert (power.dtype.name, power.numpy()) == (dtype, 0.125)


def test_functions_that_return_tensors_are_betas_of_a_graph():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable([8.0])
        optimizer = tf.train.AdamOptimizer(
            *(lambda value=value: tf.constant(value) for value in (0.25, 0.5, 0.75, 0.5))
        )
        train = optimizer.minimize(tf.reduce_sum(v))
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            session.run(train)
        assert session.run(list(optimizer._get_beta_accumulators())) == [0.125, 0.421875]
