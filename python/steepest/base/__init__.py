"""What everything stands on: errors, element types, memory, threads."""
