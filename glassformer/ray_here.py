"""Ray Serve on this machine alone, where Ray is installed."""

from __future__ import annotations

import os

from .app.settings import Settings
from .launch import LaunchError

MISSING = "Ray is not installed: python -m pip install 'glassformer[ray]'"
ENVIRONMENT = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # on every system: one node, and its ports on 127.0.0.1
    "RAY_AUTH_MODE": "token",  # its ports unpickle what comes: only from who has the token
    "RAY_worker_niceness": "0",  # Ray would let everything else on the machine go first
}


def launch_ray(settings: Settings, *, replicas: int, max_replicas: int) -> None:
    """Serve until Ctrl-C or SIGTERM.

    Raises:
        LaunchError: Ray is not installed (status 2).
    """
    os.environ.update(ENVIRONMENT)
    try:
        from .ray import serve_here
    except ImportError as error:
        raise LaunchError(MISSING, status=2) from error
    serve_here(settings, replicas=replicas, max_replicas=max_replicas)
