"""Figures of several rounds, their rows, and the table in Markdown."""
from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass, field

ECHO, REDIS, BUS, PASSD = "C echo", "Redis", "D-Bus", "passd"
SERVERS = (ECHO, REDIS, BUS, PASSD)


@dataclass(frozen=True)
class Goal:
    """A goal: a limit for passd's figure, or for its ratio to another server's."""

    text: str
    max: float | None = None
    min: float | None = None
    of_ratio: bool = False

    def is_met(self, row: Row) -> bool | None:
        values = row.ratios() if self.of_ratio else row.figures.get(PASSD, [])
        if not values:
            return None
        middle = statistics.median(values)
        return (self.max is None or middle <= self.max) and (self.min is None or middle >= self.min)


@dataclass
class Row:
    """The figures of each server, one for each round."""

    what: str
    unit: str
    figures: dict[str, list[float]] = field(default_factory=dict)
    #: The server with which passd is compared, round by round.
    beside: str | None = None
    goal: Goal | None = None
    note: str = ""

    def add(self, server: str, value: float) -> None:
        self.figures.setdefault(server, []).append(value)

    def ratios(self) -> list[float]:
        if not self.beside:
            return []
        others = self.figures.get(self.beside, [])
        return [ours / theirs for ours, theirs in zip(self.figures.get(PASSD, []), others) if theirs]


def number(value: float) -> str:
    """Prints the number with three significant digits."""
    if value == 0:
        return "0"
    if abs(value) < 0.1:
        return f"{value:.2g}"
    if abs(value) >= 10_000:
        return f"{number(value / 1000)} k"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def spread(values: list[float], show: Callable[[float], str] = number) -> str:
    """The median, with the smallest and the largest value if they differ."""
    if not values:
        return "–"
    middle = show(statistics.median(values))
    low, high = show(min(values)), show(max(values))
    return middle if low == middle == high else f"{middle} ({low}–{high})"


def groups(rows: list[Row]) -> list[list[Row]]:
    """Each row, together with the rows below it that begin with a dash."""
    found: list[list[Row]] = []
    for row in rows:
        if row.what.startswith("– ") and found:
            found[-1].append(row)
        else:
            found.append([row])
    return found


def is_compared(row: Row) -> bool:
    return bool(row.ratios()) or any(row.figures.get(server) for server in SERVERS if server != PASSD)


def table(rows: list[Row]) -> str:
    """Rows with figures of other servers, followed by rows with figures of passd alone."""
    compared = ["| | unit | C echo | Redis | D-Bus | passd | beside | goal | met |", "|---|---|---|---|---|---|---|---|---|"]
    alone = ["| | unit | passd | goal | met |", "|---|---|---|---|---|"]
    for group in groups(rows):
        together = any(is_compared(row) for row in group)
        for row in group:
            ratio = f"{spread(row.ratios())} × {row.beside}" if row.ratios() else ""
            met = row.goal.is_met(row) if row.goal else None
            figures = [spread(row.figures.get(server, [])) for server in (SERVERS if together else [PASSD])]
            cells = [row.what, row.unit, *figures, *([ratio] if together else []), row.goal.text if row.goal else "",
                     "" if met is None else "yes" if met else "no"]
            (compared if together else alone).append("| " + " | ".join(cells) + " |")
    notes = [f"* {row.what}: {row.note}" for row in rows if row.note]
    return "\n".join([*compared, "", "passd alone:", "", *alone, "", *notes])
