"""``tensorflow.examples``: what its tutorials import."""
