"""The server's settings: from flags, from the environment (`GLASSFORMER_…`), or from the profile."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic.config import JsonDict
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from ..model.limits import Limits, TrainingLimits
from ..model.shelves import DATA_FOLDER
from .guard.hosts import check_host_name, check_origin, split_list
from .profiles import PROFILES, Profile

BYTES: JsonDict = {"unit": "bytes"}
HostNames = Annotated[tuple[Annotated[str, AfterValidator(check_host_name)], ...], NoDecode, BeforeValidator(split_list)]
Origins = Annotated[tuple[Annotated[str, AfterValidator(check_origin)], ...], NoDecode, BeforeValidator(split_list)]


class Settings(BaseSettings):
    """Where the server listens and what a visitor may ask of it.

    Sizes are in bytes, times in seconds. Each field is the environment variable of its name, `GLASSFORMER_MAX_TOKENS`, and a
    flag, `--set max_tokens=64`. A field that neither flags nor environment name has the value of the profile, or its own.
    """

    model_config = SettingsConfigDict(env_prefix="GLASSFORMER_", extra="ignore", frozen=True, allow_inf_nan=False)

    profile: Profile = Field("local", description="Whom the server is for: local, classroom or public.")
    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes any free one.")
    allow_host: HostNames = Field((), description="More names under which the server is called, exact, with commas between.")
    allow_frame: Origins = Field((), description="Origins whose pages may show this one in a frame, exact, with commas between.")
    code: str = Field(
        "", max_length=200, repr=False, description="The class code that is asked for at the start; empty asks nobody."
    )
    code_tries: int = Field(10, ge=1, description="Most wrong class codes from one address in a minute.")
    teacher_token: str = Field(
        "", max_length=200, repr=False, description="Whoever sends it may do what a teacher may; empty is nobody."
    )
    docs: bool = Field(True, description="Whether the description of the interface is served, at /openapi.json.")

    max_d_model: int = Field(1024, ge=1, description="Largest d_model.")
    max_layers: int = Field(12, ge=1, description="Most layers in each stack.")
    max_heads: int = Field(32, ge=1, description="Most heads.")
    max_d_ff: int = Field(4096, ge=1, description="Largest d_ff.")
    max_vocab: int = Field(50_000, ge=2, description="Largest vocabulary.")
    max_tokens: int = Field(512, ge=1, description="Most tokens in a sentence.")
    max_batch: int = Field(8, ge=1, description="Most sentences in a run.")
    max_steps: int = Field(256, ge=1, description="Most decoding steps.")
    run_seconds: float = Field(10.0, gt=0, description="Most seconds one run may need, estimated before it starts.")
    run_bytes: int = Field(
        512 * 2**20, ge=2**20, description="Most bytes of tensors and weights one run may need, estimated before it starts."
    )

    max_body: int = Field(256 * 2**10, ge=1024, json_schema_extra=BYTES, description="Largest request body.")
    max_url: int = Field(16 * 2**10, ge=1024, json_schema_extra=BYTES, description="Longest address with its query.")
    max_header: int = Field(16 * 2**10, ge=1024, json_schema_extra=BYTES, description="Most bytes of headers.")
    max_headers: int = Field(100, ge=8, description="Most headers of a request.")
    max_cells: int = Field(16 * 2**20, ge=1, description="Most cells in one answer of tensors.")

    store_bytes: int = Field(2**30, ge=2**20, description="Most bytes of traces kept in memory.")
    answer_bytes: int = Field(64 * 2**20, ge=0, description="Most bytes of encoded tensors kept in memory.")
    sending_bytes: int = Field(
        512 * 2**20, ge=2**20, description="Most bytes of large answers not yet taken by who asked; one address has a quarter."
    )
    max_models: int = Field(8, ge=1, description="Most built models kept in memory.")
    max_decodings: int = Field(256, ge=1, description="Most decodings kept in memory.")
    data_folder: str = Field(DATA_FOLDER, description="Where trainings and the models that come of them are kept.")
    data_bytes: int = Field(16 * 2**30, ge=2**20, description="Most bytes there; beyond that no training begins.")
    models_folder: str = Field("", description="A folder of models, as they are downloaded, that all may use; empty is none.")
    training: bool = Field(True, description="Visitors may begin trainings.")
    uploads: bool = Field(True, description="Visitors may load models from files.")
    owners: bool = Field(False, description="A training belongs to the browser that began it; others need its link to see it.")
    max_runs: int = Field(1, ge=1, description="Most trainings under way at once; others wait for their turn.")
    max_waiting_runs: int = Field(16, ge=0, description="Most trainings that wait.")
    max_runs_per_owner: int = Field(16, ge=1, description="Most trainings of one owner that wait or are under way.")
    max_run_steps: int = Field(100_000, ge=1, description="Most steps of a training.")
    max_run_batch: int = Field(256, ge=1, description="Most sentences in one step of a training.")
    max_pairs: int = Field(50_000, ge=2, description="Most pairs of sentences a training may bring.")
    max_pair_tokens: int = Field(128, ge=1, description="Most tokens in a sentence of such a pair.")
    train_seconds: float = Field(6 * 3600.0, gt=0, description="Most seconds a training may need, estimated before it starts.")
    train_bytes: int = Field(2**30, ge=2**20, description="Most bytes of memory a training may need, estimated before it starts.")
    max_checkpoints: int = Field(40, ge=8, description="Most checkpoints kept of a training, the older the sparser.")
    checkpoint_bytes: int = Field(256 * 2**20, ge=2**20, description="Most bytes of checkpoints kept of a training.")
    max_upload: int = Field(
        64 * 2**20, ge=1024, json_schema_extra=BYTES, description="Largest body that brings pairs of sentences or a model."
    )

    workers: int = Field(
        1, ge=1, le=64, description="Processes that serve; they share the bounds of memory, and each may hold all connections."
    )
    head_seconds: float = Field(10.0, gt=0, le=3600, description="Most seconds until the head of a request is there.")
    body_seconds: float = Field(
        30.0, gt=0, le=3600, description="Most seconds until its body is there; each 64 KiB that came give one second more."
    )
    idle_seconds: int = Field(75, ge=1, le=3600, description="Seconds that a connection is kept open for the next request.")
    stall_seconds: float = Field(30.0, gt=0, le=3600, description="Most seconds that a client takes nothing of its answer.")
    grace_seconds: float = Field(5.0, gt=0, le=600, description="Most seconds that answers have to end when the server does.")
    max_connections: int = Field(
        512, ge=4, description="Most connections; for one more, one goes that waits for its client, and else it is refused."
    )
    max_connections_per_address: int = Field(512, ge=1, description="Most connections from one address.")

    queue: int = Field(64, ge=1, description="Most runs waiting; one more is asked to come back.")
    queue_per_visitor: int = Field(0, ge=0, description="Most runs waiting for one address; 0 sets no limit.")
    queue_seconds: float = Field(60.0, gt=0, description="Most seconds a run waits for its turn before it is asked to come back.")
    deadline_seconds: float = Field(
        60.0, gt=0, description="Most seconds of computing for one request; a stream has them for each step."
    )
    max_streams: int = Field(64, ge=1, description="Most streams open at once.")
    max_streams_per_address: int = Field(0, ge=0, description="Most streams open at once to one address; 0 sets no limit.")
    max_streams_per_visitor: int = Field(
        0, ge=0, description="Most streams open at once to one visitor, a tab or what tells no key; 0 sets no limit."
    )
    heartbeat_seconds: float = Field(15.0, gt=0, description="Seconds without an event after which a stream shows that it lives.")
    model_bytes: int = Field(
        2**30, ge=2**20, description="Most bytes of weights of built models kept in memory; one is always kept."
    )
    trusted_proxies: str = Field(
        "", description="Addresses or networks of proxies, with commas between, whose X-Forwarded-For is believed."
    )

    log: Literal["requests", "errors", "off"] = Field(
        "errors", description="What the log holds: a line for each request, only what went wrong, or nothing."
    )
    log_format: Literal["auto", "text", "json"] = Field(
        "auto", description="How its lines look; auto is text in a terminal and JSON elsewhere."
    )
    metrics: Literal["local", "open", "off"] = Field(
        "local", description="Who may read /metrics besides a teacher: this machine, anybody; off, nobody at all."
    )

    @classmethod
    def settings_customise_sources(
        cls, settings_cls: type[BaseSettings], *sources: PydanticBaseSettingsSource, **named: PydanticBaseSettingsSource
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Look at what a profile says after everything else."""
        return (*sources, *named.values(), _OfProfile(settings_cls))

    @property
    def limits(self) -> Limits:
        """The limits of a model and of a run."""
        return Limits(
            d_model=self.max_d_model,
            n_layers=self.max_layers,
            n_heads=self.max_heads,
            d_ff=self.max_d_ff,
            vocab_size=self.max_vocab,
            tokens=self.max_tokens,
            batch=self.max_batch,
            steps=self.max_steps,
            run_seconds=self.run_seconds,
            run_bytes=self.run_bytes,
        )

    @property
    def training_limits(self) -> TrainingLimits:
        """The limits of a training."""
        return TrainingLimits(
            model=self.limits,
            steps=self.max_run_steps,
            batch=self.max_run_batch,
            pairs=self.max_pairs,
            tokens=self.max_pair_tokens,
            seconds=self.train_seconds,
            bytes=self.train_bytes,
            most_checkpoints=self.max_checkpoints,
            checkpoint_bytes=self.checkpoint_bytes,
        )


class _OfProfile(PydanticBaseSettingsSource):
    """What the profile says, which flags and the environment have named by now."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return PROFILES.get(self.current_state.get("profile", "local"), {}).get(field_name), field_name, False

    def __call__(self) -> dict[str, Any]:
        return dict(PROFILES.get(self.current_state.get("profile", "local"), {}))
