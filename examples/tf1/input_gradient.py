"""The gradient of the loss with respect to word vectors, evaluated in the middle of training, without any effect on it.

``tf.gradients`` adds nodes that compute; only an optimizer's operation assigns. The gradient makes adversarial inputs.
"""

import numpy as np

import steepest.v1 as tf

VOCABULARY, SIZE, WINDOW, BATCH = 20, 6, 2, 16


def contexts(rng):
    """Words whose number is near that of the word in the middle."""
    middle = rng.randint(0, VOCABULARY, BATCH)
    offsets = np.array([o for o in range(-WINDOW, WINDOW + 1) if o])
    return (middle[:, None] + offsets) % VOCABULARY, middle


def train(look_at_gradients):
    rng = np.random.RandomState(2)
    with tf.Graph().as_default(), tf.Session() as sess:
        context = tf.placeholder(tf.int32, [None, 2 * WINDOW], name="context")
        target = tf.placeholder(tf.int32, [None], name="target")
        table = tf.Variable(rng.uniform(-0.5, 0.5, (VOCABULARY, SIZE)).astype(np.float32), name="table")
        out = tf.Variable(rng.uniform(-0.5, 0.5, (SIZE, VOCABULARY)).astype(np.float32), name="out")
        embed = tf.nn.embedding_lookup(table, context)
        logits = tf.matmul(tf.reduce_mean(embed, 1), out)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits))
        train_op = tf.train.AdagradOptimizer(0.5).minimize(loss)
        loss_grad = tf.gradients(loss, embed)[0]

        tf.global_variables_initializer().run()
        losses, norms, harmed = [], [], []
        for _ in range(30):
            feed_dict = dict(zip([context, target], contexts(rng), strict=True))
            if look_at_gradients:
                real_grad = loss_grad.eval(feed_dict)
                norms.append(np.sqrt(np.sum(real_grad**2)))
                harmful = embed.eval(feed_dict) + 0.1 * np.sign(real_grad)
                harmed.append(sess.run(loss, {embed: harmful, target: feed_dict[target]}))
            losses.append(sess.run([train_op, loss], feed_dict)[1])
        return np.array(losses), np.array(norms), np.array(harmed)


def run():
    losses, norms, harmed = train(look_at_gradients=True)
    undisturbed, _, _ = train(look_at_gradients=False)
    return {"losses": losses, "undisturbed": undisturbed, "gradient norms": norms, "adversarial losses": harmed}


if __name__ == "__main__":
    answers = run()
    print(f"last losses, with a look at gradients: {answers['losses'][-3:]}, without: {answers['undisturbed'][-3:]}")
    print(f"losses of adversarial inputs: {answers['adversarial losses'][-3:]}")
