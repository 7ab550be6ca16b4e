"""The command line: `glassformer` serves the page, `train` trains a model, `verify` proves every number.

Everything heavy is imported inside the commands, so that `glassformer --help` answers at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from . import __version__
from .heap import keep_heap
from .packages import complaint

command = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

ProfileFlag = Annotated[str | None, typer.Option(help="local, classroom or public.", show_default="local")]
HostFlag = Annotated[str | None, typer.Option(help="The address to listen on.", show_default="127.0.0.1")]
PortFlag = Annotated[
    int | None,
    typer.Option(min=0, max=65535, help="The port to listen on; 0 is any.", show_default="8000, or the next free one"),
]
SetFlag = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any other setting; glassformer limits lists them.")
]


def main() -> None:
    """Run the command line."""
    command(prog_name="glassformer")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"glassformer {__version__}")
        raise typer.Exit


@command.callback(invoke_without_command=True)
def serve(
    context: typer.Context,
    profile: ProfileFlag = None,
    host: HostFlag = None,
    port: PortFlag = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Another name under which the server is called.")
    ] = None,
    allow_frame: Annotated[list[str] | None, typer.Option(metavar="ORIGIN", help="An origin that may frame the page.")] = None,
    code: Annotated[str | None, typer.Option(help="A class code that is asked for at the start.")] = None,
    models: Annotated[str | None, typer.Option(metavar="DIR", help="A folder of .safetensors models that all may use.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes that serve, on one port.", show_default="1")] = None,
    log: Annotated[str | None, typer.Option(help="What is logged: requests, errors or off.", show_default="errors")] = None,
    set_: SetFlag = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Show every number inside a running Transformer: serve the page and open it."""
    named: dict[str, Any] = {"profile": profile, "host": host, "port": port, "workers": workers, "code": code, "log": log}
    named |= {"allow_host": allow_host, "allow_frame": allow_frame, "models_folder": models}
    if context.invoked_subcommand is not None:
        _hand_on(context, named, set_ or ())
        return
    keep_heap()
    if (wrong := complaint()) is not None:
        typer.echo(wrong, err=True)
        raise typer.Exit(2)
    from .choosing import SettingError, read_flags, read_settings

    try:
        settings = read_settings(read_flags(named, set_ or ()))
    except SettingError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    _launch(settings, browser=not no_browser)


def _hand_on(context: typer.Context, named: dict[str, Any], assignments: Sequence[str]) -> None:
    """Let `limits` know what was written before it; refuse that before any other command, where it would mean nothing."""
    if context.invoked_subcommand == "limits":
        context.obj = named, assignments
        return
    given = [flag.opts[0] for flag in context.command.params if context.params.get(flag.name or "") not in (None, [], (), False)]
    if given:
        after = context.invoked_subcommand
        typer.echo(
            f"{', '.join(given)} means nothing before {after}: flags go after it, and glassformer {after} --help lists them",
            err=True,
        )
        raise typer.Exit(2)


def _launch(settings: Any, *, browser: bool) -> None:
    from .launch import LaunchError, launch

    try:
        launch(settings, browser=browser)
    except LaunchError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(error.status) from error


@command.command()
def ray(
    profile: ProfileFlag = None,
    host: HostFlag = None,
    port: PortFlag = None,
    replicas: Annotated[int, typer.Option(min=1, help="Processes that compute, at least.")] = 1,
    max_replicas: Annotated[
        int | None, typer.Option(min=1, help="And at most, while there is work.", show_default="as many")
    ] = None,
    set_: SetFlag = None,
) -> None:
    """Serve with Ray Serve, which is an extra: as many processes that compute as there is work for."""
    from .choosing import SettingError, read_flags, read_settings
    from .launch import LaunchError
    from .ray_here import launch_ray

    try:
        settings = read_settings(read_flags({"profile": profile, "host": host, "port": port}, set_ or ()))
        launch_ray(settings, replicas=replicas, max_replicas=max(replicas, max_replicas or replicas))
    except SettingError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    except LaunchError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(error.status) from error


@command.command()
def limits(
    context: typer.Context,
    profile: ProfileFlag = None,
    set_: SetFlag = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List all settings: value, unit, and where it is from. The server's flags may stand before: --code X limits."""
    from .choosing import SettingError, read_flags
    from .limiting import show_limits

    try:
        named, assignments = context.obj
        before = read_flags(named, assignments)
        show_limits(before | read_flags({"profile": profile}, set_ or ()), as_json=as_json)
    except SettingError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error


@command.command()
def train(
    task: Annotated[str, typer.Argument(help="copy, reverse, sort, pig-latin, a file of pairs, or a run to go on with.")],
    seed: Annotated[int | None, typer.Option(help="What weights and data are drawn from.")] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Steps of training.")] = None,
    folder: Annotated[Path | None, typer.Option(help="Where weights and card go.", show_default="the package")] = None,
    batch: Annotated[int | None, typer.Option(min=1, help="Sentences a step.")] = None,
    rate: Annotated[float | None, typer.Option(help="Highest learning rate, or the factor of the paper's schedule.")] = None,
    schedule: Annotated[str | None, typer.Option(help="cosine, or paper for its equation 3.", show_default="cosine")] = None,
    warm_up: Annotated[int | None, typer.Option(min=1, help="Steps of the rise.", show_default="a tenth")] = None,
    name: Annotated[str | None, typer.Option(help="What the model will be called.")] = None,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="A changed setting, such as d_model=64.")] = None,
    unit: Annotated[str | None, typer.Option(help="For pairs: word or character.", show_default="word")] = None,
    vocabulary: Annotated[int | None, typer.Option(help="For pairs: most tokens.", show_default="4000")] = None,
    held_out: Annotated[float | None, typer.Option(help="For pairs: share kept for the test.", show_default="0.1")] = None,
) -> None:
    """Train a model, as the page does. copy and pig-latin with no more than a seed, steps or folder are those of the program."""
    from .model.errors import GlassformerError
    from .training import train_run, train_shipped

    more = {"batch": batch, "rate": rate, "schedule": schedule, "warm_up": warm_up, "name": name}
    more |= {"unit": unit, "vocabulary": vocabulary, "held_out": held_out}
    asked = {field: value for field, value in more.items() if value is not None}
    try:
        if task in ("copy", "pig-latin") and not asked and not option:
            train_shipped(task, seed=seed, steps=steps, folder=folder)
        elif folder is not None:
            raise typer.BadParameter("--folder is for the models of the program; a run is kept in the data folder")
        else:
            train_run(task, asked | {"seed": seed, "steps": steps}, option or ())
    except GlassformerError as error:
        typer.echo(error.message, err=True)
        raise typer.Exit(2) from error


@command.command()
def decode(
    model: Annotated[str, typer.Argument(help="A model, such as pig-latin.")],
    sentences: Annotated[list[str], typer.Argument(metavar="SENTENCE...", help="One or more source sentences.")],
    kind: Annotated[str | None, typer.Option("--strategy", help="greedy, beam or sample.", show_default="greedy")] = None,
    width: Annotated[int | None, typer.Option(help="Hypotheses of a beam.", show_default="4")] = None,
    length_penalty: Annotated[float | None, typer.Option(help="Length penalty of a beam.", show_default="0.6")] = None,
    temperature: Annotated[float | None, typer.Option(help="Temperature of sampling.", show_default="1")] = None,
    top_k: Annotated[int | None, typer.Option(help="Sample from the k best tokens; 0 is all.", show_default="0")] = None,
    top_p: Annotated[float | None, typer.Option(help="Sample from the fewest that hold this share.", show_default="1")] = None,
    draws: Annotated[int | None, typer.Option("--draw-seed", help="Seed of the draws.", show_default="0")] = None,
    cache: Annotated[bool, typer.Option(help="Keep keys and values between steps.")] = False,
    steps: Annotated[int | None, typer.Option(help="Most steps.", show_default="the model's")] = None,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="A changed setting, such as norm=pre.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of random weights.")] = None,
) -> None:
    """Decode sentences and print every step: what was fed, what was chosen, what came second."""
    from .decoding import show, strategy
    from .model.errors import GlassformerError
    from .model.shelf import open_own_shelf

    open_own_shelf()
    flags = {
        "width": width,
        "length_penalty": length_penalty,
        "temperature": temperature,
        "top_k": top_k,
        "top_p": top_p,
        "seed": draws,
    }
    try:
        chosen = strategy(kind, flags)
        show(model, sentences, options=option or (), strategy=chosen, cache=cache, max_steps=steps, seed=seed)
    except GlassformerError as error:
        typer.echo(error.message, err=True)
        raise typer.Exit(2) from error


@command.command()
def verify(
    models: Annotated[list[str], typer.Argument(metavar="MODEL...", help="Models, or: all.")],
    src: Annotated[list[str] | None, typer.Option(help="A source sentence; several make a batch.")] = None,
    tgt: Annotated[list[str] | None, typer.Option(help="A target sentence for each source.")] = None,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="A changed setting, such as norm=pre.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of random weights and dropout.")] = None,
) -> None:
    """Compute every tensor a second time and compare; without sentences, for the models' own examples. Fails with status 1."""
    from .model.errors import GlassformerError
    from .model.shelf import open_own_shelf
    from .verifying import Asked, report

    open_own_shelf()
    try:
        passed = report(Asked(models, src or (), tgt or (), option or (), seed))
    except GlassformerError as error:
        typer.echo(error.message, err=True)
        raise typer.Exit(2) from error
    raise typer.Exit(0 if passed else 1)


if __name__ == "__main__":
    main()
