"""Handwritten digits with plain NumPy: your arrays, your gradients, one call per step.

Run: python examples/digits_ndarray.py   (needs scikit-learn for its data)
"""

import numpy as np
from sklearn.datasets import load_digits

import steepest as st


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def gradients(params, x, labels):
    """Back-propagation by hand through relu and softmax cross-entropy."""
    w1, b1, w2, b2 = params
    hidden = np.maximum(x @ w1 + b1, 0)
    error = softmax(hidden @ w2 + b2)
    error[np.arange(len(labels)), labels] -= 1
    error /= len(labels)
    back = (error @ w2.T) * (hidden > 0)
    return [x.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]


def main():
    rng = np.random.default_rng(0)
    digits = load_digits()
    x = (digits.data / 16).astype(np.float32)
    order = rng.permutation(len(x))
    train, test = order[:1400], order[1400:]

    params = [
        rng.normal(0, 0.1, (64, 64)).astype(np.float32),
        st.zeros(64),
        rng.normal(0, 0.1, (64, 10)).astype(np.float32),
        st.zeros(10),
    ]
    opt = st.AdamOptimizer(0.005, hooks=[st.ClipByGlobalNorm(1.0)])

    for _ in range(30):
        for rows in np.array_split(rng.permutation(train), 28):
            grads = gradients(params, x[rows], digits.target[rows])
            opt.apply_gradients(zip(grads, params, strict=True))  # params are updated in place

    w1, b1, w2, b2 = params
    guess = (np.maximum(x[test] @ w1 + b1, 0) @ w2 + b2).argmax(axis=1)
    accuracy = (guess == digits.target[test]).mean()
    print(f"test accuracy: {100 * accuracy:.1f} %")


if __name__ == "__main__":
    main()
