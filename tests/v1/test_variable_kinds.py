"""Variables under TensorFlow's internal names: resources, raw ones, templates, functions with graphs of their own."""

from __future__ import annotations

import traceback

import numpy as np
import pytest
from steepest.v1.python.eager import wrap_function

import steepest.v1 as tf
from steepest.v1.testing.protobuf_messages import like, rounded
from steepest.v1.testing.test_modes import eager_mode, graph_mode, run_in_graph_and_eager_modes
from steepest.v1.variables import raw_variables, templates
from steepest.v1.variables.resource_variable import ResourceVariable


def test_resource_variables_are_told_from_others():
    with tf.Graph().as_default():
        assert isinstance(tf.Variable(1.0, use_resource=True), ResourceVariable)
        assert not isinstance(tf.Variable(1.0), ResourceVariable)
        assert not isinstance(tf.constant(1.0), ResourceVariable)
        made = ResourceVariable(np.zeros([2, 2], np.float32), False, None, True, None, "r", tf.float64, shape=[None, 2])
        assert isinstance(made, tf.Variable)
        assert isinstance(made, ResourceVariable)
        assert (made.op.name, made.dtype.base_dtype, made.shape.as_list()) == ("r", tf.float64, [None, 2])
        with tf.variable_scope("scope", use_resource=True):
            assert isinstance(tf.get_variable("v", []), ResourceVariable)
        try:
            tf.enable_resource_variables()
            assert tf.resource_variables_enabled()
            assert isinstance(tf.Variable(1.0), ResourceVariable)
        finally:
            tf.disable_resource_variables()
        assert not isinstance(tf.Variable(1.0), ResourceVariable)
        assert not tf.resource_variables_enabled()
    with eager_mode():
        assert isinstance(tf.Variable(1.0), ResourceVariable)


def test_classes_derived_from_resource_variables_make_their_own_objects():
    class Own(ResourceVariable):
        pass

    with tf.Graph().as_default():
        own = Own(1.0)
        assert type(own) is Own
        assert isinstance(own, Own)
        assert not isinstance(tf.Variable(1.0, use_resource=True), Own)


def test_raw_variables_have_no_value_until_one_is_assigned():
    with tf.Graph().as_default(), tf.Session() as session:
        raw = raw_variables.variable([2], tf.float32, container="there", name="raw")
        assert raw.op.get_attr("container") == b"there"
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(raw)
        assert session.run(tf.assign(raw, [1.0, 2.0])).tolist() == [1.0, 2.0]
        unknown = raw_variables.variable_op([1, 2], tf.float32, set_shape=False)
        assert unknown.shape.ndims is None
        assert tf.assign(unknown, [[1.0, 2.0]]).shape.as_list() == [1, 2]
        assert tf.assign_add(unknown, tf.placeholder(tf.float32)).shape.ndims is None
        assert raw_variables.variable_op_v2([3], tf.int32).shape.as_list() == [3]
        with tf.container("box"):
            assert tf.Variable(1.0).op.get_attr("container") == b"box"


def test_changes_of_variables_are_made_in_their_graph():
    with tf.Graph().as_default() as graph:
        v = tf.Variable(1.0)
        added, first = v.assign_add(3.0), v.initializer
    with tf.Graph().as_default():
        taken = v.assign_sub(1.0)
    assert taken.graph is graph
    with tf.Session(graph=graph) as session:
        session.run(first)
        assert [session.run(each) for each in (added, taken)] == [4.0, 3.0]


def test_templates_have_the_internal_names():
    common = traceback.format_stack()
    assert templates._skip_common_stack_elements(common, common) == common[-1:]
    assert templates._skip_common_stack_elements(["a", "b", "c"], ["a", "x"]) == ["b", "c"]
    with tf.Graph().as_default():
        template = templates.make_template_internal("t", lambda: tf.get_variable("w", [1]), create_graph_function_=True)
        assert not template._variables_created
        assert template() is template()
        assert template._variables_created


def test_functions_with_graphs_of_their_own_keep_their_variables():
    calls = []

    def count(x: object, by: int) -> object:
        calls.append(tf.executing_eagerly())
        with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
            v = tf.get_variable("v", [], initializer=tf.constant_initializer(5.0))
        with tf.control_dependencies([v.assign_add(by * x)]):
            return {"after": v.read_value(), "nothing": None}

    with eager_mode():
        function = tf.wrap_function(count, [tf.TensorSpec((), tf.float32), 2])
        assert [variable.name for variable in function.variables] == ["s/v:0"]
        assert function(1.0)["after"].numpy() == 7.0
        again = function(tf.constant(2.0))
        assert (again["after"].numpy(), again["nothing"]) == (11.0, None)
        assert calls == [False]
        with function.graph.as_default():
            twice = function.inputs[0] * 2.0
        assert [each.numpy() for each in function.prune(function.inputs, [twice])(3.0)] == [6.0]
        with pytest.raises(TypeError, match="must be called with 1 tensors, got 2"):
            function(1.0, 2.0)
        with pytest.raises(ValueError, match="Feeds must be tensors"):
            function.prune(twice.op, twice)
    with graph_mode(), tf.Session() as session:
        result = tf.wrap_function(count, [tf.TensorSpec((), tf.float32), 2])(1.0)["after"]
        session.run(tf.global_variables_initializer())
        assert session.run(result) == 7.0


def test_a_wrapped_function_runs_the_effects_that_results_depend_on():
    scalar = tf.TensorSpec((), tf.float32)

    def of(v: tf.Variable) -> tuple[object, object, object]:
        def pruned(x: tf.Tensor) -> tf.Tensor:
            v.assign_add(x)
            return x * 2.0

        def needed(x: tf.Tensor) -> tf.Tensor:
            with tf.control_dependencies([v.assign_add(x)]):
                return tf.identity(x)

        def nothing(x: tf.Tensor) -> None:
            tf.cond(x > 0.0, lambda: v.assign_add(x), lambda: v.assign(0.0))

        return tuple(tf.wrap_function(each, [scalar]) for each in (pruned, needed, nothing))

    with eager_mode():
        v = tf.Variable(1.0)
        values = [(function(tf.constant(2.0)), float(v.numpy()))[1] for function in of(v)]
        assert values == [1.0, 3.0, 5.0]
    with graph_mode(), tf.Session() as session:
        v = tf.Variable(1.0, use_resource=True)
        session.run(v.initializer)
        pruned, needed, nothing = (function(tf.constant(2.0)) for function in of(v))
        assert pruned.op.type == needed.op.type == "StatefulPartitionedCall"
        assert (session.run(pruned), session.run(v), session.run(needed), session.run(v)) == (4.0, 1.0, 2.0, 3.0)
        assert nothing is None


def test_a_part_of_a_wrapped_function_runs_no_effect_of_another_one():
    with eager_mode():
        v = tf.Variable(1.0)
        made = []
        whole = tf.wrap_function(lambda: made.extend([v.assign(5.0).op, v.assign_add(1.0).op]), [])
        whole.prune([], made[1])()
        assert float(v.numpy()) == 2.0
        whole()
        assert float(v.numpy()) in (5.0, 6.0)  # their order is not said


def test_functions_of_one_graph_share_its_variables_and_its_collections():
    scalar = tf.TensorSpec((), tf.float32)

    def add(x: object) -> object:
        with tf.variable_scope("shared", reuse=tf.AUTO_REUSE):
            v = tf.get_variable("v", [], initializer=tf.constant_initializer(3.0))
        tf.add_to_collection("mine", v)
        return v.assign_add(x)

    def times(x: object) -> object:
        return tf.Variable(5.0, name="shared/v") * x, tf.no_op()

    with eager_mode():
        graph = wrap_function.WrappedGraph()
        first, second = graph.wrap_function(add, [scalar]), graph.wrap_function(add, [scalar], name="again")
        assert [first(1.0).numpy(), second(2.0).numpy(), graph.variables["shared/v"].numpy()] == [4.0, 6.0, 6.0]
        assert (sorted(graph.functions), len(graph.graph.get_collection("mine"))) == (["add", "again"], 2)
        holder = wrap_function.VariableHolder(share_variables=True)
        third, fourth = (wrap_function.WrappedGraph(holder).wrap_function(each, [scalar]) for each in (add, times))
        assert third(4.0).numpy() == 7.0
        product, nothing = fourth(2.0)  # its own first value is not used
        assert (product.numpy(), nothing, list(holder.variables)) == (14.0, None, ["shared/v"])
        with tf.Graph().as_default() as saved:
            tf.add(tf.placeholder(tf.float32, [], name="x"), 1.0, name="sum")
        assert wrap_function.function_from_graph_def(saved.as_graph_def(), "x:0", "sum:0")(1.0).numpy() == 2.0


def test_the_eager_half_of_a_test_begins_with_an_empty_graph():
    class Case(tf.test.TestCase):
        @run_in_graph_and_eager_modes
        def test_it(self) -> None:
            with tf.get_default_graph().as_default():
                assert tf.get_variable("only_once", []).name == "only_once:0"

    Case("test_it").debug()


def test_values_that_are_no_tensors_are_refused_in_the_words_of_each_mode():
    with pytest.raises(TypeError, match="Failed to convert"), graph_mode():
        tf.convert_to_tensor({})
    with eager_mode(), pytest.raises(ValueError, match=r"unsupported type .*dict"):
        tf.convert_to_tensor({})


def test_shapes_of_changes_are_told_in_tensorflows_words():
    with eager_mode():
        v = tf.Variable([1.0, 2.0])
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"shape \[2\] using a Tensor with shape \[\], shapes"):
            v.assign_add(1.0)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"shape of indices \(\[2\]\) .* updates \(\[3\]\)"):
            tf.scatter_update(v, [0, 1], [0.0, 1.0, 2.0])


@pytest.mark.parametrize(
    ("value", "dtype", "words"),
    [
        (1.5, "float32", r"0-th value returned by pyfunc_\d+ is double, but expects float"),
        (2**40, "int32", r"is int64, but expects int32"),
        (1j, "float64", "is complex128, but expects double"),
        ((1.0, 2.0), "float64", r"pyfunc_\d+ returns 2 values, but expects to see 1 values"),
        ("text", "bool", "is string, but expects bool"),
        (np.array([1], object), "int64", "Unsupported object type int"),
        (np.longdouble(1), "float64", "Unsupported numpy type"),
    ],
)
def test_results_of_python_functions_are_of_the_type_that_was_announced(value, dtype, words):
    with tf.Graph().as_default(), tf.Session() as session:
        found = tf.py_func(lambda: value, [], tf.as_dtype(dtype))
        with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.InternalError), match=words):
            session.run(found)
    with pytest.raises(ValueError, match="Expected func to be callable"):
        tf.py_func(3, [], tf.float32)


def test_python_functions_without_effects_and_results_are_nothing():
    with tf.Graph().as_default():
        assert tf.py_func(lambda: None, [], [], stateful=False) == []
        assert tf.py_func(lambda: 1.0, [], tf.float32, stateful=False).op.type == "PyFuncStateless"
        structured = tf.py_func(lambda: np.zeros(1, [("a", np.float32)]), [], tf.float32)
        with tf.Session() as session, pytest.raises(tf.errors.InternalError, match="Unsupported numpy data type"):
            session.run(structured)


def test_summaries_are_compared_with_texts():
    text = 'value { tag: "c1" simple_value: 10.00000001 } value { tag: "c2" simple_value: 20 }'
    with tf.Graph().as_default(), tf.Session() as session:
        summary = tf.Summary()
        summary.ParseFromString(session.run(tf.contrib.deprecated.scalar_summary(["c1", "c2"], [10.0, 20.0])))
        wrong = tf.contrib.deprecated.scalar_summary(["c1"], [10.0, 20.0])
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"not the same shape: \[1\] != \[2\]"):
            session.run(wrong)
    assert rounded(summary) == rounded(like(summary, text))
    case = tf.test.TestCase("assertEqual")
    case.assertProtoEquals(text, summary)
    with pytest.raises(AssertionError):
        case.assertProtoEquals(text.replace("20", "21"), summary)


def test_printed_nests_are_in_the_order_of_their_keys(capsys: pytest.CaptureFixture[str]):
    with eager_mode():
        tf.print({"b": tf.constant(1), "a": [tf.constant([2, 3])]}, {2: "x", "y": 1})
        tf.print([tf.SparseTensor([[0, 1], [1, 0]], [4, 5], [2, 2])])
    shown = "['SparseTensor(indices=[[0 1]\n [1 0]], values=[4 5], shape=[2 2])']"
    assert capsys.readouterr().err == f"{{'a': [[2 3]], 'b': 1}} {{2: x, 'y': 1}}\n{shown}\n"
