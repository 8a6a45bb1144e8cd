"""Commands in the shell blocks of pages."""

import re


def commands_of(path):
    """The lines of a page's shell blocks that begin with `catan`, without comments."""
    for block in re.findall(r"^```sh\n(.*?)^```", path.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        for command in re.sub(r"\\\n", " ", block).splitlines():
            if command.startswith("catan "):
                yield command.split("#")[0].strip()
