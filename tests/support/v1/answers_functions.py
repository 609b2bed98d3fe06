"""Programs of functions that are made of graphs: ``Defun``, ``tf.function``, ``defun``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from answers import eager, graph, run, tried


def defun_of(tf: Any) -> Any:
    """Return ``Defun`` of TensorFlow or of this library."""
    top = "tensorflow" if "tensorflow" in tf.__name__ else tf.__name__
    return import_module(f"{top}.python.framework.function").Defun


def resource(tf: Any, value: Any) -> Any:
    return tf.Variable(value, use_resource=True)


@graph
def a_defined_function_of_two_results(tf: Any) -> Any:
    @defun_of(tf)(tf.float32, tf.float32, func_name="Both")
    def both(x: Any, y: Any) -> Any:
        return x + y, x * y

    first = both(1.0, 2.0)
    second = both(3.0, 4.0, name="named")
    with tf.name_scope("outer"):
        third = both(tf.constant(5.0), 6.0)
    names = [t.name for pair in (first, second, third) for t in pair]
    return names, first[0].op.type, both.name, run(tf, [first, second, third])


@graph
def calls_of_defined_functions_that_do_not_fit(tf: Any) -> Any:
    defun = defun_of(tf)

    @defun(tf.float32, tf.float32, func_name="Total")
    def total(x: Any, y: Any) -> Any:
        return x + y

    def pair(x: Any, y: Any) -> Any:
        return x + y

    def lacking(x: Any) -> Any:
        return x, None

    def mapped(x: Any) -> Any:
        return {"a": x}

    def single(x: Any) -> Any:
        return x

    def default(x: Any, y: int = 1) -> Any:
        return x

    return tried(
        lambda: total(1.0),
        lambda: total(1.0, 2.0, 3.0),
        lambda: total(1, 2.0),
        lambda: total(tf.constant(1.0, tf.float64), 2.0),
        lambda: total(1.0, 2.0, unknown=1),
        lambda: defun(tf.float32)(pair),
        lambda: defun(tf.float32, tf.float32)(single),
        lambda: defun(tf.float32)(default),
        lambda: defun(tf.float32)(3),
        lambda: defun(tf.float32)(lacking)(1.0),
        lambda: defun(tf.float32)(mapped)(1.0),
        lambda: defun(tf.float32, grad_func=total, python_grad_func=lambda op, g: g)(single)(1.0),
        lambda: defun(tf.float32, out_names=["a", "b"])(single)(1.0),
    )


@graph
def a_defined_function_without_types(tf: Any) -> Any:
    @defun_of(tf)()
    def twice(x: Any) -> Any:
        return x * 2

    @defun_of(tf)()
    def three() -> Any:
        return tf.constant(3.0)

    return run(tf, [twice(2.0), twice(3), twice([1.5, 2.5]), three()])


@graph
def a_gradient_by_a_defined_function(tf: Any) -> Any:
    @defun_of(tf)(tf.float32, tf.float32, tf.float32, tf.float32)
    def gradient(x: Any, y: Any, dx: Any, dy: Any) -> Any:
        return dx * 10.0 + x, dy * 100.0 * y

    @defun_of(tf)(tf.float32, tf.float32, grad_func=gradient)
    def squares(x: Any, y: Any) -> Any:
        return x * x, y * y

    x, y = tf.constant(3.0), tf.constant(2.0)
    a, b = squares(x, y)
    return run(tf, [a, b, tf.gradients(a * 2, [x, y]), tf.gradients([a, b], [x, y])])


@graph
def a_gradient_in_python_of_a_defined_function(tf: Any) -> Any:
    seen: list[Any] = []

    def gradient(op: Any, dy: Any) -> Any:
        seen.append((op.type, op.name, len(op.inputs), len(op.outputs)))
        return [dy * 100.0 * op.inputs[0], dy * 7.0]

    @defun_of(tf)(tf.float32, python_grad_func=gradient, func_name="Cube")
    def cube(x: Any) -> Any:
        w = tf.get_variable("w", shape=[], initializer=tf.constant_initializer(5.0))
        return x * x * w

    x = tf.constant(3.0)
    with tf.variable_scope("a"):
        y = cube(x)
    with tf.variable_scope("b"):
        again = cube(x)
    slopes = tf.gradients(y * 2, [x, tf.trainable_variables()[0]])
    return run(tf, [y, again, slopes]), [v.name for v in tf.global_variables()], seen[0]


@graph
def a_sparse_gradient_made_dense_by_a_defined_function(tf: Any) -> Any:
    @defun_of(tf)(
        python_grad_func=lambda op, dy: tf.convert_to_tensor(dy), shape_func=lambda op: [op.inputs[0].get_shape()]
    )
    def dense_gradient(x: Any) -> Any:
        return x

    table = tf.get_variable("table", initializer=np.ones((4, 2), np.float32))
    rows = tf.gather(dense_gradient(table), [1, 2, 1])
    (slope,) = tf.gradients(tf.reduce_sum(rows * rows), table)
    step = tf.train.AdamOptimizer(0.1).apply_gradients([(slope, table)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        return isinstance(slope, tf.Tensor), rows.shape.as_list(), session.run([table])


@graph
def a_gradient_that_computes_the_results_again(tf: Any) -> Any:
    w = tf.get_variable("w", initializer=3.0)

    def layer(x: Any) -> Any:
        return tf.tanh(x * w) * x

    def again(x: Any) -> Any:
        outputs = layer(x)

        def gradient(op: Any, *dy: Any) -> Any:
            fed, weight, _ = op.inputs
            with tf.control_dependencies(dy):
                made = layer(tf.identity(fed))
            slopes = tf.gradients(tf.tanh(fed * weight) * fed, [fed, weight], dy)
            return [*slopes, tf.zeros_like(made)]

        @defun_of(tf)(*[tf.float32] * 3, python_grad_func=gradient, shape_func=lambda op: [outputs.get_shape()])
        def same(*args: Any) -> Any:
            return tuple(tf.identity(each) for each in args[2:])

        return same(x, w, tf.stop_gradient(outputs))

    x = tf.constant(0.5)
    y = again(x)
    return run(tf, [y, tf.gradients(y * 2.0, [x, w]), tf.gradients(layer(x) * 2.0, [x, w])])


@graph
def integers_and_floats_of_a_defined_function(tf: Any) -> Any:
    def gradient(op: Any, dy: Any, dk: Any) -> Any:
        return [dy * 10.0, None]

    @defun_of(tf)(tf.float32, tf.int32, python_grad_func=gradient)
    def shifted(x: Any, k: Any) -> Any:
        return x * tf.cast(k, tf.float32), k + 1

    x = tf.constant([1.0, 2.0])
    y, k = shifted(x, 3)
    return run(tf, [y, k, tf.gradients(y, x)])


@graph
def gradients_through_what_a_body_captures(tf: Any) -> Any:
    w, c = tf.get_variable("w", initializer=5.0, use_resource=True), tf.constant(4.0)

    @defun_of(tf)(tf.float32)
    def product(x: Any) -> Any:
        return x * x * w * c

    x = tf.constant(3.0)
    y = product(x)
    return run(tf, [y, tf.gradients(y, [x, w, c])]), len(product.captured_inputs)


@graph
def a_gradient_inside_a_defined_function(tf: Any) -> Any:
    @defun_of(tf)(tf.float32)
    def slope(x: Any) -> Any:
        return tf.gradients(x * x * x, x)[0]

    return run(tf, slope(2.0))


@graph
def names_of_what_a_function_makes(tf: Any) -> Any:
    class Model:
        v = None

        @tf.function
        def scaled(self, x: Any) -> Any:
            if self.v is None:
                self.v = tf.Variable(2.0, name="w")
            return x * self.v + tf.constant(1.0)

    model, other = Model(), Model()
    with tf.name_scope("outer"), tf.variable_scope("vs"):
        y = model.scaled(tf.constant(3.0))
    again = model.scaled(tf.constant(4.0))
    third = other.scaled(5.0)
    names = [y.name, again.name], model.v.name
    return names, run(tf, [y, again, third]), len(tf.global_variables())


@graph
def a_function_shares_its_variable_by_name(tf: Any) -> Any:
    @tf.function
    def scaled(x: Any) -> Any:
        with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
            w = tf.get_variable("w", initializer=2.0)
        return x * w

    results = [scaled(tf.constant(1.0)), scaled(tf.constant(2.0)), scaled(tf.constant([2.0]))]
    return run(tf, results), [v.name for v in tf.global_variables()]


@graph
def what_a_function_returns(tf: Any) -> Any:
    @tf.function
    def nest(x: Any) -> Any:
        return {"a": x, "b": [1, 2.5, None], "c": np.float64(3)}

    @tf.function
    def thing(kind: Any) -> Any:
        return kind

    found = nest(2)
    nested = [found["a"], found["b"][:2], found["c"]]
    return (
        found["b"][2],
        run(tf, nested),
        tried(lambda: thing(object()), lambda: thing(None), lambda: thing(tf.no_op())),
    )


@graph
def what_a_function_is_given(tf: Any) -> Any:
    seen: list[Any] = []

    @tf.function
    def f(x: Any, y: Any = 3, *more: Any, **named: Any) -> Any:
        values = [x, y, *more, *(named[key] for key in sorted(named))]
        seen.append([isinstance(value, tf.Tensor) for value in values])
        return x

    f(np.ones(3))
    f(1, 2.0, np.float32(3), z=np.ones(1), w=[1])
    return seen, f.__name__, f.python_function.__name__


@graph
def a_function_with_a_signature(tf: Any) -> Any:
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def twice(x: Any) -> Any:
        return x * 2

    return tried(
        lambda: run(tf, twice([1, 2])),
        lambda: run(tf, twice(x=[1.5])),
        lambda: run(tf, twice(np.array([1.5]))),
        lambda: twice(tf.constant([1.0])).shape.as_list(),
        lambda: twice(tf.constant(1.0)),
        lambda: twice(tf.constant([1])),
        lambda: twice([1], 2),
        lambda: twice(),
        lambda: tf.function(lambda x: x, input_signature=[3]),
    )


@graph
def reads_and_writes_of_a_function_keep_their_order(tf: Any) -> Any:
    v = resource(tf, 1.0)

    @tf.function
    def f(x: Any) -> Any:
        a = v * 1.0
        v.assign(x)
        b = v * 2.0
        v.assign_add(10.0)
        return a, b, v * 3.0, v

    return run(tf, f(tf.constant(5.0)))


@graph
def a_result_waits_for_effects_that_it_does_not_need(tf: Any) -> Any:
    v, seen = resource(tf, 1.0), []

    def note(x: Any) -> Any:
        seen.append(float(x))
        return x

    @tf.function
    def inner(x: Any) -> None:
        v.assign_add(x)

    @tf.function
    def outer(x: Any) -> Any:
        inner(x)
        tf.py_func(note, [v.read_value()], tf.float32)
        inner(x * 10.0)
        tf.py_func(note, [v.read_value()], tf.float32)
        return tf.constant(0.0)

    result = outer(2.0)
    with tf.Session() as session:
        session.run(v.initializer)
        first = session.run(result)
        return first, session.run(v), seen


@graph
def an_assertion_that_no_result_of_a_function_needs(tf: Any) -> Any:
    v = resource(tf, 1.0)

    @tf.function
    def f(x: Any) -> Any:
        tf.debugging.assert_positive(x)
        v.assign_add(x)
        return x

    x = tf.placeholder(tf.float32, [])
    result = f(x)
    with tf.Session() as session:
        session.run(v.initializer)
        return tried(lambda: session.run(result, {x: -1.0}), lambda: session.run(result, {x: 2.0}))


@graph
def effects_in_branches_and_loops_of_a_function(tf: Any) -> Any:
    v = resource(tf, 1.0)

    @tf.function
    def f(p: Any) -> Any:
        def yes() -> Any:
            v.assign_add(5.0)
            return tf.constant(1.0)

        def body(i: Any) -> Any:
            v.assign(v * 2.0)
            return i + 1

        chosen = tf.cond(p, yes, lambda: tf.constant(2.0))
        between = v.read_value()
        rounds = tf.while_loop(lambda i: i < 3, body, [tf.constant(0)])
        return chosen, between, rounds, v.read_value()

    p = tf.placeholder(tf.bool, [])
    result = f(p)
    return run(tf, result, {p: True}), run(tf, result, {p: False})


@graph
def training_steps_in_a_function(tf: Any) -> Any:
    v = resource(tf, [3.0, 1.0])
    plain, momentum = tf.train.GradientDescentOptimizer(0.1), tf.train.MomentumOptimizer(0.1, 0.9)

    @tf.function
    def step() -> Any:
        before = tf.reduce_sum(v * v)
        plain.minimize(before, var_list=[v])
        middle = v.read_value()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * v * v)
        momentum.apply_gradients([(tape.gradient(loss, v), v)])
        return before, middle, v.read_value()

    result = step()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(result), session.run(result), [x.name for x in tf.global_variables()]


@graph
def gradients_of_values_read_before_and_after_a_write(tf: Any) -> Any:
    v = resource(tf, 2.0)

    @tf.function
    def f(x: Any) -> Any:
        first = v * x
        v.assign_add(1.0)
        second = v * v * x
        return first, second, tf.gradients(first, v)[0], tf.gradients(second, x)[0]

    return run(tf, f(tf.constant(5.0)))


@graph
def gradients_across_a_write_in_a_function(tf: Any) -> Any:
    v = resource(tf, 2.0)

    @tf.function
    def inside() -> Any:
        a = v * 3.0
        v.assign(5.0)
        b = v * v
        return a * b, tf.gradients(a * b, v)[0]

    @tf.function
    def outside() -> Any:
        a = v * 3.0
        v.assign(7.0)
        return a * v * v

    y = outside()
    return run(tf, inside()), run(tf, [y, tf.gradients(y, v)[0]])


@graph
def functions_in_loops_branches_and_maps(tf: Any) -> Any:
    v = resource(tf, 0.0)

    @tf.function
    def step(i: Any) -> Any:
        v.assign_add(tf.cast(i, tf.float32))
        return i + 1

    @defun_of(tf)(tf.float32)
    def square(x: Any) -> Any:
        return x * x

    rounds = tf.while_loop(lambda i: i < 4, step, [tf.constant(1)])
    chosen = tf.cond(tf.constant(True), lambda: step(tf.constant(10)), lambda: tf.constant(1))
    with tf.Session() as session:
        session.run(v.initializer)
        found = [session.run(rounds), session.run(v), session.run(chosen), session.run(v)]
        return found, session.run(tf.map_fn(square, tf.constant([1.0, 2.0, 3.0])))


@graph
def a_known_result_still_has_the_effects(tf: Any) -> Any:
    v = resource(tf, 0.0)

    @tf.function
    def sizes() -> Any:
        v.assign_add(1.0)
        return tf.constant([2, 3])

    with tf.Session() as session:
        session.run(v.initializer)
        return session.run(tf.reshape(tf.range(6), sizes())), session.run(v)


@graph
def parts_of_variables_written_in_a_function(tf: Any) -> Any:
    v = resource(tf, np.zeros(3, np.float32))

    @tf.function
    def f() -> Any:
        v.scatter_add(tf.IndexedSlices(tf.constant([1.0]), tf.constant([1])))
        between = v * 1.0
        v[0].assign(7.0)
        with tf.control_dependencies([v.assign_add([0.0, 0.0, 2.0])]):
            return between, v * 1.0, v

    return run(tf, f())


@graph
def composite_results_of_a_function(tf: Any) -> Any:
    @tf.function
    def f(x: Any) -> Any:
        sparse = tf.SparseTensor([[0]], [x], [2])
        return sparse, tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])), "text", [x] * 2

    sparse, rows, text, twice = f(tf.constant(3.0))
    kinds = type(sparse).__name__, type(rows).__name__, type(twice).__name__
    return kinds, run(tf, [tf.sparse.to_dense(sparse), rows.values, text, twice])


@graph
def sparse_gradients_through_a_function(tf: Any) -> Any:
    table = resource(tf, np.ones((4, 2), np.float32))

    @tf.function
    def f(rows: Any) -> Any:
        return tf.reduce_sum(tf.gather(table, rows) ** 2)

    (slope,) = tf.gradients(f(tf.constant([1, 2])), table)
    return type(slope).__name__, run(tf, tf.convert_to_tensor(slope))


@graph
def gradients_through_functions(tf: Any) -> Any:
    w = resource(tf, 2.0)

    @tf.function
    def square(x: Any) -> Any:
        return x * x

    @tf.function
    def f(x: Any) -> Any:
        return square(x) * w

    x = tf.constant(3.0)
    y = f(x)
    (first,) = tf.gradients(y, x)
    return run(tf, [y, tf.gradients(y, [x, w]), tf.gradients(first, x)])


@graph
def a_condition_in_python_on_a_tensor(tf: Any) -> Any:
    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        return x if x > 0 else -x

    return f(tf.constant(1.0))


@eager
def functions_in_eager_mode(tf: Any) -> Any:
    class Counter:
        def __init__(self) -> None:
            self.v = None

        @tf.function
        def add(self, x: Any) -> Any:
            if self.v is None:
                self.v = tf.Variable(1.0)
            self.v.assign_add(x)
            return {"v": self.v, "x": [x, 2]}

    one, two = Counter(), Counter()
    first, second, third = one.add(tf.constant(2.0)), one.add(np.float32(3.0)), two.add(tf.constant(5.0))
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(lambda x: x * x)(x)
    return [each["v"] for each in (second, third)], first["x"], y, tape.gradient(y, x)


@eager
def signatures_of_functions_in_eager_mode(tf: Any) -> Any:
    @tf.function(input_signature=(tf.TensorSpec([None, 2], tf.float32), {"b": tf.TensorSpec([], tf.int32)}))
    def f(x: Any, more: Any) -> Any:
        return x * 2.0, more["b"] + 1

    return tried(
        lambda: f([[1, 2]], {"b": 3}),
        lambda: f(tf.ones([3, 2]), {"b": 1}),
        lambda: f(tf.ones([2]), {"b": 1}),
        lambda: f(tf.ones([1, 2], tf.float64), {"b": 1}),
        lambda: f(tf.ones([1, 2]), {"c": 1}),
        lambda: f(tf.ones([1, 2])),
    )


@eager
def a_function_that_makes_a_variable_at_each_call(tf: Any) -> Any:
    @tf.function
    def f(x: Any) -> Any:
        return tf.Variable(1.0) * x

    def often() -> Any:
        return f(tf.constant(1.0)), f(tf.constant(2.0))

    return tried(often)
