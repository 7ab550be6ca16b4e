"""Logs and metrics: what happens, without what anybody typed."""
