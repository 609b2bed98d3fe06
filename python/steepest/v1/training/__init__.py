"""Variables, gradients, updates, checkpoints, schedules of graph mode."""
