"""What ``tf.summary`` is made of: operations whose values are serialized summaries, and writers of event files."""
