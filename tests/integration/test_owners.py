"""Whose a training is: strangers on one server neither see nor steer each other's, and a teacher may do everything.

The last test switches owners off, and shows that a stranger then lists, names and deletes what another made.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.guard.cookies import OWNER_COOKIE
from glassformer.app.main import create_app
from glassformer.app.settings import Settings
from glassformer.app.trainings.crew import Crew
from glassformer.model.limits import TrainingLimits
from glassformer.model.training.recipe import TrainingRecipe
from glassformer.model.training.run_folder import RunFolder
from glassformer.model.training.runner import Runner

SMALL = {"d_model": 8, "n_heads": 2, "d_ff": 8, "n_layers": 1}
RECIPE = {"task": "reverse", "steps": 50, "batch": 4, "options": SMALL}
TOKEN = "the-teachers-token"
TEACHER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(autouse=True)
def no_worker_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs wait: what is asked here is who may do what with them."""

    async def wait(self: Crew) -> None:
        return None

    monkeypatch.setattr(Crew, "next", wait)


def serve(folder: Path, **settings: Any) -> TestClient:
    made = Settings(profile="classroom", data_folder=str(folder), teacher_token=TOKEN, allow_host="testserver", **settings)
    return TestClient(create_app(made), raise_server_exceptions=False)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    RunFolder.make(tmp_path / "runs", about={}, recipe=TrainingRecipe("copy"), state="stopped")  # from the command line
    with serve(tmp_path) as client:
        yield client


def ask(server: TestClient, method: str, path: str, status: int, *, cookie: str = "", **more: Any) -> Any:
    """Ask as the browser with this cookie, which is kept from no earlier answer."""
    server.cookies.clear()
    headers = {**({"Cookie": f"{OWNER_COOKIE}={cookie}"} if cookie else {}), **more.pop("headers", {})}
    answer = server.request(method, path, headers=headers, **more)
    assert answer.status_code == status, answer.text
    return answer


def begin(server: TestClient, *, cookie: str = "") -> tuple[str, str]:
    """Begin a training; return its id and the cookie of whoever did."""
    answer = ask(server, "POST", "/api/runs", 201, cookie=cookie, json=RECIPE)
    return str(answer.json()["id"]), cookie or str(answer.cookies[OWNER_COOKIE])


def listed(server: TestClient, cookie: str = "", **more: Any) -> list[str]:
    return [run["id"] for run in ask(server, "GET", "/api/runs", 200, cookie=cookie, **more).json()["runs"]]


def test_the_cookie_is_given_once_and_no_script_and_no_other_site_can_use_it(server: TestClient, tmp_path: Path) -> None:
    answer = ask(server, "POST", "/api/runs", 201, json=RECIPE)
    given = answer.headers["set-cookie"]
    for word in ("HttpOnly", "SameSite=strict", "Path=/", "Max-Age=31536000"):
        assert word in given
    assert len(answer.cookies[OWNER_COOKIE]) == 32
    about = (tmp_path / "runs" / answer.json()["id"] / "about.json").read_text()
    assert '"owner"' in about
    assert answer.cookies[OWNER_COOKIE] not in about
    again = ask(server, "POST", "/api/runs", 201, cookie=answer.cookies[OWNER_COOKIE], json=RECIPE)
    assert "set-cookie" not in again.headers
    assert "set-cookie" not in ask(server, "GET", "/api/runs", 200).headers


def test_one_sees_ones_own_trainings_and_those_of_nobody(server: TestClient) -> None:
    nobodys = listed(server)
    assert len(nobodys) == 1
    (mine, me), (theirs, they) = begin(server), begin(server)
    assert set(listed(server, me)) == {mine, *nobodys}
    assert set(listed(server, they)) == {theirs, *nobodys}
    assert set(listed(server, headers=TEACHER)) == {mine, theirs, *nobodys}
    assert listed(server, "0" * 32) == listed(server, "nonsense") == nobodys


def test_models_stand_in_the_menu_of_their_owner_only(server: TestClient, tmp_path: Path) -> None:
    mine, me = begin(server)
    run = RunFolder(tmp_path / "runs" / mine)
    Runner(run, lambda still: "stop", lambda status: None, limits=TrainingLimits()).run()

    def menu(cookie: str) -> set[str]:
        return {model["id"] for model in ask(server, "GET", "/api/models", 200, cookie=cookie).json()["models"]}

    assert menu(me) - menu("") == {f"{mine}@0"}
    assert ask(server, "GET", f"/api/models/{mine}@0", 200).json()["id"] == f"{mine}@0"


@pytest.mark.parametrize("who", ["", "f" * 32])
def test_a_stranger_may_look_by_the_link_and_change_nothing(server: TestClient, who: str) -> None:
    mine, me = begin(server)
    for method, path, body in [
        ("POST", f"/api/runs/{mine}/pause", {}),
        ("POST", f"/api/runs/{mine}/resume", {}),
        ("POST", f"/api/runs/{mine}/step", {}),
        ("POST", f"/api/runs/{mine}/stop", {}),
        ("PATCH", f"/api/runs/{mine}", {"name": "Theirs"}),
        ("DELETE", f"/api/runs/{mine}", None),
    ]:
        error = ask(server, method, path, 403, cookie=who, json=body).json()["error"]
        assert error["code"] == "not_yours"
    seen = ask(server, "GET", f"/api/runs/{mine}", 200, cookie=who).json()
    assert (seen["state"], seen["name"], seen["yours"]) == ("queued", "Reverse numbers", False)
    assert ask(server, "GET", f"/api/runs/{mine}/log", 200, cookie=who).json()["points"] == []
    assert ask(server, "GET", f"/api/runs/{mine}", 200, cookie=me).json()["yours"]
    assert ask(server, "PATCH", f"/api/runs/{mine}", 200, cookie=me, json={"name": "Mine"}).json()["name"] == "Mine"
    ask(server, "DELETE", f"/api/runs/{mine}", 204, cookie=me)


def test_a_request_that_comes_twice_makes_one_training(server: TestClient) -> None:
    """The page sends a key with each; without one, two requests are two trainings."""
    _, me = begin(server)
    key = {"Idempotency-Key": "a-b-c"}
    first, again = (ask(server, "POST", "/api/runs", 201, cookie=me, json=RECIPE, headers=key).json()["id"] for _ in range(2))
    assert first == again
    assert ask(server, "POST", "/api/runs", 201, cookie="e" * 32, json=RECIPE, headers=key).json()["id"] != first
    ask(server, "POST", "/api/runs", 422, cookie=me, json=RECIPE, headers={"Idempotency-Key": "a" * 65})


def test_what_belongs_to_nobody_is_the_teachers(server: TestClient) -> None:
    [id] = listed(server)
    ask(server, "PATCH", f"/api/runs/{id}", 403, cookie="a" * 32, json={"name": "Ours"})
    wrong = {"Authorization": "Bearer the-teachers-tokem"}
    ask(server, "PATCH", f"/api/runs/{id}", 403, json={"name": "Ours"}, headers=wrong)
    assert ask(server, "PATCH", f"/api/runs/{id}", 200, json={"name": "Ours"}, headers=TEACHER).json()["name"] == "Ours"
    made = ask(server, "POST", "/api/runs", 201, json=RECIPE, headers=TEACHER)
    assert "set-cookie" not in made.headers
    assert made.json()["id"] in listed(server)
    mine, _ = begin(server)
    ask(server, "DELETE", f"/api/runs/{mine}", 204, headers=TEACHER)


def test_one_owner_has_so_many_under_way_and_another_still_finds_room(server: TestClient) -> None:
    """At the limit, max_runs_per_owner of the classroom, and one past it."""
    _, me = begin(server)
    second, _ = begin(server, cookie=me)
    error = ask(server, "POST", "/api/runs", 409, cookie=me, json=RECIPE).json()["error"]
    assert error["message"] == "2 of your trainings wait or are under way, the most there may be; stop one, or wait"
    begin(server)
    ask(server, "DELETE", f"/api/runs/{second}", 204, cookie=me)
    begin(server, cookie=me)


@pytest.mark.parametrize(("profile", "training", "uploads"), [("local", 422, 422), ("classroom", 422, 403), ("public", 403, 403)])
def test_what_a_profile_does_not_do_is_refused_and_said(tmp_path: Path, profile: Any, training: int, uploads: int) -> None:
    made = Settings(profile=profile, data_folder=str(tmp_path), teacher_token=TOKEN, allow_host="testserver")
    with TestClient(create_app(made), raise_server_exceptions=False) as client:
        limits = client.get("/api/limits").json()
        assert (limits["training"], limits["uploads"]) == (training == 422, uploads == 422)
        bad = {**RECIPE, "steps": 0}
        for path in ("/api/runs", "/api/runs/plan"):
            assert ask(client, "POST", path, training, json=bad).json()["error"]["code"] in ("bad_input", "switched_off")
            ask(client, "POST", path, 422, json=bad, headers=TEACHER)
        octets = {"Content-Type": "application/octet-stream"}
        ask(client, "POST", "/api/runs/upload", uploads, content=b"no model", headers=octets)
        ask(client, "POST", "/api/runs/upload", 422, content=b"no model", headers={**octets, **TEACHER})


def test_without_owners_a_stranger_could_delete_what_another_made(tmp_path: Path) -> None:
    with serve(tmp_path, owners=False) as client:
        answer = ask(client, "POST", "/api/runs", 201, json=RECIPE)
        assert "set-cookie" not in answer.headers
        assert listed(client, "f" * 32) == [answer.json()["id"]]
        ask(client, "DELETE", f"/api/runs/{answer.json()['id']}", 204, cookie="f" * 32)
