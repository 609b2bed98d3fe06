"""Two optimizers on two parts of one model, in one step, as in wide-and-deep networks.

The wide part (one weight per pair of categories, sparse) is trained by Adagrad, the deep part (a
small network over the embeddings of the categories) by Adam, on one loss and from one pass backward.

Run: python examples/two_optimizers.py
"""

import numpy as np

import steepest as st

WIDE, DEEP = "wide", "deep"
CATEGORIES, SIZE = 200, 8


def main():
    rng = np.random.default_rng(0)
    st.set_random_seed(0)
    # What is to be learned: a smooth part, and exceptions for some pairs that only a table can hold.
    taste = rng.normal(size=(CATEGORIES, 2))
    exceptions = np.where(rng.random((CATEGORIES, CATEGORIES)) < 0.1, 4.0, 0.0)

    def examples(size):
        a, b = rng.integers(0, CATEGORIES, (2, size))
        score = np.sum(taste[a] * taste[b], axis=1) + exceptions[a, b]
        return a, b, (score > 0).astype(np.float32)

    everywhere = st.GraphKeys.GLOBAL_VARIABLES
    with st.variable_scope("wide"):
        pairs = st.get_variable("pairs", [CATEGORIES**2], initializer=np.zeros, collections=[everywhere, WIDE])
    with st.variable_scope("deep"):
        deep = {"collections": [everywhere, DEEP]}
        embedding = st.get_variable("embedding", [CATEGORIES, SIZE], **deep)
        w1 = st.get_variable("w1", [2 * SIZE, 32], **deep)
        b1 = st.get_variable("b1", [32], initializer=np.zeros, **deep)
        w2 = st.get_variable("w2", [32], **deep)

    def logits(a, b):
        both = st.nn.embedding_lookup([embedding, embedding], np.stack([a, b], axis=1))  # side by side
        wide = st.nn.embedding_lookup(pairs, a * CATEGORIES + b)
        return wide + st.nn.relu(both @ w1 + b1) @ w2

    def loss(a, b, label):
        return np.mean(st.nn.sigmoid_cross_entropy_with_logits(labels=label, logits=logits(a, b)))

    step = st.get_or_create_global_step()
    # The mean over 512 examples makes a pair's gradient small: hence the small start of its sum.
    adagrad = st.AdagradOptimizer(0.2, initial_accumulator_value=1e-6)
    adam = st.AdamOptimizer(st.exponential_decay(0.01, step, decay_steps=500, decay_rate=0.5))
    both = st.MultiOptimizer([(adagrad, st.get_collection(WIDE)), (adam, st.get_collection(DEEP))])
    gradients = st.implicit_gradients(loss)
    for _ in range(1500):
        both.apply_gradients(gradients(*examples(512)), global_step=step)

    a, b, label = examples(20_000)
    right = (np.asarray(logits(a, b)) > 0) == (label > 0.5)
    print(f"wide: {[v.name for v in st.get_collection(WIDE)]} with {adagrad.get_slot_names()}")
    print(f"deep: {[v.name for v in st.get_collection(DEEP)]} with {adam.get_slot_names()}")
    print(f"test accuracy: {100 * right.mean():.1f} % after {int(step.numpy())} steps")


if __name__ == "__main__":
    main()
