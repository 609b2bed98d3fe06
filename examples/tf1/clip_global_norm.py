"""An unrolled recurrent network learns letters: gradients clipped by global norm, and a rate that is assigned."""

import numpy as np

import steepest.v1 as tf

LETTERS, HIDDEN, STEPS, BATCH = "abcd ", 12, 6, 10
TEXT = "abcd dcba " * 13
max_grad_norm, base_rate = 0.5, 1.0


def batches():
    ids = np.array([LETTERS.index(letter) for letter in TEXT])
    rows = ids[: BATCH * (len(ids) // BATCH)].reshape(BATCH, -1)
    for at in range(0, rows.shape[1] - STEPS, STEPS):
        yield rows[:, at : at + STEPS], rows[:, at + 1 : at + STEPS + 1]


def run():
    rng = np.random.RandomState(14)

    def start(*shape):
        return tf.constant_initializer(rng.uniform(-0.4, 0.4, shape))

    with tf.Graph().as_default(), tf.Session() as session:
        inputs = tf.placeholder(tf.int32, [BATCH, STEPS])
        targets = tf.placeholder(tf.int32, [BATCH, STEPS])
        initial_state = tf.placeholder_with_default(tf.zeros([BATCH, HIDDEN]), [BATCH, HIDDEN])
        letters = tf.unstack(tf.one_hot(inputs, len(LETTERS)), axis=1)
        state, outputs = initial_state, []
        with tf.variable_scope("RNN", initializer=start(len(LETTERS) + HIDDEN, HIDDEN)):
            for time_step, letter in enumerate(letters):
                if time_step > 0:
                    tf.get_variable_scope().reuse_variables()
                w = tf.get_variable("w", [len(LETTERS) + HIDDEN, HIDDEN])
                b = tf.get_variable("b", [HIDDEN], initializer=tf.zeros_initializer())
                state = tf.tanh(tf.matmul(tf.concat([letter, state], 1), w) + b)
                outputs.append(state)
        final_state = state
        output = tf.reshape(tf.stack(outputs, axis=1), [-1, HIDDEN])
        softmax_w = tf.get_variable("softmax_w", [HIDDEN, len(LETTERS)], initializer=start(HIDDEN, len(LETTERS)))
        logits = tf.matmul(output, softmax_w)
        per_letter = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.reshape(targets, [-1]), logits=logits)
        cost = tf.reduce_sum(per_letter) / BATCH

        lr = tf.Variable(0.0, trainable=False)
        new_lr = tf.placeholder(tf.float32, shape=[], name="new_learning_rate")
        lr_update = tf.assign(lr, new_lr)
        tvars = tf.trainable_variables()
        grads, norm = tf.clip_by_global_norm(tf.gradients(cost, tvars), max_grad_norm)
        global_step = tf.train.get_or_create_global_step()
        optimizer = tf.train.GradientDescentOptimizer(lr)
        train_op = optimizer.apply_gradients(zip(grads, tvars, strict=True), global_step=global_step)

        session.run(tf.global_variables_initializer())
        perplexities, norms, rates = [], [], []
        for epoch in range(24):
            rates.append(session.run(lr_update, feed_dict={new_lr: base_rate * 0.5 ** max(epoch - 17, 0)}))
            costs, memory = [], np.zeros([BATCH, HIDDEN])
            for x, y in batches():
                feed_dict = {inputs: x, targets: y, initial_state: memory}
                fetched = session.run([cost, final_state, norm, train_op], feed_dict)
                memory = fetched[1]
                costs.append(fetched[0])
                norms.append(fetched[2])
            perplexities.append(np.exp(np.sum(costs) / (len(costs) * STEPS)))
        return {
            "perplexities": np.array(perplexities),
            "norms": np.array(norms[:10]),
            "rates": np.array(rates),
            "steps": tf.train.global_step(session, global_step),
            "variables": [v.name for v in tvars],
        }


if __name__ == "__main__":
    answers = run()
    print(f"perplexity {answers['perplexities'][0]:.2f} -> {answers['perplexities'][-1]:.2f} of {len(LETTERS)} letters")
    print(f"norms before clipping to {max_grad_norm}: {answers['norms']}")
