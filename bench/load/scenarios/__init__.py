"""One file for each load, named by what happens."""
