"""Load: many browsers against a running server, paced and counted."""
