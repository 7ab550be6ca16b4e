"""Trainings as a server holds them: who keeps them, whose they are, the processes they run in."""
