"""The site's settings: `catan docs --site FOLDER` or `make docs`. Nothing is fetched at build time."""

import hashlib
import os
import re
from pathlib import Path

import catan_env

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

# Notebooks run here keep compiled rules with those of the tests.
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".numba_cache"))


def digest_of_code():
    """Fingerprint of what the notebooks run, and of their settings: outputs kept are never older than the code."""
    digest = hashlib.sha256(os.environ.get("CATAN_QUICK", "").encode())
    for package in ("catan_env", "agents", "training"):
        for path in sorted((ROOT / package).rglob("*")):
            if path.suffix in (".py", ".toml"):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


project = "catan-env"
author = "The catan-env contributors"
copyright = f"{author}. Not affiliated with the owner or publisher of the game"
version = release = catan_env.__version__

extensions = ["myst_nb"]
html_theme = "furo"
html_title = f"catan-env {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "source_repository": "",
    "footer_icons": [],
}

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

nb_execution_mode = "cache"
nb_execution_cache_path = str(ROOT / "build" / "notebooks" / digest_of_code())
nb_execution_timeout = 600
nb_execution_raise_on_error = True
nb_merge_streams = True


def link_quoted_pages(app, docname, source):
    """Make links of quoted pages, such as `reference/ladder.md`: generated pages exist in the site only."""

    def link(match):
        return f"[](/{match[1]}.md{match[2] or ''})" if match[1] in app.env.found_docs else match[0]

    source[0] = re.sub(r"`([\w/-]+)\.md(#[\w-]+)?`", link, source[0])


def drop_links_to_code(app, docname, source):
    """Keep the text of links to files outside the documentation, which the site does not have."""
    source[0] = re.sub(r"\[([^\]]+)\]\((?:\.\./)+(?:catan_env|agents|training|tests)/[^)]*\)", r"\1", source[0])


def setup(app):
    app.connect("source-read", link_quoted_pages)
    app.connect("source-read", drop_links_to_code)
