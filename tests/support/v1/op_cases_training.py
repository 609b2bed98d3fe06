"""Variables, slots and averages after a few steps of training, with dense and sparse gradients."""

from __future__ import annotations

import numpy as np
from op_cases import Case, case, draw, register

TABLE, INPUTS, TARGETS = draw(90, 5, 3), draw(91, 4, 3), draw(92, 4)
IDS = [[0, 2], [2, 2], [4, 0], [1, 2]]
STEPS = 4

OPTIMIZERS = {
    "GradientDescent": lambda t, rate: t.GradientDescentOptimizer(rate),
    "Momentum": lambda t, rate: t.MomentumOptimizer(rate, 0.9),
    "Nesterov": lambda t, rate: t.MomentumOptimizer(rate, 0.9, use_nesterov=True),
    "Adagrad": lambda t, rate: t.AdagradOptimizer(rate, initial_accumulator_value=0.2),
    "Adam": lambda t, rate: t.AdamOptimizer(rate, beta1=0.75, beta2=0.9375, epsilon=0.125),
}


def dense_loss(tf, table, ids):
    rows = tf.reduce_sum(table * tf.constant(draw(93, 5, 3)), axis=0)
    return tf.reduce_mean(tf.square(tf.reduce_sum(tf.constant(INPUTS) * rows, 1) - TARGETS))


def sparse_loss(tf, table, ids):
    return tf.reduce_sum(tf.square(tf.nn.embedding_lookup(table, ids) - 0.5))


def after_training(tf, optimizer, loss, decayed):
    """Return the variables, in the order of their names, after the steps."""
    table = tf.Variable(TABLE, name="table")
    ids = tf.placeholder(tf.int32, [None])
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 2, 0.5, staircase=True) if decayed else 0.1
    train = optimizer(tf.train, rate).minimize(loss(tf, table, ids), global_step=step)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for k in range(STEPS):
            session.run(train, {ids: IDS[k]})
        # Adam's powers of beta are double here, and float there.
        found = [v for v in tf.global_variables() if "_power" not in v.name]
        variables = sorted(found, key=lambda v: v.name)
        values = session.run(variables)
    return [tf.constant([v.name for v in variables]), *map(tf.constant, values)]


for name, optimizer in OPTIMIZERS.items():
    for loss in (dense_loss, sparse_loss):
        for decayed in (False, True):

            def build(tf, optimizer=optimizer, loss=loss, decayed=decayed):
                return after_training(tf, optimizer, loss, decayed)

            label = f"{name} {loss.__name__.replace('_', ' ')}{', decayed' if decayed else ''}"
            register(Case(f"training by {label}", build, grad=False))


def trained(tf, make, steps=STEPS):
    """Return what ``make`` fetches at each step."""
    fetches = make()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [tf.constant(value) for _ in range(steps) for value in session.run(fetches)]


@case(grad=False)
def training_with_clipped_gradients(tf):
    def make():
        table = tf.Variable(TABLE, name="table")
        optimizer = tf.train.AdamOptimizer(0.1, 0.75, 0.9375, 0.125)
        gradients, variables = zip(*optimizer.compute_gradients(dense_loss(tf, table, None)), strict=True)
        clipped, norm = tf.clip_by_global_norm(gradients, 0.5)
        train = optimizer.apply_gradients(zip(clipped, variables, strict=True))
        with tf.control_dependencies([train]):
            return [norm, table.read_value() + 0.0]

    return trained(tf, make)


@case(grad=False)
def training_in_two_groups(tf):
    def make():
        with tf.variable_scope("first"):
            first = tf.get_variable("w", initializer=TABLE)
        with tf.variable_scope("second"):
            second = tf.get_variable("w", initializer=2.0 * TABLE)
        loss = tf.reduce_sum(tf.square(first - second))
        mine = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="first")
        slow = tf.train.GradientDescentOptimizer(0.01).minimize(loss, var_list=mine)
        with tf.control_dependencies([slow]):
            fast = tf.train.MomentumOptimizer(0.1, 0.5).minimize(tf.reduce_sum(tf.square(second)), var_list=[second])
        with tf.control_dependencies([fast]):
            return [first.read_value() + 0.0, second.read_value() + 0.0]

    return trained(tf, make)


@case(grad=False)
def moving_averages(tf):
    def make():
        variable = tf.Variable([1.0, 2.0], name="w")
        average = tf.train.ExponentialMovingAverage(0.9)
        with tf.control_dependencies([tf.assign(variable, variable * 2.0)]):
            update = average.apply([variable])
        with tf.control_dependencies([update]):
            return [average.average(variable).read_value() + 0.0, variable.read_value() + 0.0]

    return trained(tf, make)


@case(grad=False)
def moving_averages_with_a_number_of_updates(tf):
    step = tf.Variable(3, trainable=False)
    variable = tf.Variable([1.0, 2.0], name="w")
    average = tf.train.ExponentialMovingAverage(0.99, num_updates=step)
    update = average.apply()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(tf.assign(variable, [5.0, 6.0]))
        session.run(update)
        value = session.run(average.average(variable))
    names = [average.average(variable).name, average.average_name(variable), sorted(average.variables_to_restore())]
    return [tf.constant(value), tf.constant([str(name) for name in names])]


@case(grad=False)
def a_loss_that_is_not_scalar_trains_its_sum(tf):
    def make():
        table = tf.Variable(TABLE)
        train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(table))
        with tf.control_dependencies([train]):
            return [table.read_value() + 0.0]

    return trained(tf, make, 2)


@case(grad=False)
def a_constraint_holds_after_each_step(tf):
    def make():
        table = tf.get_variable("w", initializer=TABLE, constraint=lambda w: tf.clip_by_value(w, -0.5, 0.5))
        train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(table))
        with tf.control_dependencies([train]):
            return [table.read_value() + 0.0]

    return trained(tf, make, 2)


@case(grad=False)
def logistic_regression(tf):
    x, y = tf.constant(INPUTS), tf.constant(np.float32(TARGETS > 0)[:, None])
    w, b = tf.Variable(tf.zeros([3, 1])), tf.Variable(0.0)
    logits = tf.matmul(x, w) + b
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
    loss += 0.01 * tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.cast(logits > 0.0, tf.float32), y), tf.float32))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        losses = [session.run([loss, train])[0] for _ in range(10)]
        return [tf.constant(np.array(losses)), tf.constant(session.run(w)), tf.constant(session.run(accuracy))]
