"""Whose turn it is to compute: visitors, their requests, the lines they wait in."""
