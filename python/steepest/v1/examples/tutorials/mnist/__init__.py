"""``tensorflow.examples.tutorials.mnist``: reading the digits, and a network for them."""

from . import input_data, mnist

__all__ = ["input_data", "mnist"]
