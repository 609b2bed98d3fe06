"""Programs of ``tf.function`` and ``defun``."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, graph, run, tried
from answers_defined_functions import defun_of
from answers_function_effects import resource


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


@graph
def concrete_functions(tf: Any) -> Any:
    v = tf.Variable(2.0, name="factor", use_resource=True)

    @tf.function
    def scaled(pair: Any, times: Any = 3.0, **more: Any) -> Any:
        a, b = pair
        return {"sum": (a + b) * v * times, "rest": [a, more["c"]]}

    vector, number = tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.float32)
    concrete = scaled.get_concrete_function((vector, vector), c=number)
    (pair, times), named = concrete.structured_input_signature
    told = times, named["c"].name, [n.as_list() for n in (pair[0].shape, pair[1].shape)]
    one, two, three = tf.constant([1.0]), tf.constant([2.0]), tf.constant(3.0)
    results = [concrete(one, two, three), concrete(pair=one, pair_1=two, c=three)]
    matrix = tf.function(lambda a, b: a * b, input_signature=[tf.TensorSpec([None, 2], tf.float32), number])
    made = matrix.get_concrete_function()
    shapes = made.output_shapes.as_list(), made.output_dtypes.name
    gradients = tf.gradients(made(tf.ones([3, 2]), v), v)
    wrong = tried(lambda: concrete(one), lambda: matrix.get_concrete_function(number, number))
    return told, run(tf, [results, gradients]), shapes, wrong


@graph
def a_call_waits_for_what_its_body_names(tf: Any) -> Any:
    v = resource(tf, 1.0)
    outside, again = v.assign_add(1.0), v.assign_add(10.0)

    @tf.function
    def returned(x: Any) -> Any:
        with tf.control_dependencies([outside]):
            return x

    @tf.function
    def within(x: Any) -> Any:
        @tf.function
        def inner() -> Any:
            with tf.control_dependencies([again]):
                return 1.0

        return inner() + x

    first, second = returned(tf.constant(5.0)), within(tf.constant(5.0))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [session.run(each) for each in (first, v, second, v)]


@graph
def jacobians_of_tapes_in_graphs(tf: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    other = tf.constant(1.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, other])
        y = tf.matmul(x, x) * [1.0, 2.0]
        z = x * x
    whole = tape.jacobian(y, {"x": x})["x"]
    rows = tape.batch_jacobian(z, x)
    unknown = tape.jacobian(z, other)
    zeros = tape.jacobian(z, other, unconnected_gradients="zero")
    return [run(tf, [whole, rows, zeros]), whole.shape.as_list(), rows.shape.as_list(), unknown is None]


@eager
def gradients_by_tensors_that_a_function_takes_from_outside(tf: Any) -> Any:
    factor, listed = tf.constant(3.0), {"a": [tf.constant([1.0, 2.0])]}

    def inner(x: Any) -> Any:
        return x * factor * factor

    @tf.function
    def slopes(x: Any) -> Any:
        return tf.gradients(inner(x) + tf.reduce_sum(listed["a"][0] ** 2), [x, factor, listed["a"][0]])

    @tf.function
    def of_a_loop() -> Any:
        result = tf.while_loop(lambda i, v: i < 2, lambda i, v: (i + 1, v * factor), [0, 1.0])[1]
        return tf.gradients(result, factor)

    return slopes(tf.constant(2.0)), of_a_loop()
