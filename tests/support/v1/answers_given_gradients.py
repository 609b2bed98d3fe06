"""Programs of gradients that the program gives: `custom_gradient`, and gradients of a type of operation."""

from __future__ import annotations

from typing import Any

from answers import eager, graph, run, tried


@graph
def a_stable_gradient(tf: Any) -> Any:
    @tf.custom_gradient
    def log1pexp(x: Any) -> Any:
        e = tf.exp(x)
        return tf.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))

    x = tf.constant([1.0, 100.0])
    y = log1pexp(x)
    (slope,) = tf.gradients(y * 2, x)
    return run(tf, [y, slope, tf.gradients(log1pexp(tf.constant(1.5)) * x, x)])


@graph
def a_second_derivative_through_a_given_gradient(tf: Any) -> Any:
    @tf.custom_gradient
    def cube(x: Any) -> Any:
        return x * x * x, lambda dy: dy * 3 * x * x

    x = tf.constant(2.0)
    (slope,) = tf.gradients(cube(x), x)
    return run(tf, [slope, tf.gradients(slope, x)])


@graph
def a_given_gradient_of_two_values(tf: Any) -> Any:
    @tf.custom_gradient
    def two(a: Any, b: Any) -> Any:
        return [a * b, a + b], lambda da, db: (da * 2.0, db * 3.0)

    a, b = tf.constant(2.0), tf.constant(3.0)
    y = two(a, b)
    return run(tf, [y, tf.gradients(y[0] * 5 + y[1], [a, b]), tf.gradients(y[1], [a, b])])


@graph
def a_clipped_gradient_reaches_the_update(tf: Any) -> Any:
    @tf.custom_gradient
    def clipped(x: Any) -> Any:
        return tf.identity(x), lambda dy: tf.clip_by_value(dy, -1.0, 1.0)

    v = tf.Variable([3.0, 4.0])
    step = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(clipped(v) * 5.0))
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(step)
        return session.run(v)


@graph
def a_given_gradient_of_a_variable(tf: Any) -> Any:
    w = tf.get_variable("w", initializer=2.0, use_resource=True)

    @tf.custom_gradient
    def times(x: Any) -> Any:
        return x * w, lambda dy, variables=None: (dy * 10.0, [dy * 7.0 for _ in variables])

    x = tf.constant(2.0)
    return run(tf, tf.gradients(times(x), [x, w]))


@graph
def no_gradient_is_given(tf: Any) -> Any:
    @tf.custom_gradient
    def first(a: Any, b: Any) -> Any:
        return a * b, lambda dy: (dy, None)

    a, b = tf.constant(2.0), tf.constant(3.0)
    return run(tf, tf.gradients(first(a, b) + 0.0 * b, [a, b]))


@graph
def a_given_gradient_fails_where_it_is_asked_for(tf: Any) -> Any:
    @tf.custom_gradient
    def forward_only(a: Any, b: Any) -> Any:
        def slopes(dy: Any) -> Any:
            raise RuntimeError("this has no gradient")

        return a * b, slopes

    @tf.custom_gradient
    def short(a: Any, b: Any) -> Any:
        return a * b, lambda dy: [dy]

    a, b, c = tf.constant(2.0), tf.constant(3.0), tf.constant(4.0)
    y, z = forward_only(a, b), short(a, b)
    asked = [tried(lambda: tf.gradients(y * c, a)), tried(lambda: tf.gradients(z * c, b))]
    return asked, run(tf, [y, z, tf.gradients(y * c * z, c)])


@graph
def gradients_of_the_identity(tf: Any) -> Any:
    x = tf.constant([1.2, 2.7])
    passed, recomputed = tf.grad_pass_through(tf.round)(x), tf.recompute_grad(tf.square)(x)
    return run(tf, [tf.gradients(passed * 4, x), tf.gradients(recomputed, x)])


@graph
def the_gradient_of_a_type_is_replaced(tf: Any) -> Any:
    name = f"OfSign{id(tf.get_default_graph())}"

    @tf.RegisterGradient(name)
    def halved(op: Any, grad: Any) -> Any:
        return tf.clip_by_value(grad, -0.5, 0.5) * op.inputs[0]

    x = tf.constant([1.0, 100.0])
    with tf.get_default_graph().gradient_override_map({"Sign": name, "Round": "Identity"}):
        y = tf.sign(x) + tf.round(x)
    again = tf.sign(x)
    return run(tf, [y, tf.gradients(y * 3, x), tf.gradients(again, x)])


@graph
def given_gradients_that_cannot_be(tf: Any) -> Any:
    x = tf.constant(2.0)
    graph_ = tf.get_default_graph()
    name = f"Twice{id(graph_)}"

    def count(dy: Any) -> Any:
        return [dy, dy]

    def registered_twice() -> None:
        tf.RegisterGradient(name)(lambda op, grad: grad)
        tf.RegisterGradient(name)(lambda op, grad: grad)

    def of_a_wrong_map(mapping: Any) -> None:
        with graph_.gradient_override_map(mapping):
            pass

    return tried(
        lambda: tf.custom_gradient(lambda v: v)(x),
        lambda: tf.gradients(tf.custom_gradient(lambda v: (v * 1.0, count))(x), x),
        registered_twice,
        lambda: of_a_wrong_map(3),
        lambda: of_a_wrong_map({"Sign": 3}),
        lambda: tf.RegisterGradient(3),
        lambda: tf.NotDifferentiable(3),
    )


@graph
def gradients_through_what_is_fed(tf: Any) -> Any:
    x, w = tf.Variable([1.0, 2.0]), tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    rows = tf.placeholder(tf.float32, [None, 2])
    a = tf.matmul(rows, w) * 3.0
    c, d = tf.split(tf.nn.tanh(a) * 2.0, 2, 1)
    q = tf.reduce_sum(a * a * x) + tf.reduce_sum(c * c) + tf.reduce_sum(d)
    slopes = tf.gradients(q, [x, w, a, c])
    (second,) = tf.gradients(slopes[2], w)
    step = tf.train.GradientDescentOptimizer(0.1).minimize(q)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        feeds = [{}, {a: [[5.0, 6.0]]}, {c: [[7.0]]}, {a: [[1.0, 1.0]], c: [[2.0]]}]
        found = [session.run([q, *slopes, second], {rows: [[0.1, 0.2]], **feed}) for feed in feeds]
        found.append(session.run(slopes[0], {a: [[5.0, 6.0]]}))  # of what comes before a nothing is needed
        session.run(step, {rows: [[0.1, 0.2]], a: [[0.5, 0.6]]})
        return [*found, session.run([x, w]), tried(lambda: session.run(slopes[1], {a: [[5.0, 6.0]]}))]


@graph
def gradients_of_a_sparse_tensor_made_dense(tf: Any) -> Any:
    values, scale = tf.constant([1.0, 2.0, 3.0]), tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    sparse = tf.SparseTensor([[0, 1], [1, 0], [2, 1]], values, [3, 2])
    dense = tf.sparse_tensor_to_dense(sparse, default_value=7.0)
    placed = tf.sparse_to_dense([[0], [2]], [4], values[:2])
    places = tf.placeholder(tf.int64, [None, 2])
    fed = tf.sparse_to_dense(places, [3, 2], values)
    made = [tf.gradients(dense * scale, values), tf.gradients(placed * placed, values), dense]
    return run(tf, made), run(tf, tf.gradients(fed * scale, values), {places: [[0, 0], [0, 1], [2, 0]]})


def nested_values(tf: Any) -> Any:
    """Return a function of a given gradient whose values are a dict of nests, of two types of numbers."""

    @tf.custom_gradient
    def parts(x: Any) -> Any:
        def slope(twice: Any, wide: Any, half: Any) -> Any:
            return twice * 10.0 + tf.cast(wide, tf.float32) * 100.0 + tf.cast(half, tf.float32) * 1000.0

        return {"wide": (tf.cast(x, tf.float64), [tf.cast(x, tf.float16)]), "twice": x * 2.0}, slope

    return parts


@graph
def a_given_gradient_of_nested_values(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    values = nested_values(tf)(x)
    wide, (half,) = values["wide"]
    total = tf.reduce_sum(values["twice"]) + 3.0 * tf.cast(tf.reduce_sum(wide), tf.float32)
    names = sorted(values), type(values["wide"]).__name__, values["twice"].name
    return run(tf, [values, tf.gradients(total, x), tf.gradients(half, x)]), names


@eager
def a_given_gradient_of_nested_values_in_eager_mode(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        values = nested_values(tf)(x)
        wide, (half,) = values["wide"]
        total = tf.reduce_sum(values["twice"]) + 3.0 * tf.cast(tf.reduce_sum(wide), tf.float32)
    return values, tape.gradient(total, x), tape.gradient(half, x)


@graph
def variables_that_are_made_in_a_given_gradient(tf: Any) -> Any:
    def product(x: Any, use_resource: bool) -> Any:
        w = tf.get_variable("of_x", [], initializer=tf.constant_initializer(3.0), use_resource=use_resource)
        return x * w, lambda dy, variables: (dy * 7.0, [dy * 5.0 for _ in variables])

    x = tf.constant(2.0)
    with tf.variable_scope("refused"):
        refused = tried(lambda: tf.custom_gradient(lambda v: product(v, False))(x))
    with tf.variable_scope("taken"):
        y = tf.custom_gradient(lambda v: product(v, True))(x)
    (w,) = tf.global_variables("taken")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return refused, session.run([y, tf.gradients(y, [x, w])])


@graph
def what_is_known_of_arguments_of_given_gradients(tf: Any) -> Any:
    x = tf.constant(3.0)

    @tf.custom_gradient
    def scaled(a: Any, b: Any) -> Any:
        known = tf.get_static_value(a)
        return a * b, lambda dy: (dy * known, dy * 10.0)

    twice = scaled(x, x)
    return run(tf, [twice, *tf.gradients(twice, x)])


class _Model:
    def __init__(self, tf: Any) -> None:
        self.multiply = tf.custom_gradient(self._multiply)

    def _multiply(self, x: Any, y: Any) -> Any:
        return x * y, lambda dy: (dy * x, dy * y)


@graph
def methods_and_nests_with_given_gradients(tf: Any) -> Any:
    class Scaled:
        factor = 3.0

        @tf.custom_gradient
        def of(self, x: Any) -> Any:
            return x * self.factor, lambda dy: dy * 10.0

    @tf.custom_gradient
    def of_nest(pair: Any, more: Any) -> Any:
        (a, b), c = pair, more["c"]
        return {"sum": [a + b], "product": b * c}, lambda *dy: [[dy[0] * 2.0, dy[1] * 3.0], dy[0] + dy[1]]

    x, y, z = (tf.constant(value) for value in (2.0, 3.0, 4.0))
    made = of_nest([x, y], {"c": z})
    both = made["sum"][0] + 5.0 * made["product"]
    scaled, multiplied = Scaled().of(x), _Model(tf).multiply(x, y)
    slopes = [tf.gradients(scaled, x), tf.gradients(multiplied, [x, y]), tf.gradients(both, [x, y, z])]
    return run(tf, [made, scaled, multiplied, slopes])


@graph
def what_has_no_second_derivative(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [2])
    complex_one = tf.square(tf.constant(1 + 2j))
    return tried(lambda: tf.hessians(x, x), lambda: tf.gradients(complex_one, [complex_one.op.inputs[0]]))
