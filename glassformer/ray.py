"""Glassformer on Ray Serve: one front, and replicas that compute, as many as there is work for (docs/scaling.md).

`glassformer ray` starts it on this machine alone (ray_here.py); `serve run glassformer.ray:app` does in a cluster that is there.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # its makers are not told
os.environ.setdefault(
    "RAY_SERVE_MULTIPLEXED_MODEL_ID_MATCHING_TIMEOUT_S", "0.1"
)  # then a model is built in another place as well

import ray
from fastapi import FastAPI
from ray import serve
from ray.serve.handle import DeploymentHandle
from starlette.types import Message

from .app.observing.given_id import GivenId
from .app.replicas.replica import answer, create_front, create_replica
from .app.settings import Settings
from .heap import SETTINGS, TUNABLES

GRACE_SECONDS = 5
HELD = 8  # heavy models that a replica is taken to hold; how many it does hold is GLASSFORMER_MAX_MODELS
ONGOING = 256  # requests and streams of one replica at once; its own queue and streams have shorter limits, and say so
TARGET = 16  # and how many are wanted; with more there will be another replica …
UPSCALE_SECONDS = 5.0  # … after so long
OBJECT_STORE = 100_000_000  # bytes; answers that are larger than 100 kB pass through it


class Computing:
    """A server that holds models and computes. Ray sends requests for a heavy model to a replica that has it."""

    async def __init__(self, settings: dict[str, Any]) -> None:  # type: ignore[misc]  # Ray awaits it
        self._app = create_replica(Settings(**settings))
        self._open = self._app.router.lifespan_context(self._app)
        await self._open.__aenter__()

    @serve.multiplexed(max_num_models_per_replica=HELD)
    async def hold(self, name: str) -> str:
        """Say that a model is here. It is built when a request for it has passed every check, not before."""
        return name

    async def answer(self, request: dict[str, Any], body: bytes) -> AsyncIterator[Message]:
        """Give the messages of an answer as they come."""
        if name := serve.get_multiplexed_model_id():
            await self.hold(name)
        messages = answer(self._app, request, body)
        try:
            async for message in messages:
                yield message
        finally:
            await messages.aclose()

    async def __del__(self) -> None:
        await self._open.__aexit__(None, None, None)


def app(args: dict[str, Any]) -> serve.Application:
    """Build the application; `args` are settings, and `replicas` and `max_replicas` (1 each).

    Trainings go on in one of the processes that share a data folder, so all of them need the same one.
    """
    named = dict(args)
    least = int(named.pop("replicas", 1))
    most = max(least, int(named.pop("max_replicas", least)))
    settings = Settings(**named).model_dump()

    return _front(settings).bind(_computing(least, most).bind(settings))


def serve_here(settings: Settings, *, replicas: int, max_replicas: int) -> None:
    """Start Ray on this machine, serve until Ctrl-C or SIGTERM, and end it."""
    cores = max(max_replicas, os.cpu_count() or 1)
    ray.init(address="local", include_dashboard=False, object_store_memory=OBJECT_STORE, num_cpus=cores, log_to_driver=False)
    try:
        serve.start(proxy_location="HeadOnly", http_options={"host": settings.host, "port": settings.port})
        named = {name: getattr(settings, name) for name in settings.model_fields_set}
        serve.run(app({**named, "replicas": replicas, "max_replicas": max_replicas}), name="glassformer")
        print(f"Glassformer: http://{settings.host}:{settings.port}/ (Ctrl-C ends it)", flush=True)
        _wait_for_the_end()
    finally:
        serve.shutdown()
        ray.shutdown()


def _wait_for_the_end() -> None:
    end = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: end.set())
    end.wait()


def _computing(least: int, most: int) -> Any:
    scaling = {
        "min_replicas": least,
        "max_replicas": most,
        "target_ongoing_requests": TARGET,
        "upscale_delay_s": UPSCALE_SECONDS,
    }
    return serve.deployment(
        name="Computing",
        max_ongoing_requests=ONGOING,
        graceful_shutdown_timeout_s=GRACE_SECONDS,
        ray_actor_options={"num_cpus": 1, "runtime_env": {"env_vars": {TUNABLES: SETTINGS, "OMP_NUM_THREADS": "1"}}},
        autoscaling_config=scaling,
    )(Computing)


def _front(settings: dict[str, Any]) -> Any:
    def build() -> FastAPI:
        front = create_front(Settings(**settings), _asking())
        front.add_middleware(GivenId)
        return front

    return serve.deployment(
        name="Front",
        max_ongoing_requests=10 * ONGOING,
        graceful_shutdown_timeout_s=GRACE_SECONDS,
        ray_actor_options={"num_cpus": 0, "runtime_env": {"env_vars": {"OMP_NUM_THREADS": "1"}}},
    )(serve.ingress(build)())


def _asking() -> Any:
    handle: DeploymentHandle = serve.get_deployment_handle("Computing", app_name=serve.get_replica_context().app_name)

    async def ask(name: str, request: dict[str, Any], body: bytes) -> AsyncGenerator[Message, None]:
        chosen = handle.options(stream=True, method_name="answer", multiplexed_model_id=name)
        messages = chosen.remote(request, body)
        try:
            async for message in messages:
                yield message
        finally:
            messages.cancel()

    return ask
