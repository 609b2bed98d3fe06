"""What runs a training: monitored sessions, hooks, coordinated threads, several processes."""
