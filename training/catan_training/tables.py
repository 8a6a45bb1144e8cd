"""Text tables for the terminal and Markdown, and number formatting."""

from __future__ import annotations

from collections.abc import Sequence

UNLIMITED = 10_000
"""Width in characters that no table reaches."""


def print_table(lines: Sequence[Sequence[str]], title: str, text_columns: int = 1) -> None:
    """Print rows of text as a table, with the first row as the heading.

    The first `text_columns` columns are left-aligned; the others are right-aligned for numbers. A table that is too
    wide for the terminal is printed without vertical lines.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for k, name in enumerate(lines[0]):
        table.add_column(name, justify="left" if k < text_columns else "right")
    for line in lines[1:]:
        table.add_row(*line)
    console = Console()
    if not console.is_terminal:  # files and pipes have no width, so avoid truncating cells
        console = Console(width=160)
    if console.measure(table, options=console.options.update(max_width=UNLIMITED)).maximum > console.width:
        table.box, table.show_edge, table.padding = box.SIMPLE_HEAD, False, (0, 1, 0, 0)
    console.print(table)


def markdown_table(lines: Sequence[Sequence[str]], text_columns: int = 1) -> str:
    """Return rows as a Markdown table; the arguments are the same as for `print_table`."""
    marks = ["---" if k < text_columns else "---:" for k in range(len(lines[0]))]
    return "\n".join("| " + " | ".join(line) + " |" for line in [lines[0], marks, *lines[1:]])


def percent(share: float) -> str:
    """Format a fraction as a percentage."""
    return f"{100 * share:z.1f}%"


def number(value: float) -> str:
    """Format a number for display, such as "2.50 M", "1,234" or "0.75"."""
    if abs(value) >= 1e6:
        return f"{value / 1e6:.2f} M"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"


def listed(words: Sequence[str]) -> str:
    """Return "a", "a and b" or "a, b and c"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
