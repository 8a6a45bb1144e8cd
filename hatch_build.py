"""Makes the description of the package from README.md: package indexes show absolute links only."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

RELATIVE = re.compile(r"""(\]\(|src=")(?![a-z]+:|#)([^)"\s]+)""")
PICTURES = (".svg", ".png", ".gif", ".webp")


class Description(MetadataHookInterface):
    """Sets the field "readme" of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Read README.md, and complete its links if `[project.urls]` has the address of the repository as `Source`."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        source = metadata.get("urls", {}).get("Source")
        text = with_absolute_links(text, source) if source else text
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def with_absolute_links(text: str, source: str) -> str:
    """Complete relative links of Markdown, to files and pictures of the repository at `source`."""

    def complete(match: re.Match[str]) -> str:
        opening, path = match.groups()
        view = "raw" if path.endswith(PICTURES) else "blob"
        return f"{opening}{source.rstrip('/')}/{view}/HEAD/{path}"

    return RELATIVE.sub(complete, text)
