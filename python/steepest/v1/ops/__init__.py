"""The operations, under TensorFlow's own file names."""
