"""Three kinds of server: what each lets in, how settings are named, and how they are listed."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.profiles import PROFILES
from glassformer.app.settings import Settings
from typer.testing import CliRunner

from glassformer.__main__ import command


def listed(*arguments: str, **env: str) -> dict[str, Any]:
    shown = CliRunner().invoke(command, ["limits", "--json", *arguments], env=env)
    assert shown.exit_code == 0, shown.output
    return dict(json.loads(shown.stdout))


@pytest.mark.parametrize("profile", ["classroom", "public"])
def test_every_example_runs_unless_the_model_is_said_to_be_too_large(profile: str) -> None:
    with TestClient(create_app(Settings(profile=profile)), raise_server_exceptions=False) as client:  # type: ignore[arg-type]
        for model in client.get("/api/models").json()["models"]:
            described = client.get(f"/api/models/{model['id']}")
            assert described.status_code == 200
            if model["too_large"]:
                refused = client.post("/api/traces", json={"model": model["id"], "src": ["a"], "tgt": ["b"]})
                assert refused.json()["error"]["message"] == model["too_large"]
                assert model["id"] == "paper-base"
                continue
            for example in described.json()["examples"]:
                made = client.post("/api/traces", json={"model": model["id"], "src": example["src"], "tgt": example["tgt"]})
                assert made.status_code == 200, made.text


def test_a_profile_says_what_neither_flags_nor_environment_name() -> None:
    rows = listed("--profile", "public", "--set", "max-tokens=40", GLASSFORMER_MAX_STEPS="30", GLASSFORMER_MAX_BATCH="2")
    assert (rows["max_tokens"]["value"], rows["max_tokens"]["source"]) == (40, "flag")
    assert (rows["max_steps"]["value"], rows["max_steps"]["source"]) == (30, "environment")
    assert (rows["max_d_model"]["value"], rows["max_d_model"]["source"]) == (128, "public")
    assert (rows["max_url"]["value"], rows["max_url"]["source"]) == (16384, "default")
    assert rows["profile"]["source"] == "flag"
    assert rows["run_bytes"]["unit"] == "bytes"
    assert listed("--set", "max_tokens=7", GLASSFORMER_MAX_TOKENS="8")["max_tokens"]["value"] == 7


def test_the_table_says_values_as_people_do() -> None:
    shown = CliRunner().invoke(command, ["limits", "--profile", "classroom"]).stdout
    assert [line.split()[:4] for line in shown.splitlines() if line.startswith("run_bytes")] == [
        ["run_bytes", "32", "MiB", "classroom"]
    ]
    assert set(Settings.model_fields) <= {line.split()[0] for line in shown.splitlines() if line.split()}


def test_flags_of_the_server_hold_for_limits_and_are_refused_before_other_commands() -> None:
    before = ["--profile", "classroom", "--code", "sesame", "--set", "max_batch=3"]
    rows = json.loads(CliRunner().invoke(command, [*before, "limits", "--json", "--set", "max_batch=2"]).stdout)
    assert [rows[name]["value"] for name in ("profile", "max_tokens", "code", "max_batch")] == ["classroom", 64, "set", 2]
    refused = CliRunner().invoke(command, [*before, "ray"])
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert "--profile, --code, --set means nothing before ray" in refused.stderr


def test_secrets_are_never_shown() -> None:
    shown = CliRunner().invoke(command, ["limits", "--set", "code=sesame", "--set", "teacher_token=chalk"])
    assert "sesame" not in shown.stdout
    assert "chalk" not in shown.stdout
    settings = Settings(code="sesame", teacher_token="chalk", data_folder="/nowhere/chalk")
    assert not [word for word in ("sesame", "chalk") if word in repr(settings.model_copy(update={"data_folder": ""}))]
    app = create_app(Settings(teacher_token="chalk", allow_host="chalk.example", max_tokens=77))  # type: ignore[arg-type]
    with TestClient(app) as client:
        told = client.get("/api/limits")
    assert "chalk" not in told.text
    assert told.json()["max_tokens"] == 77
    assert not {"host", "port", "data_folder", "code", "teacher_token", "allow_host", "trusted_proxies"} & set(told.json())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--profile", "school"], "profile 'school'"),
        (["--set", "max_tokns=5"], "'max_tokns' (did you mean max_tokens?)"),
        (["--set", "max_tokens"], "'max_tokens' is not written name=value"),
        (["--set", "max_tokens=0"], "max_tokens '0'"),
        (["--set", "run_seconds=inf"], "run_seconds"),
        (["--allow-host", "*.example.org"], "'*.example.org' is no exact name"),
        (["--allow-host", "example.org:80/x"], "is no exact name"),
        (["--allow-frame", "https://*"], "is no exact origin"),
        (["--code", "x" * 201], "code: "),
    ],
)
def test_a_wrong_setting_is_named_in_one_line(arguments: list[str], told: str) -> None:
    refused = CliRunner().invoke(command, ["--no-browser", *arguments], env={"GLASSFORMER_PLAIN_HEAP": "1"})
    assert refused.exit_code == 2
    assert told in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert "x" * 50 not in refused.stderr


def test_listing_settings_needs_neither_torch_nor_the_web_framework() -> None:
    code = "import sys, glassformer.limiting; print(sorted({'torch', 'fastapi', 'uvicorn', 'numpy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_no_profile_listens_to_the_network_unless_told() -> None:
    assert [Settings(profile=profile).host for profile in PROFILES] == ["127.0.0.1"] * 3  # type: ignore[arg-type]


@pytest.mark.parametrize(("docs", "status"), [(True, 200), (False, 404)])
def test_the_document_of_the_interface_is_served_where_the_setting_says_so(docs: bool, status: int) -> None:
    with TestClient(create_app(Settings(docs=docs)), raise_server_exceptions=False) as client:
        assert client.get("/openapi.json").status_code == status
        assert client.get("/docs").status_code == 404
