"""An update rule of your own in fifteen lines of Python: Lion, with a slot for its momentum.

Only the dense rule is written; the rows of an embedding get the same one, gathered and put back.
Source: Chen et al. 2023, "Symbolic Discovery of Optimization Algorithms".

Run: python examples/custom_optimizer.py   (needs scikit-learn for its data)
"""

import numpy as np
from sklearn.datasets import load_breast_cancer

import steepest as st


class LionOptimizer(st.Optimizer):
    """``w -= rate * sign(beta1 * m + (1 - beta1) * g)``, then ``m = beta2 * m + (1 - beta2) * g``."""

    def __init__(self, learning_rate=1e-3, beta1=0.9, beta2=0.99, use_locking=False, name="Lion"):
        super().__init__(use_locking, name)
        self._learning_rate, self._beta1, self._beta2 = learning_rate, beta1, beta2

    def _create_slots(self, var_list):
        for var in var_list:
            self._zeros_slot(var, "m", self._name)

    def _apply_dense(self, grad, var):
        m = self.get_slot(var, "m").value
        var.value[...] -= self._learning_rate * np.sign(self._beta1 * m + (1 - self._beta1) * grad)
        m[...] = self._beta2 * m + (1 - self._beta2) * grad


def main():
    data = load_breast_cancer()
    x = ((data.data - data.data.mean(axis=0)) / data.data.std(axis=0)).astype(np.float32)
    y = data.target.astype(np.float32)
    order = np.random.default_rng(0).permutation(len(x))
    train, test = order[:400], order[400:]

    weights = st.Variable(np.zeros(30, np.float32), name="weights")
    bias = st.Variable(np.float32(0), name="bias")

    def loss():
        logits = x[train] @ weights + bias
        return np.mean(st.nn.sigmoid_cross_entropy_with_logits(labels=y[train], logits=logits))

    opt = LionOptimizer(0.003)
    print(f"loss before: {float(loss()):.3f}")
    for _ in range(200):
        opt.minimize(loss)
    print(f"loss after: {float(loss()):.3f}")
    right = ((x[test] @ weights.value + bias.value) > 0) == (y[test] > 0.5)
    print(f"test accuracy: {100 * right.mean():.1f} %")


if __name__ == "__main__":
    main()
