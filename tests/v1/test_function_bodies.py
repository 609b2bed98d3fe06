"""Functions made of graphs, where TensorFlow 2 has nothing to compare with: ``defun``, layers in them, files."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from steepest.v1.python.eager import def_function
from steepest.v1.python.framework import function

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set
from steepest.v1.variables.resource_variable import ResourceVariable


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def run(fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches)


def test_a_defun_has_the_same_variables_at_each_call():
    @tf.contrib.eager.defun
    def scaled(x):
        return x * tf.Variable(2.0, name="w") + tf.get_variable("b", initializer=1.0)

    with tf.variable_scope("a"):
        first = scaled(tf.constant(3.0))
    with tf.variable_scope("c"):
        second = scaled(tf.constant(4.0))
    assert run([first, second]) == [7.0, 9.0]
    assert [v.name for v in tf.global_variables()] == ["w:0", "a/b:0"]
    assert all(isinstance(v, ResourceVariable) for v in tf.global_variables())
    assert not isinstance(tf.Variable(0.0), ResourceVariable)


def test_a_defun_makes_variables_for_arguments_of_another_kind():
    @tf.contrib.eager.defun
    def scaled(x, what):
        return x * tf.Variable(2.0 if what == "two" else 3.0)

    x = tf.constant(1.0)
    assert run([scaled(x, "two"), scaled(x, "three"), scaled(x, "two")]) == [2.0, 3.0, 2.0]
    assert len(tf.global_variables()) == 2


def test_layers_in_a_defined_function_have_the_same_weights_at_each_call():
    @function.Defun(tf.float32)
    def layer(x):
        return tf.layers.dense(tf.reshape(x, [-1, 3]), 2, kernel_initializer="ones")

    results = [layer(tf.ones([1, 3])), layer(tf.ones([1, 3]) * 2.0)]
    np.testing.assert_array_equal(run(results), [[[3.0, 3.0]], [[6.0, 6.0]]])
    assert [v.name for v in tf.trainable_variables()] == ["dense/kernel:0", "dense/bias:0"]


def test_what_a_function_makes_at_its_first_call_is_trained():
    class Model:
        def __init__(self):
            self.w = None

        @tf.function
        def loss(self, x):
            if self.w is None:
                self.w = tf.Variable(2.0)
            return (self.w * x - 1.0) ** 2

    model = Model()
    step = tf.train.GradientDescentOptimizer(0.1).minimize(model.loss(1.0))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        assert session.run(model.w) == pytest.approx(1.8)


def test_a_variable_at_each_call_of_a_function_is_an_error():
    scaled = tf.function(lambda x: x * tf.Variable(2.0))
    scaled(1.0)
    with pytest.raises(ValueError, match="tried to create variables on non-first call"):
        scaled(1.0)


def test_a_graph_with_functions_goes_through_a_file(tmp_path):
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        def yes():
            v.assign_add(5.0)
            return tf.constant(1.0)

        return tf.cond(x > 0.0, yes, lambda: tf.constant(2.0)), v.read_value()

    x = tf.placeholder(tf.float32, [])
    names = [tensor.name for tensor in f(x)]
    tf.train.export_meta_graph(str(tmp_path / "graph.meta"))
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(str(tmp_path / "graph.meta"))
        session.run(tf.global_variables_initializer())
        assert session.run(names, {x.name: 1.0}) == [1.0, 6.0]
        assert session.run(names, {x.name: -1.0}) == [2.0, 6.0]


def test_functions_of_other_callables_and_options():
    half = tf.function(functools.partial(lambda a, b: a / b, b=2.0), autograph=False)
    twice = def_function.function(autograph=False)(lambda x: x * 2.0)
    assert isinstance(twice, def_function.Function)
    assert run([half(tf.constant(3.0)), twice(3.0)]) == [1.5, 6.0]


def test_a_defined_function_with_a_gradient_is_of_graph_mode():
    square = function.Defun(tf.float32, python_grad_func=lambda op, dy: dy)(lambda x: x * x)
    error = pytest.raises(RuntimeError, match="must be called in graph mode")
    with eager_execution_set(True), tf.graph.graph.default_graphs_set_aside(), error:
        square(2.0)


def test_concrete_functions_are_one_for_the_same_types():
    double = tf.function(lambda x, times=2: x * times)
    spec = tf.TensorSpec([], tf.float32)
    concrete = double.get_concrete_function(spec)
    assert concrete is double.get_concrete_function(tf.TensorSpec([], tf.float32))
    assert concrete is not double.get_concrete_function(spec, 3)
    assert run([concrete(tf.constant(3.0)), concrete(3.0, 2), concrete(x=4.0)]) == [6.0, 6.0, 8.0]
    assert concrete.graph is tf.get_default_graph()
    with pytest.raises(TypeError, match=r"Can not cast 3 to Literal\[2\]"):
        concrete(tf.constant(3.0), 3)
    with pytest.raises(TypeError, match=r"(?s)missing a required argument.*missing required arguments: x"):
        concrete(y=tf.constant(3.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected to be a float32 tensor but is a int32"):
        concrete(tf.constant(3))


def test_concrete_functions_that_take_eager_values_from_outside_have_nodes_for_them():
    with eager_execution_set(True), tf.graph.graph.default_graphs_set_aside():
        one = tf.constant(1.0)
        concrete = tf.function(lambda x: x + one).get_concrete_function(tf.TensorSpec([], tf.float32))
        assert float(concrete(tf.constant(1.0))) == 2.0
        assert (concrete.output_shapes.as_list(), concrete.output_dtypes) == ([], tf.float32)
        assert [node.name for node in concrete.graph.inputs] == ["x:0", "captured:0"]
        ((outside, inside),) = concrete.graph.captures
        assert outside is concrete.captured_inputs[0] is one
        assert (inside.op.type, tf.get_static_value(inside)) == ("Const", 1.0)


def test_concrete_functions_of_eager_mode_tell_their_variables():
    with eager_execution_set(True), tf.graph.graph.default_graphs_set_aside():
        outside, fixed, own = tf.Variable(1.0), tf.Variable(2.0, trainable=False), []

        @tf.function
        def total(x: object) -> object:
            if not own:
                own.append(tf.Variable(lambda: 3.0, name="own"))
            return x + outside + fixed + own[0]

        concrete = total.get_concrete_function(tf.TensorSpec([], tf.float32))
        assert concrete.variables == [outside, fixed, own[0]]
        assert concrete.trainable_variables == [outside, own[0]]
        assert (own[0].name, own[0].numpy()) == ("own:0", 3.0)
        assert (float(concrete(tf.constant(1.0))), float(total(2.0)), len(own)) == (7.0, 8.0, 1)


def test_a_write_waits_for_the_reads_before_it_and_reads_wait_for_the_write(graph):
    v, other = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="other")

    @tf.function
    def f():
        before, apart = tf.negative(v, name="before"), tf.negative(other, name="apart")
        v.assign(3.0, name="write")
        return before, apart, tf.negative(v, name="after")

    f()
    ops = {op.name.rpartition("/")[2]: op for op in graph.get_operations()}
    assert ops["write"].control_inputs == [ops["before"]]
    assert ops["after"].control_inputs == [ops["write"]]
    assert ops["apart"].control_inputs == ops["before"].control_inputs == []
