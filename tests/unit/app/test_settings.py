"""Every setting is described, counted in something, bounded below, and has a test at its limit and one past it."""

from __future__ import annotations

import ast
import logging
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from annotated_types import Ge, Gt, Le, Lt
from glassformer.app.guard.hosts import read_host, read_origin
from glassformer.app.observing.logs import flush_logs, logs
from glassformer.app.profiles import PROFILES
from glassformer.app.settings import Settings
from glassformer.app.settings_told import rows, told, unit
from pydantic import ValidationError

TESTS = Path(__file__).resolve().parents[2]
SIZES = "integration/test_hostile_models.py::test_each_size_runs_at_its_limit_and_is_refused_past_it"
LENGTHS = "integration/test_hostile_models.py::test_each_length_runs_at_its_limit_and_is_refused_past_it"
BROUGHT = "integration/test_budgets.py::test_what_a_training_asks_for_and_brings_has_limits"
PROVED_BY: Mapping[str, str] = {
    "profile": "integration/test_profiles.py::test_every_example_runs_unless_the_model_is_said_to_be_too_large",
    "host": "integration/test_hostile_names.py::test_the_bound_address_and_the_names_given_are_the_server_s",
    "port": "integration/test_launch.py::test_port_that_was_asked_for_is_refused_when_busy",
    "allow_host": "integration/test_hostile_names.py::test_the_bound_address_and_the_names_given_are_the_server_s",
    "allow_frame": "integration/test_headers.py::test_exact_origins_may_frame_the_page_where_the_setting_says_so",
    "code": "integration/test_code.py::test_without_the_code_there_is_the_page_that_asks_for_it_and_nothing_else",
    "code_tries": "integration/test_code.py::test_too_many_wrong_codes_are_not_looked_at_for_a_minute",
    "teacher_token": "integration/test_code.py::test_a_teacher_is_who_sends_the_token",
    "docs": "integration/test_profiles.py::test_the_document_of_the_interface_is_served_where_the_setting_says_so",
    "max_d_model": SIZES,
    "max_layers": SIZES,
    "max_heads": SIZES,
    "max_d_ff": SIZES,
    "max_vocab": LENGTHS,
    "max_tokens": LENGTHS,
    "max_batch": LENGTHS,
    "max_steps": "integration/test_hostile_models.py::test_a_decoding_has_as_many_steps_as_the_limit_and_no_more",
    "run_seconds": "integration/test_budgets.py::test_a_run_may_take_as_long_as_run_seconds_and_no_longer",
    "run_bytes": "integration/test_budgets.py::test_a_run_may_need_run_bytes_and_no_more",
    "max_body": "integration/test_guard.py::test_a_body_is_counted_with_its_length_and_without",
    "max_url": "integration/test_guard.py::test_an_address_is_counted",
    "max_header": "integration/test_guard.py::test_headers_are_counted",
    "max_headers": "integration/test_guard.py::test_headers_are_counted",
    "max_cells": "integration/test_guard.py::test_an_answer_larger_than_the_limit_is_refused_with_a_way_out",
    "store_bytes": "unit/app/test_memory.py::test_decodings_and_traces_share_the_room",
    "answer_bytes": "unit/app/test_memory.py::test_encoded_answers_are_kept_up_to_their_limit_with_their_addresses",
    "sending_bytes": "unit/app/test_sending.py::test_one_address_has_a_quarter_of_sending_bytes_and_no_more",
    "max_models": "unit/app/test_memory.py::test_models_are_dropped_when_there_are_too_many",
    "model_bytes": "unit/app/test_memory.py::test_weights_of_built_models_are_bounded_by_bytes",
    "max_decodings": "unit/app/test_memory.py::test_decodings_are_dropped_when_there_are_too_many",
    "data_folder": "process/test_scarce.py::test_folder_that_cannot_be_written_to_leaves_the_rest_of_the_page",
    "data_bytes": "unit/app/test_room.py::test_trainings_take_so_many_bytes_and_no_more",
    "models_folder": "integration/test_given_models.py::test_a_folder_of_models_is_taken_in_once_and_belongs_to_nobody",
    "training": "integration/test_owners.py::test_what_a_profile_does_not_do_is_refused_and_said",
    "uploads": "integration/test_owners.py::test_what_a_profile_does_not_do_is_refused_and_said",
    "owners": "integration/test_owners.py::test_without_owners_a_stranger_could_delete_what_another_made",
    "max_runs": "unit/app/test_room.py::test_so_many_wait_and_one_more_is_asked_to_come_back",
    "max_waiting_runs": "unit/app/test_room.py::test_so_many_wait_and_one_more_is_asked_to_come_back",
    "max_runs_per_owner": "unit/app/test_room.py::test_an_owner_has_so_many_and_others_do_not_count",
    "max_run_steps": BROUGHT,
    "max_run_batch": BROUGHT,
    "max_pairs": BROUGHT,
    "max_pair_tokens": BROUGHT,
    "train_seconds": "integration/test_budgets.py::test_a_training_may_take_as_long_as_train_seconds_and_no_longer",
    "train_bytes": "integration/test_budgets.py::test_a_training_may_need_train_bytes_and_no_more",
    "max_checkpoints": "unit/app/test_settings.py::test_a_training_is_told_how_many_checkpoints_it_may_keep",
    "checkpoint_bytes": "unit/app/test_settings.py::test_a_training_is_told_how_many_checkpoints_it_may_keep",
    "max_upload": "integration/test_budgets.py::test_a_file_may_have_max_upload_bytes_and_no_more",
    "workers": "process/test_workers.py::test_number_of_processes_has_limits",
    "head_seconds": "unit/serving/test_guests.py::test_request_that_does_not_come_is_not_waited_for",
    "body_seconds": "unit/serving/test_waits.py::test_each_wait_ends_at_its_limit_and_not_before",
    "idle_seconds": "unit/serving/test_guests.py::test_idle_connection_is_closed",
    "stall_seconds": "unit/serving/test_guests.py::test_client_that_never_reads_is_cut_off",
    "grace_seconds": "process/test_ends.py::test_answer_that_takes_longer_than_the_time_of_grace_is_not_waited_for",
    "max_connections": "unit/serving/test_door.py::test_as_many_as_the_limit_are_answered_at_once_and_one_more_is_refused",
    "max_connections_per_address": "unit/serving/test_door.py::test_one_address_has_no_more_than_its_share",
    "queue": "unit/app/test_queue.py::test_the_queue_is_full_at_its_limit_and_no_run_more",
    "queue_per_visitor": "unit/app/test_queue.py::test_an_address_may_have_some_runs_waiting_and_no_more",
    "queue_seconds": "unit/app/test_queue.py::test_who_waits_too_long_is_asked_to_come_back",
    "deadline_seconds": "unit/app/test_queue.py::test_a_request_has_its_time_and_no_more",
    "max_streams": "integration/test_streams.py::test_streams_are_bounded_in_all_by_address_and_by_visitor",
    "max_streams_per_address": "integration/test_streams.py::test_streams_are_bounded_in_all_by_address_and_by_visitor",
    "max_streams_per_visitor": "integration/test_streams.py::test_streams_are_bounded_in_all_by_address_and_by_visitor",
    "heartbeat_seconds": "integration/test_streams.py::test_a_stream_shows_that_it_lives_while_nothing_happens",
    "trusted_proxies": "unit/app/test_queue.py::test_a_visitor_is_an_address_and_a_key_that_looks_like_one",
    "log": "unit/app/test_log_lines.py::test_the_setting_says_what_is_logged",
    "log_format": "unit/app/test_settings.py::test_a_log_is_text_or_json_and_to_a_file_json",
    "metrics": "integration/test_metrics.py::test_who_may_read_the_metrics",
}


def test_every_setting_names_the_test_that_proves_it() -> None:
    assert set(PROVED_BY) == set(Settings.model_fields)


@pytest.mark.parametrize("name", PROVED_BY)
def test_the_named_test_exists_and_is_about_the_setting(name: str) -> None:
    path, _, function = PROVED_BY[name].partition("::")
    text = (TESTS / path).read_text("utf-8")
    (found,) = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == function]
    decorated = "\n".join(ast.unparse(each) for each in (*found.decorator_list, found))
    assert re.search(rf"\b{name}\b", decorated), f"{function} does not mention {name}"


def bounds(name: str) -> list[float]:
    return [float(getattr(each, "ge", getattr(each, "gt", math.nan))) for each in _limits(name)]


def _limits(name: str) -> list[Any]:
    return [each for each in Settings.model_fields[name].metadata if isinstance(each, Ge | Gt)]


NUMBERS = [name for name, field in Settings.model_fields.items() if field.annotation in (int, float)]


@pytest.mark.parametrize("name", NUMBERS)
def test_every_number_has_a_least_value_and_none_is_endless(name: str) -> None:
    (limit,) = _limits(name)
    (least,) = bounds(name)
    for wrong in (least - 1, least if isinstance(limit, Gt) else least - 1e-3, math.inf, math.nan):
        with pytest.raises(ValidationError):
            Settings(**{name: wrong})
    assert getattr(Settings(**{name: least + 1}), name) == least + 1


LEAST = {"max_vocab": 2, "max_pairs": 2, "max_checkpoints": 8, "max_headers": 8, "max_connections": 4, "max_body": 1024}
LEAST |= {"max_url": 1024, "max_header": 1024, "max_upload": 1024, "store_bytes": 2**20, "run_bytes": 2**20, "model_bytes": 2**20}
LEAST |= {"port": 0, "queue": 1, "queue_per_visitor": 0, "max_streams": 1, "code_tries": 1, "workers": 1, "max_cells": 1}
MOST = {"port": 65535, "workers": 64, "head_seconds": 3600, "body_seconds": 3600, "idle_seconds": 3600, "stall_seconds": 3600}
MOST |= {"grace_seconds": 600}
LONGEST = {"code": 200, "teacher_token": 200}


@pytest.mark.parametrize("name", LEAST)
def test_the_least_value_of_a_setting_is_taken_and_one_less_is_not(name: str) -> None:
    assert getattr(Settings(**{name: LEAST[name]}), name) == LEAST[name]
    with pytest.raises(ValidationError):
        Settings(**{name: LEAST[name] - 1})


def test_every_bound_above_stands_in_the_table() -> None:
    bounded = {name for name in NUMBERS if any(isinstance(each, Le | Lt) for each in Settings.model_fields[name].metadata)}
    assert bounded == set(MOST)


@pytest.mark.parametrize("name", MOST)
def test_the_largest_value_of_a_setting_is_taken_and_one_more_is_not(name: str) -> None:
    assert getattr(Settings(**{name: MOST[name]}), name) == MOST[name]
    with pytest.raises(ValidationError):
        Settings(**{name: MOST[name] + 1})


@pytest.mark.parametrize("name", LONGEST)
def test_a_text_is_as_long_as_its_limit_and_no_longer(name: str) -> None:
    assert len(getattr(Settings(**{name: "x" * LONGEST[name]}), name)) == LONGEST[name]
    with pytest.raises(ValidationError):
        Settings(**{name: "x" * (LONGEST[name] + 1)})


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_is_described_in_a_sentence(name: str) -> None:
    says = Settings.model_fields[name].description or ""
    assert says.endswith(".")
    assert says[0].isupper()
    if name.endswith(("bytes", "seconds")):
        assert unit(name) == name.rpartition("_")[2]


def test_profiles_name_only_settings_and_differ_from_the_defaults_where_they_speak() -> None:
    for profile, values in PROFILES.items():
        for name, value in values.items():
            assert value != Settings.model_fields[name].default, (profile, name)
        assert Settings(profile=profile).profile == profile  # type: ignore[arg-type]


def test_strangers_may_do_no_more_than_a_class_and_a_class_no_more_than_oneself() -> None:
    most = ("max_d_model", "max_layers", "max_heads", "max_d_ff", "max_vocab", "max_tokens", "max_batch", "max_steps")
    for name in (*most, "run_seconds", "run_bytes", "max_body", "store_bytes", "max_upload", "deadline_seconds"):
        local, classroom, public = (getattr(Settings(profile=profile), name) for profile in PROFILES)  # type: ignore[arg-type]
        assert local >= classroom >= public, name


def test_visitors_are_told_numbers_and_switches_and_no_text() -> None:
    shown = told(Settings(code="sesame"))
    texts = {name for name, value in shown.items() if isinstance(value, str)}
    assert texts == {"profile"}
    assert "port" not in shown
    assert {row.name for row in rows(Settings(), flags=(), env={})} == set(Settings.model_fields)


def test_a_training_is_told_how_many_checkpoints_it_may_keep() -> None:
    """What it does with that is in properties/test_session.py: as many, and no more."""
    limits = Settings(max_checkpoints=9, checkpoint_bytes=2**21).training_limits
    assert (limits.most_checkpoints, limits.checkpoint_bytes) == (9, 2**21)


@pytest.mark.parametrize(("form", "as_json"), [("text", False), ("json", True), ("auto", True)])
def test_a_log_is_text_or_json_and_to_a_file_json(tmp_path: Path, form: Any, as_json: bool) -> None:
    path = tmp_path / "log"
    with path.open("wb") as file, logs(Settings(log="requests", log_format=form), descriptor=file.fileno()):
        logging.getLogger("glassformer").info("hello")
        flush_logs()
    assert (path.read_text()[0] == "{") is as_json


@pytest.mark.parametrize("host", ["Localhost:80", "[::1]:8", "a-b.c_d", "[::FFFF:10.0.0.1]"])
def test_hosts_are_read_in_one_form(host: str) -> None:
    assert read_host(host) in ("localhost", "::1", "a-b.c_d", "10.0.0.1")


@pytest.mark.parametrize(
    "origin", ["null", "", "https://", "https://a/", "ftp://a", "https://a:b", "https://*.a", "a", "https://a b"]
)
def test_what_is_no_origin_is_none(origin: str) -> None:
    assert read_origin(origin) is None
    with pytest.raises(ValidationError):
        Settings(allow_frame=(origin,))
