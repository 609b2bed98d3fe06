"""What is kept in files: checkpoints of variables, and graphs."""
