"""Scaling: one server, several processes, two servers behind a proxy, and Ray Serve, compared in one run."""
