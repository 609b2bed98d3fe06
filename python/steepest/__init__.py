"""TensorFlow 1's optimizer API for NumPy."""
