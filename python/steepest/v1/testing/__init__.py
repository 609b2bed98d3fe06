"""What `tf.test` is made of: assertions, modes, benchmarks."""
