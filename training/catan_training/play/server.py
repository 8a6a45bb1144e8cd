"""The web server: pages, seat links, and messages from pages.

The addresses of the host page and of every seat contain a secret. No name in a request is ever used as a file path:
page files are read once, when the server starts.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from importlib import resources
from string import Template
from typing import Any
from urllib.parse import urlsplit

import anyio
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from catan_env.errors import CatanError, OptionError
from catan_env.render import replay_page
from catan_env.text_files import json_of
from catan_training.play.game import SPECTATOR
from catan_training.play.lobby import Lobby
from catan_training.play.messages import MOST_REFUSED, Allowance, read_message
from catan_training.play.review import Review, Reviewer
from catan_training.play.table import Table, View, in_thread

TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
MOST_BODY = 16384
"""Maximum size of a request for a new game, in bytes."""
MOST_MESSAGE = 16384
"""Maximum size of a message from a page, in bytes; a larger message closes the connection."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
OWN_SCRIPTS = {
    **HEADERS,
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
    ),
}
"""Headers for pages that contain inline scripts."""
LOCAL = ("127.0.0.1", "localhost", "::1")
NOWHERE = "<!doctype html><title>catan play</title><p>Nothing is here. Open the link that the host gave you."


def make_app(lobby: Lobby, hosts: list[str] | None = None) -> Starlette:
    """Return the web application.

    Args:
        lobby: the server's tables.
        hosts: host names that browsers may use to reach the server; None for this machine's own names. ["*"] allows any
            name, for servers that listen on a network.
    """
    server = _Server(lobby)
    routes = [
        Route("/", server.nowhere),
        Route("/page/{file}", server.page_file),
        Route("/host/{key}", server.host_page),
        Route("/host/{key}/scenarios", server.scenarios),
        Route("/host/{key}/scenario/{name}", server.scenario),
        Route("/host/{key}/picture/{name}", server.picture),
        Route("/host/{key}/games", server.games, methods=["GET"]),
        Route("/host/{key}/games", server.create, methods=["POST"]),
        Route("/host/{key}/log/{game}", server.log),
        Route("/host/{key}/logs", server.logs),
        Route("/host/{key}/dataset", server.dataset),
        Route("/host/{key}/dataset/{game}", server.dataset),
        Route("/host/{key}/replay/{game}", server.replay),
        Route("/host/{key}/review/{game}", server.review),
        Route("/host/{key}/review/{game}/progress", server.progress),
        Route("/seat/{secret}", server.seat_page),
        Route("/seat/{secret}/again", server.again, methods=["POST"]),
        Route("/seat/{secret}/replay", server.replay),
        Route("/seat/{secret}/review", server.review),
        Route("/seat/{secret}/review/progress", server.progress),
        WebSocketRoute("/seat/{secret}/messages", server.messages),
    ]

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await server.reviewer.close()
        await lobby.close()

    middleware = [Middleware(TrustedHostMiddleware, allowed_hosts=hosts or [*LOCAL])]
    return Starlette(routes=routes, middleware=middleware, lifespan=lifespan, exception_handlers={CatanError: _refused})


async def _refused(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 400, HEADERS)


class _Server:
    def __init__(self, lobby: Lobby):
        self.lobby = lobby
        self._key = lobby.store.host_key
        folder = resources.files("catan_training.play") / "page"
        files = {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}
        self._files = {name: content for name, content in files.items() if not name.endswith(".html")}
        frame = Template(files["frame.html"].decode())
        self._pages = {
            name: frame.substitute(name=name, body=files[f"{name}.html"].decode())
            for name in ("host", "table", "review")
        }
        self._busy = asyncio.Lock()
        """Held while a game is being set up, which may require compiling its rules."""
        self.reviewer = Reviewer()

    # -- pages ----------------------------------------------------------------------------------------------

    async def nowhere(self, request: Request) -> Response:
        return HTMLResponse(NOWHERE, headers=HEADERS)

    def _page(self, name: str) -> Response:
        return HTMLResponse(self._pages[name], headers=HEADERS)

    async def page_file(self, request: Request) -> Response:
        name = request.path_params["file"]
        if name not in self._files:
            return HTMLResponse(NOWHERE, 404, HEADERS)
        return Response(self._files[name], headers=HEADERS, media_type=TYPES["." + name.rpartition(".")[2]])

    async def host_page(self, request: Request) -> Response:
        self._check_key(request)
        return self._page("host")

    async def seat_page(self, request: Request) -> Response:
        if self.lobby.store.game_of(request.path_params["secret"]) is None:
            return HTMLResponse(NOWHERE, 404, HEADERS)
        return self._page("table")

    # -- the host -------------------------------------------------------------------------------------------

    def _check_key(self, request: Request) -> None:
        if request.path_params["key"] != self._key:
            raise OptionError("This is not the link of the host; `catan play` printed it.")
        if not _same_origin(request):
            raise OptionError("This request comes from a page of another site.")

    async def scenarios(self, request: Request) -> Response:
        self._check_key(request)
        return JSONResponse(self.lobby.catalog(), headers=HEADERS)

    async def scenario(self, request: Request) -> Response:
        self._check_key(request)
        text = request.query_params.get("players", "")
        players = int(text) if text.isascii() and text.isdigit() and len(text) < 3 else None
        return JSONResponse(self.lobby.details(request.path_params["name"], players), headers=HEADERS)

    async def picture(self, request: Request) -> Response:
        self._check_key(request)
        async with self._busy:
            svg = await in_thread(self.lobby.picture, request.path_params["name"])
        return Response(svg, headers={**HEADERS, "Cache-Control": "max-age=3600"}, media_type=TYPES[".svg"])

    async def games(self, request: Request) -> Response:
        self._check_key(request)
        return JSONResponse(self.lobby.games(), headers=HEADERS)

    async def create(self, request: Request) -> Response:
        self._check_key(request)
        body = b""
        async for piece in request.stream():
            body += piece
            if len(body) > MOST_BODY:
                raise OptionError(f"A request for a game has at most {MOST_BODY} bytes.")
        wanted = json_of(body.decode("utf-8", "replace"), "the request", "request for a game", OptionError)
        async with self._busy:
            game = await in_thread(self.lobby.create_from, wanted)
        return JSONResponse({"id": game, "links": self._links(game)}, headers=HEADERS)

    def _links(self, game: str) -> dict[int, str]:
        return {seat: f"/seat/{secret}" for seat, secret in self.lobby.store.links(game).items()}

    async def log(self, request: Request) -> Response:
        self._check_key(request)
        return JSONResponse(self._log_of(request.path_params["game"]), headers=HEADERS)

    async def logs(self, request: Request) -> Response:
        """Serve the logs of all finished games as a ZIP archive."""
        self._check_key(request)
        from catan_training.play.results import zipped_logs  # takes about a second

        packed = await in_thread(zipped_logs, self.lobby.store)
        return Response(packed, headers=HEADERS, media_type="application/zip")

    async def dataset(self, request: Request) -> Response:
        """Serve datasets made from one finished game, or from all of them, as a ZIP archive."""
        self._check_key(request)
        from catan_training.play.results import recorded, zipped_datasets  # takes about a second

        games = recorded(self.lobby.store, request.path_params.get("game"))
        if not games:
            raise OptionError("There is no finished game.")
        async with self._busy:
            packed = await in_thread(zipped_datasets, games)
        return Response(packed, headers=HEADERS, media_type="application/zip")

    async def replay(self, request: Request) -> Response:
        log = self._log_of(self._game_asked_for(request))
        async with self._busy:
            page = await in_thread(replay_page, log)
        return HTMLResponse(page, headers=OWN_SCRIPTS)

    async def review(self, request: Request) -> Response:
        """Serve the review of a game, or a page that shows the progress of the review."""
        review = self._review(request, again=True)
        return HTMLResponse(review.page, headers=OWN_SCRIPTS) if review.page else self._page("review")

    async def progress(self, request: Request) -> Response:
        return JSONResponse(self._review(request).to_json(), headers=HEADERS)

    def _review(self, request: Request, again: bool = False) -> Review:
        game = self._game_asked_for(request)
        return self.reviewer.review(game, self._log_of(game), again)

    def _game_asked_for(self, request: Request) -> str:
        """Return the game for a host or seat link, or "" if the seat link is invalid."""
        if "key" in request.path_params:
            self._check_key(request)
            return request.path_params["game"]
        found = self.lobby.store.game_of(request.path_params["secret"])
        return found[0] if found else ""

    def _log_of(self, game: str) -> dict[str, Any]:
        log = self.lobby.store.log(game)
        if log is None:
            raise OptionError("There is no finished game with this id.")
        return log

    # -- seats ----------------------------------------------------------------------------------------------

    async def again(self, request: Request) -> Response:
        """Start the next game with the same players, unless it already exists, and return the same seat's link."""
        game, seat = self.lobby.store.game_of(request.path_params["secret"]) or ("", SPECTATOR)
        finished = self.lobby.store.game(game)
        people = any(sitter.is_person for sitter in finished.sitters) if finished else True
        if not _same_origin(request) or (seat == SPECTATOR and people):
            raise OptionError("Only the players start the next game.")
        async with self._busy:
            following = await in_thread(self.lobby.play_again, game)
        self.lobby.wake(game)
        return JSONResponse({"link": self._links(following)[seat]}, headers=HEADERS)

    async def messages(self, socket: WebSocket) -> None:
        """Serve one page: send states to it, and carry out its messages."""
        found = self.lobby.store.game_of(socket.path_params["secret"])
        if found is None or not _same_origin(socket):
            await socket.close(1008)
            return
        await socket.accept()
        game, seat = found
        try:
            async with self._busy:
                table = await in_thread(self.lobby.table, game)
            view = table.join(seat)
        except CatanError as error:
            await socket.send_text(_text({"type": "closed", "why": str(error)}))
            await socket.close(1011)
            return
        try:
            await _until_gone(partial(_send_states, socket, table, view), partial(_receive, socket, table, view))
        finally:
            table.leave(view)


def _same_origin(connection: HTTPConnection) -> bool:
    """Return whether a request comes from one of this server's pages or not from a web page at all."""
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host")


def _text(answer: dict[str, Any]) -> str:
    return json.dumps(answer, separators=(",", ":"))


async def _until_gone(*work: Callable[[], Awaitable[None]]) -> None:
    """Run coroutines until one finishes or the page disconnects, then cancel the rest."""
    async with anyio.create_task_group() as group:

        async def run(part: Callable[[], Awaitable[None]]) -> None:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # Starlette raises one of these on disconnect
                await part()
            group.cancel_scope.cancel()

        for part in work:
            group.start_soon(run, part)


async def _send_states(socket: WebSocket, table: Table, view: View) -> None:
    """Greet the page, then send it the newest state whenever something has changed."""
    await socket.send_text(_text(table.greeting(view)))
    while True:
        await view.wake.wait()
        view.wake.clear()
        await socket.send_text(_text(table.update(view)))


async def _receive(socket: WebSocket, table: Table, view: View) -> None:
    """Carry out messages until the page disconnects or too many of its messages are refused."""
    allowance, refused = Allowance(), 0
    while refused < MOST_REFUSED:
        received = await socket.receive()
        if received["type"] == "websocket.disconnect":
            return
        try:
            allowance.spend()
            message = read_message(received.get("text"))
            answer = await table.answer(view, message)
        except CatanError as error:
            refused += 1
            await socket.send_text(_text({"type": "refused", "why": str(error)}))
            await asyncio.sleep(0)
            continue
        refused = 0
        if answer is not None:
            await socket.send_text(_text(answer))
    await socket.close(1008)
