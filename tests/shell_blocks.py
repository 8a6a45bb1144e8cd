"""Fenced blocks of pages, and the commands in shell blocks."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
API = ROOT / "docs" / "reference" / "api"
"""Pages whose blocks are signatures."""
PAGES = sorted(
    [path for folder in ("docs", "examples") for path in (ROOT / folder).rglob("*.md") if path.parent != API]
    + [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
)
"""All pages with examples."""


def blocks_of(path, language):
    """Return the text of each block of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def lines_of(path):
    """Yield the commands of a page's shell blocks, without comments and split at `&&`."""
    for block in blocks_of(path, "sh"):
        for line in re.sub(r"\\\n", " ", block).splitlines():
            yield from filter(None, map(str.strip, re.split(r"&&", re.sub(r"(^|\s)#.*", "", line))))


def commands_of(path):
    """Return the commands that start with `catan`."""
    return (line for line in lines_of(path) if line.startswith("catan "))


def write_files_of(path, folder):
    """Write the files that a page shows. The first line of such a block names the file, as in `# variant.toml`."""
    for name, text in re.findall(
        r"^```\w+\n# (\w+\.(?:toml|py))\n(.*?)^```", path.read_text("utf-8"), re.MULTILINE | re.DOTALL
    ):
        (folder / name).write_text(text, "utf-8")
