"""A study's report as one self-contained HTML page for phones and wide screens, in light or dark mode."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from catan_training.machine import OWN, versions

STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --paper: #ffffff; --faint: #59636e; --line: #d1d9e0; --shade: #f6f8fa;
  --link: #0a58ca }
@media (prefers-color-scheme: dark) {
  :root { --ink: #d8dee4; --paper: #14181d; --faint: #9aa4af; --line: #333b44; --shade: #1d232a; --link: #6cb2ff }
}
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 48rem;
  margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
h1, h2, h3 { line-height: 1.25 }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line) }
a { color: var(--link) }
code, pre { background: var(--shade); border-radius: 4px; font-size: 0.9em }
code { padding: 0.1em 0.3em }
pre { padding: 0.8em; overflow-x: auto; overflow-wrap: normal }
pre code { padding: 0; font-size: 1em }
.table { overflow-x: auto; margin: 1rem 0 }
table { border-collapse: collapse; font-size: 0.9rem; overflow-wrap: normal }
th, td { padding: 0.25em 0.7em; border-bottom: 1px solid var(--line); vertical-align: top }
th:first-child, td:first-child { padding-left: 0; min-width: 7em }
tbody tr:hover { background: var(--shade) }
figure { margin: 1rem 0 }
figure svg { width: 28rem; max-width: 100%; height: auto; display: block }
@media (max-width: 30rem) {
  body { margin: 1rem auto }
  table { font-size: 0.8rem }
  th, td { padding: 0.25em 0.35em }
}
"""


def page_of(text: str, folder: Path) -> str:
    """Convert a Markdown report to a single HTML page with embedded pictures.

    Args:
        text: the report, whose first line is the title.
        folder: folder that contains the report's pictures.
    """
    from markdown_it import MarkdownIt

    html = MarkdownIt("commonmark").enable("table").render(text)
    html = html.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")
    html = re.sub(
        r'<p><img src="([\w.]+\.svg)" alt="([^"]*)" /></p>',
        lambda found: _figure((folder / found[1]).read_text("utf-8"), found[2]),
        html,
    )
    title = escape(text.splitlines()[0].lstrip("# "))
    made_by = " ".join(f"{name} {version}" for name, version in versions(OWN).items())
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="{escape(made_by)}">\n<title>{title}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n{html}</body>\n</html>\n"
    )


def _figure(svg: str, title: str) -> str:
    """Embed a picture in the page, with a description for screen readers."""
    described = svg.replace("<svg", f'<svg role="img" aria-label="{title}"', 1)
    return f"<figure>{described}</figure>"
