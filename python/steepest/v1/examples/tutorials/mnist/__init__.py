"""``tensorflow.examples.tutorials.mnist``: reading the digits."""

from . import input_data

__all__ = ["input_data"]
