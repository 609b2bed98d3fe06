"""Who is timed, one library a file."""
