"""Cases, one file each."""
