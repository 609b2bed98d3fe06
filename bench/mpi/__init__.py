"""Steps of several processes: measured here, against torch, and fitted for docs/scaling.md."""
