"""Run the web server in the foreground and open a page in the browser."""

from __future__ import annotations

import ipaddress
import socket
import sys
import threading
import webbrowser
from pathlib import Path

import uvicorn

from catan_env.errors import OptionError
from catan_training.play.lobby import Lobby
from catan_training.play.server import MOST_MESSAGE, make_app

EVERY_ADDRESS = ("", "0.0.0.0", "::")
"""Hosts that stand for all addresses of a machine."""
CONTAINER_FILES = (Path("/.dockerenv"), Path("/run/.containerenv"))
"""Files that Docker and Podman create in containers."""


def serve(lobby: Lobby, host: str, port: int, page: str, opened: bool) -> int:
    """Serve until Ctrl-C.

    Args:
        lobby: the server's tables.
        host, port: address to listen on; port 0 picks a free port.
        page: path of the page whose address is printed and opened.
        opened: whether to open the page in the browser.

    Raises:
        OptionError: the address is in use, or does not belong to this machine.
    """
    listener = listener_on(host, port)
    reached = reachable(host)
    address = f"http://{f'[{reached}]' if ':' in reached else reached}:{listener.getsockname()[1]}"
    hosts = None if is_local(host) else ["*"]
    app = make_app(lobby, hosts)
    settings = uvicorn.Config(
        app,
        log_level="warning",
        ws_max_size=MOST_MESSAGE,
        ws_max_queue=16,
        ws_per_message_deflate=False,  # no compression: compressing a state takes as long as drawing it
        timeout_graceful_shutdown=2,
    )
    print(f"{address}{page}")
    print(f"All games and links: {address}/host/{lobby.store.host_key}", flush=True)
    if in_container():
        print("In a container: open the links with the port under which it is published.", flush=True)
    if opened:
        threading.Timer(0.5, _open, [address + page]).start()
    uvicorn.Server(settings).run(sockets=[listener])
    return 0


def is_local(host: str) -> bool:
    """Return whether an address can be reached only from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listener_on(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address; port 0 picks a free port.

    Raises:
        OptionError: the address is in use, or does not belong to this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # browsers that connect before the server is ready wait
    except (OSError, OverflowError) as error:
        listener.close()
        raise OptionError(f"{host}:{port}: cannot listen there ({error}). Choose another --port or --host.") from None
    return listener


def reachable(host: str) -> str:
    """Return the address to open for a server that listens on `host`.

    If it listens on all addresses, this is the machine's address in its network. A container's own address means
    nothing outside; its published ports belong to the machine that runs it.
    """
    if host not in EVERY_ADDRESS:
        return host
    return "localhost" if in_container() else _own_address()


def in_container() -> bool:
    """Return whether this process runs in a container of Docker or Podman."""
    return any(path.exists() for path in CONTAINER_FILES)


def _own_address() -> str:
    """Return this machine's network address, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _open(address: str) -> None:
    if not webbrowser.open(address):
        print("No browser was found; open the page by hand.", file=sys.stderr)
