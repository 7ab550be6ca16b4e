"""What a load has found: figures against their aims, and answers that must not come."""

from __future__ import annotations

from dataclasses import dataclass, field

from .tally import Tally


@dataclass(frozen=True)
class Figure:
    """One measured figure. `met` is None where there is no aim; `ratio` compares it with the calibration of the same run."""

    what: str
    measured: str
    aim: str = "—"
    met: bool | None = None
    ratio: str = "—"


@dataclass
class Report:
    """A load's letter and title, its figures, and what was wrong."""

    letter: str
    title: str
    figures: list[Figure] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def add(self, what: str, measured: str, *, aim: str = "—", met: bool | None = None, ratio: str = "—") -> None:
        """Add a figure."""
        self.figures.append(Figure(what, measured, aim, met, ratio))

    def at_most(self, what: str, value: float, limit: float, unit: str, *, than: float | None = None) -> None:
        """Add a figure that must not be above a limit; `than` is the same figure of the calibration."""
        ratio = "—" if not than else f"{value / than:.1f}"
        self.add(what, f"{value:.{_digits(value)}f} {unit}", aim=f"≤ {limit:g} {unit}", met=value <= limit, ratio=ratio)

    def at_least(self, what: str, value: float, limit: float, unit: str, *, than: float | None = None) -> None:
        """Add a figure that must not be below a limit."""
        ratio = "—" if not than else f"{value / than:.2f}"
        self.add(what, f"{value:.{_digits(value)}f} {unit}", aim=f"≥ {limit:g} {unit}", met=value >= limit, ratio=ratio)

    def judge(self, tally: Tally) -> None:
        """Take over what was wrong, and how many were asked to come back."""
        self.wrong += tally.mistakes()
        self.add("asked to come back (503 with Retry-After)", str(tally.refused))


def table(reports: list[Report]) -> str:
    """The figures as Markdown, and below them what was wrong."""
    lines = ["| load | figure | aim | measured | ÷ calibration | |", "|---|---|---|---|---|---|"]
    for report in reports:
        for place, figure in enumerate(report.figures):
            load = f"**{report.letter}** {report.title}" if place == 0 else ""
            said = "" if figure.met is None else "met" if figure.met else "**missed**"
            lines.append(f"| {load} | {figure.what} | {figure.aim} | {figure.measured} | {figure.ratio} | {said} |")
    wrong = [f"- **{report.letter}**: {text}" for report in reports for text in report.wrong]
    return "\n".join([*lines, "", "Wrong answers: none." if not wrong else "Wrong answers:", *wrong])


def _digits(value: float) -> int:
    return 0 if abs(value) >= 100 else 1 if abs(value) >= 1 else 2
