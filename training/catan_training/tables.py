"""Tables of text, on the terminal and in Markdown, and numbers as people read them."""

from __future__ import annotations

from collections.abc import Sequence


def print_table(lines: Sequence[Sequence[str]], title: str, text_columns: int = 1) -> None:
    """Prints rows of text, the first being the heading; columns after the first few hold numbers."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for k, name in enumerate(lines[0]):
        table.add_column(name, justify="left" if k < text_columns else "right")
    for line in lines[1:]:
        table.add_row(*line)
    console = Console()
    if not console.is_terminal:  # a file or pipe has no width: never shorten what somebody may want to search
        console = Console(width=160)
    console.print(table)


def markdown_table(lines: Sequence[Sequence[str]], text_columns: int = 1) -> str:
    """The same rows in Markdown."""
    marks = ["---" if k < text_columns else "---:" for k in range(len(lines[0]))]
    return "\n".join("| " + " | ".join(line) + " |" for line in [lines[0], marks, *lines[1:]])


def percent(share: float) -> str:
    """A share as a percentage."""
    return f"{100 * share:.1f}%"


def number(value: float) -> str:
    """A value as people read it."""
    if abs(value) >= 1e6:
        return f"{value / 1e6:.2f} M"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"


def so_many_players(count: int) -> str:
    """So many players, in words."""
    return f"{count} player{'s' * (count > 1)}"
