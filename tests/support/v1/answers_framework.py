"""Programs of TensorFlow's internal framework: definitions of functions, subscriptions, devices, early conditions."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from answers import eager, graph, run, tried


def framework(tf: Any, name: str, package: str = "framework") -> Any:
    """Return an internal module of TensorFlow or of this library."""
    top = "tensorflow" if "tensorflow" in tf.__name__ else tf.__name__
    return import_module(f"{top}.python.{package}.{name}")


# Functions ---------------------------------------------------------------------------------------


@graph
def a_function_tells_what_it_is_made_of(tf: Any) -> Any:
    defun = framework(tf, "function").Defun

    @defun(tf.float32, tf.float32, func_name="Both", out_names=["total", "product"], noinline=True, experimental_tag=3)
    def both(x: Any, y: Any) -> Any:
        """Add and multiply."""
        return x + y, x * y

    @defun(tf.float32, func_name="Twice")
    def twice(x: Any) -> Any:
        z = x + 1.0
        return z, z

    @defun(func_name="Drawn")
    def drawn() -> Any:
        return tf.random_uniform([3])

    signature = both.definition.signature
    inputs = [(each.name, each.type) for each in signature.input_arg]
    outputs = [(each.name, each.type) for each in signature.output_arg]
    attributes = both.definition.attr
    names = [each.name for each in twice.definition.signature.output_arg]
    return (
        (signature.name, signature.description, inputs, outputs, signature.is_stateful),
        (attributes["_noinline"].b, attributes["experimental_tag"].i, names[0] != names[1]),
        (drawn.definition.signature.is_stateful, len(drawn.stateful_ops), both.stateful_ops),
    )


@graph
def the_functions_of_a_graph(tf: Any) -> Any:
    defun = framework(tf, "function").Defun

    @defun(tf.float32, func_name="Called")
    def called(x: Any) -> Any:
        return x + 1.0

    @defun(tf.float32, func_name="NeverCalled")
    def never(x: Any) -> Any:
        return x

    def another() -> Any:
        @defun(tf.float32, func_name="Called")
        def other(x: Any) -> Any:
            return x * 2.0

        return other(1.0)

    g = tf.get_default_graph()
    before = len(g.as_graph_def().library.function)
    called(1.0)
    called(2.0)
    after = [each.signature.name for each in g.as_graph_def().library.function]
    return before, after, never.name, tried(another)


@graph
def shapes_inside_of_functions(tf: Any) -> Any:
    seen: list[Any] = []

    @framework(tf, "function").Defun(tf.float32)
    def shifted(x: Any) -> Any:
        seen.append(x.shape.ndims)
        return x + 1.0

    y = shifted(tf.constant([1.0, 2.0]))
    return seen[:1], y.shape.ndims, run(tf, y)


@graph
def gradients_of_arguments_without_use_are_zeros(tf: Any) -> Any:
    @framework(tf, "function").Defun(tf.float32, tf.float32, tf.int32)
    def first(x: Any, y: Any, k: Any) -> Any:
        return x * 2.0

    x, y = tf.constant([1.0, 2.0]), tf.constant([[3.0]])
    z = first(x, y, 1)
    given = tf.gradients(z, [x, y], grad_ys=[tf.constant([5.0, 7.0])])
    return run(tf, [tf.gradients(z, [x, y]), given])


@graph
def a_gradient_function_of_too_many_results(tf: Any) -> Any:
    defun = framework(tf, "function").Defun

    @defun(tf.float32, tf.float32)
    def slope(x: Any, dy: Any) -> Any:
        return x, dy

    @defun(tf.float32, grad_func=slope)
    def same(x: Any) -> Any:
        return x + 0.0

    x = tf.constant(1.0)
    dx = tf.gradients(same(x), x)
    return tried(lambda: run(tf, dx))


@graph
def what_is_captured_by_its_value(tf: Any) -> Any:
    defun = framework(tf, "function").Defun
    w, t, p = tf.constant([[2.0]]), tf.random_uniform([3]), tf.placeholder(tf.float32, [])

    @defun(tf.float32, capture_by_value=True)
    def product(x: Any) -> Any:
        return tf.matmul(w, x)

    y = product(tf.constant([[10.0]]))

    def capturing(tensor: Any) -> Any:
        @defun(capture_by_value=True)
        def taken() -> Any:
            return tensor + 3.0

        return taken()

    return run(tf, y), len(product.captured_inputs), tried(lambda: capturing(t), lambda: capturing(p))


@graph
def a_gradient_by_the_name_of_a_function(tf: Any) -> Any:
    symbolic_gradient = framework(tf, "functional_ops", "ops").symbolic_gradient

    @framework(tf, "function").Defun(tf.float32, tf.float32, func_name="SquareAndMore")
    def square(x: Any, y: Any) -> Any:
        return x * x * y

    square(1.0, 2.0)
    dx, dy = symbolic_gradient(input=[[3.0], [5.0], [0.1]], Tout=[tf.float32] * 2, f="SquareAndMore", name="dx")
    x = tf.placeholder(tf.float32, [2, 3])
    (unknown,) = symbolic_gradient(input=[x, [1.0]], Tout=[tf.float32], f="NoSuchFunction")
    return run(tf, [dx, dy]), unknown.shape.as_list()


# Subscriptions -----------------------------------------------------------------------------------


@graph
def conditions_that_constants_decide(tf: Any) -> Any:
    module = framework(tf, "smart_cond")
    x, y = tf.constant(1), tf.constant(2)
    p = tf.placeholder_with_default(1, shape=())
    made: list[str] = []

    def way(name: str, value: int) -> Any:
        def function() -> Any:
            made.append(name)
            return tf.constant(value)

        return function

    known = module.smart_cond(x * y > 0, way("then", 1), way("else", 2))
    fed = module.smart_cond(p > 0, way("fed then", 1), way("fed else", 2))
    cases = [(p > 1, way("p", 1)), (y < 1, way("y", 2)), (False, way("no", 3)), (True, way("yes", 4))]
    chosen = module.smart_case(cases, default=way("default", 5))
    with tf.Session() as session:
        values = session.run([known, fed, chosen]), session.run([fed, chosen], {p: 2}), session.run(fed, {p: -1})
    wrong = tried(lambda: module.smart_cond(True, lambda: x), lambda: module.smart_cond(True, false_fn=lambda: x))
    return values, made, wrong


@graph
def shapes_by_defaults_that_are_fed(tf: Any) -> Any:
    sizes = tf.placeholder_with_default([2, 3], [2])
    x = tf.reshape(tf.range(6), sizes)
    filled = tf.fill(sizes, 1.0)
    with tf.Session() as session:
        values = session.run([x, filled], {sizes: [3, 2]}), session.run([tf.shape(x), tf.shape(filled)])
    return x.shape.as_list(), filled.shape.as_list(), tf.get_static_value(sizes) is None, values


@graph
def devices_as_specifications(tf: Any) -> Any:
    device, spec = framework(tf, "device"), framework(tf, "device_spec")
    found: list[Any] = []
    for kind in (spec.DeviceSpecV1, spec.DeviceSpecV2):
        d = kind.from_string("/job:foo/replica:0")
        merged = d.make_merged_spec(kind.from_string("/task:1/cpu:0"))
        replaced = merged.replace(task=None, replica=12, device_type="GPU", device_index=2)
        found.append([d.to_string(), merged.to_string(), replaced.to_string(), hasattr(d, "merge_from")])
    with tf.device(spec.DeviceSpecV2.from_string("/job:ps/cpu:1")), tf.device("/task:2"):
        placed = tf.constant(1.0).device
    names = device.canonical_name("/device:GPU:0/task:0/job:foo"), device.canonical_name(d)
    return found, placed, names, tried(lambda: device.check_valid("/cpu:0/device:GPU:2"))


@graph
def python_functions_of_single_values(tf: Any) -> Any:
    seen: list[Any] = []

    def look(number: Any, text: Any, array: Any) -> Any:
        seen.append([type(number).__name__, type(text).__name__, type(array).__name__, {number: 1}[number]])
        return number

    return run(tf, tf.py_func(look, [tf.constant(3), tf.constant("a"), tf.constant([1.0])], tf.int32)), seen


@graph
def values_of_variables_that_a_python_function_keeps(tf: Any) -> Any:
    kept: list[Any] = []
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)

    def keep(value: Any) -> Any:
        kept.append(value)
        return np.float32(len(kept))

    noted = tf.py_func(keep, [v], tf.float32)
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(noted)
        session.run(v.assign([7.0, 8.0]))
        session.run(noted)
    return [np.array(each) for each in kept]


@graph
def parts_of_sparse_tensors(tf: Any) -> Any:
    module = framework(tf, "sparse_tensor")
    sp = tf.SparseTensor([[0, 0], [1, 2]], [1.0, 3.0], [3, 4])
    dense = tf.sparse.to_dense(sp)
    value = tf.SparseTensorValue(np.array([[0]]), np.array([1.0]), np.array([1]))
    sparse = [module.is_sparse(each) for each in (3, "foo", np.array(3), sp, value)]
    return sparse, dense.op in sp.consumers(), len(sp.consumers())


@eager
def concrete_functions_tell_their_arguments_in_eager_mode(tf: Any) -> Any:
    @tf.function
    def fn(x: Any, *more: Any, **named: Any) -> Any:
        return {"sum": x + tf.add_n(list(more)), "z": named["z"]}

    spec = tf.TensorSpec
    made = fn.get_concrete_function(
        spec([None], tf.float32), spec([], tf.float32, "y"), spec([], tf.float32), z=spec([2], tf.int32)
    )
    names = [each.op.name for each in made.inputs]
    shapes = [each.shape.as_list() for each in made.inputs]
    return names, shapes, sorted(made.structured_outputs)


@eager
def the_memory_of_an_eager_value(tf: Any) -> Any:
    t = tf.constant([0.0])
    t._numpy()[0] = 42.0
    return t
