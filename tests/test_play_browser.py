"""Tables in a real browser: whole games by clicks, two pages, a lost connection, a phone and the keyboard."""

import contextlib
import random
import threading
import time

import pytest
import uvicorn
from browser import Page, executable

import catan_env
from catan_training.play.game import GameSettings, PlayedGame
from catan_training.play.lobby import Lobby
from catan_training.play.running import listener_on
from catan_training.play.seats import agent, person
from catan_training.play.server import make_app
from catan_training.play.store import Store

pytestmark = [
    pytest.mark.skipif(executable() is None, reason="no Chromium or Chrome is installed, so no page can be opened"),
    pytest.mark.xdist_group("browser"),
]

MOST_CLICKS = 1500
FIND = """(() => {
  const shown = e => e.getClientRects().length > 0;
  const options = [...document.querySelectorAll('dialog[open] button, .target, #actions button')].filter(shown)
    .filter(e => !document.querySelector('dialog[open]') || e.closest('dialog'))
    .map((e, k) => ({k, words: e.getAttribute('aria-label') || e.textContent.replace(/^\\d/, ''),
      target: e.classList.contains('target'), id: e.id, pressed: e.getAttribute('aria-pressed')}));
  window.found = [...document.querySelectorAll('dialog[open] button, .target, #actions button')].filter(shown)
    .filter(e => !document.querySelector('dialog[open]') || e.closest('dialog'));
  return options;
})()"""
WHERE = """(() => { const e = window.found[%d]; e.scrollIntoView({block: 'center'});
  const b = (e.querySelector('.spot, .core, .hexagon') || e).getBoundingClientRect();
  return [b.x + b.width / 2, b.y + b.height / 2]; })()"""
OPEN_ALL = "document.querySelectorAll('#actions details').forEach(e => { e.open = true; })"
IDLE = "document.body.dataset.own === 'true' || document.body.dataset.over === 'true'"
OWN_ROLL = "document.querySelector('#headline').textContent.includes('Your move: play a development card or roll')"


class Server:
    """A server in a thread, with its own database. Tests can stop and restart it."""

    def __init__(self, path):
        self._path, self.port = path, 0
        self.start()

    def start(self):
        self.lobby = Lobby(Store(self._path), pace=0.0)
        listener = listener_on("127.0.0.1", self.port)
        self.port = listener.getsockname()[1]
        self._server = uvicorn.Server(
            uvicorn.Config(make_app(self.lobby), log_level="error", timeout_graceful_shutdown=1)
        )
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listener]}, daemon=True)
        self._thread.start()

    def stop(self):
        self._server.should_exit = True
        self._thread.join(30)
        assert not self._thread.is_alive()

    def address(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def game(self, scenario, players, people=1, opponent="heuristic", seed=4, **rules):
        """Create a game. Return its id and the addresses of its people."""
        sitters = [person(f"person {seat}", seat) if seat < people else agent(opponent, {}) for seat in range(players)]
        game = self.lobby.create(GameSettings(scenario, players, seed, rules), sitters)
        links = self.lobby.store.links(game)
        return game, [self.address(f"/seat/{links[seat]}") for seat in range(people)]


@pytest.fixture
def server(tmp_path):
    running = Server(tmp_path / "games.sqlite")
    yield running
    running.stop()


class Clicker:
    """A scripted person who clicks highlighted places and buttons at random, and rarely those that make no progress."""

    SELDOM = ("take back", "make a trade offer", "make a counter-offer", "none of these", "remove:", "Clear", "trade")

    def __init__(self, page, seed=0):
        self.page, self._random, self.clicks = page, random.Random(seed), 0

    def play(self, until="false"):
        """Play until the game is over or a JavaScript expression is true."""
        while True:
            self.page.wait(f"({IDLE}) || ({until})")
            if self.page.run(f"document.body.dataset.over === 'true' || ({until})"):
                return
            self.click()

    def click(self):
        before = self.page.run("JSON.stringify(document.body.dataset)")
        self.page.run(OPEN_ALL)
        option = self.choose(self.page.run(FIND))
        if option is None:
            return
        self.clicks += 1
        assert self.clicks < MOST_CLICKS, "the game does not end"
        self.page.click_at(*self.page.run(WHERE % option["k"]))
        if option["pressed"] is None:
            end = time.monotonic() + 2  # a click that opens a dialog changes nothing yet
            while self.page.run("JSON.stringify(document.body.dataset)") == before and time.monotonic() < end:
                if self.page.run("document.querySelector('dialog[open]') !== null"):
                    return
                time.sleep(0.01)

    def choose(self, options):
        if not options:
            return None
        sent = [option for option in options if option["id"] == "send"]
        if sent and self._random.random() < 0.5:
            return sent[0]
        usual = [
            option
            for option in options
            if option["pressed"] is None and not option["words"].startswith(self.SELDOM) and option["id"] != "undo"
        ]
        if usual and self._random.random() < 0.95:
            return self._random.choice(usual)
        return self._random.choice(options)


def whole_game(server, scenario, players, **options):
    game, (address, *_) = server.game(scenario, players, **options)
    with Page(address) as page:
        person_at_page = Clicker(page)
        person_at_page.play()
        assert not page.errors
        assert page.run("document.querySelector('#over a').href").endswith("/replay")
        assert "won" in page.run("document.querySelector('#headline').textContent")
    log = server.lobby.store.log(game)
    replayed = catan_env.replay(log)
    assert bool(replayed.terminated[0])
    assert any(one.seat == 0 for one in server.lobby.store.taken(game)) and person_at_page.clicks
    return address


def test_a_whole_game_of_the_dice_game(server):
    whole_game(server, "dice_game", 2, opponent="random")


def test_a_whole_short_game_and_its_review(server):
    address = whole_game(server, "base", 3, victory_points=3)
    with Page(address + "/review") as page:  # shows the progress first, then the review
        for _ in range(5):  # the computation can take longer than one wait
            with contextlib.suppress(AssertionError):
                page.wait("document.querySelector('.marked li') !== null")
                break
        assert page.run("document.querySelector('#further-0 path') !== null")
        assert page.run("document.querySelectorAll('#further-0 .signed').length") == page.run(
            "document.querySelectorAll('#moves .sign').length"
        )
        at = page.run("document.querySelector('.marked li').dataset.at")
        page.click(".marked li")
        assert page.run("location.hash") == f"#move={at}"
        shown = page.run("document.querySelector('#better').textContent")
        assert shown == page.run("document.querySelector('.marked li').textContent") and "Better:" in shown
        assert not page.errors


@pytest.mark.slow
@pytest.mark.parametrize(
    "scenario, players, rules",
    [
        ("base", 4, {"victory_points": 6}),
        ("cities_and_knights", 3, {"victory_points": 5}),
        ("seafarers_new_shores", 3, {"victory_points": 5}),
        ("troy", 4, {"victory_points": 5}),
    ],
)
def test_whole_games_of_other_scenarios(server, scenario, players, rules):
    whole_game(server, scenario, players, **rules)


VARIANT = """# quick_rolls.toml
version = 0
title = "Quick rolls"
summary = "The base game with two rolls a turn and without trade between players."

extends = "base"
without = ["base.player_trade"]
add = ["two_player.second_roll"]

[facts]
players = [3, 4]

[numbers]
victory_points = 4
rolls_per_turn = 2
"""


@pytest.mark.slow
def test_a_whole_game_of_a_variant_from_a_file(server, tmp_path):
    path = tmp_path / "quick_rolls.toml"
    path.write_text(VARIANT, "utf-8")
    whole_game(server, str(path), 3)


def begin(server, people=1):
    return server.game("base", 3, people=people, victory_points=4)


def test_two_browsers_at_one_table(server):
    _, addresses = begin(server, people=2)
    with Page(addresses[0]) as ann, Page(addresses[1]) as ben:
        pages = [Clicker(ann, 1), Clicker(ben, 2)]
        for _ in range(12):
            for clicker in pages:
                if clicker.page.run("document.body.dataset.own === 'true'"):
                    clicker.click()
            time.sleep(0.05)
        assert pages[0].clicks and pages[1].clicks
        for page in (ann, ben):
            assert not page.errors
        hands = [page.run("document.querySelectorAll('#panels .panel')[0].textContent") for page in (ann, ben)]
        assert hands[0] != hands[1]  # each player sees only their own cards


def test_a_page_continues_after_the_server_was_away(server):
    _, (address,) = begin(server)
    with Page(address) as page:
        clicker = Clicker(page)
        page.wait(IDLE)
        clicker.click()
        board = page.run("document.querySelector('#board').textContent")
        version = server.lobby.store.taken(next(server.lobby.store.games()).id)
        server.stop()
        page.wait("document.querySelector('#notice').textContent.includes('lost')")
        server.start()
        page.wait("document.querySelector('#notice').textContent === ''")
        assert page.run("document.querySelector('#board').textContent") == board
        assert server.lobby.store.taken(next(server.lobby.store.games()).id) == version
        clicker.play(OWN_ROLL)
        page.visit(address)  # as after closing the tab
        page.wait(IDLE)
        assert "dice" in page.run("document.querySelector('#headline').textContent") and not page.errors


def test_a_phone_shows_everything_within_its_width(server):
    _, (address,) = begin(server)
    with Page(address) as page:
        page.phone()
        clicker = Clicker(page)
        for _ in range(12):
            page.wait(IDLE)
            page.run(OPEN_ALL)
            assert page.run("document.documentElement.scrollWidth") <= 390
            smallest = page.run(
                "Math.min(...[...document.querySelectorAll('#actions button')].filter(e => e.offsetHeight)"
                ".map(e => e.offsetHeight), 99)"
            )
            assert smallest >= 40
            if page.run("document.body.dataset.over === 'true'"):
                break
            clicker.click()
        assert not page.errors


SPOTS = """(() => { scrollTo(0, 0); return [...document.querySelectorAll('#board .target')].map(e => {
  const b = e.querySelector('.spot, .core').getBoundingClientRect();
  return [e.dataset.place, b.x + b.width / 2, b.y + b.height / 2]; }); })()"""
LIT = "document.querySelectorAll('#board .target').length > 0"


def test_a_finger_hits_small_places(server):
    """A tap near a place selects it. A tap between two places enlarges the board, and the next tap selects one."""
    game, (address,) = server.game("seafarers_new_shores", 3)
    with Page(address) as page:
        page.phone()
        page.wait(f"({IDLE}) && {LIT}")

        def distance(one, other):
            return ((one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2) ** 0.5

        def own():
            return [one.action for one in server.lobby.store.taken(game) if one.seat == 0]

        spots, version = page.run(SPOTS), page.run("document.body.dataset.version")
        alone = max(spots, key=lambda spot: min(distance(spot, other) for other in spots if other != spot))
        page.tap_at(alone[1], alone[2] + 11)
        page.wait(f"document.body.dataset.version !== '{version}' && ({IDLE}) && {LIT}")
        version = page.run("document.body.dataset.version")
        assert len(own()) == 1
        paths = page.run(SPOTS)
        assert {path[0].split()[0] for path in paths} == {"paths"} and len(paths) >= 2
        first, second = min(
            ((one, other) for one in paths for other in paths if one < other), key=lambda pair: distance(*pair)
        )
        page.tap_at((first[1] + second[1]) / 2, (first[2] + second[2]) / 2)
        page.wait("!document.querySelector('#whole').hidden")
        assert len(own()) == 1
        large = {place: (x, y) for place, x, y in page.run(SPOTS)}
        apart = distance((0, *large[first[0]]), (0, *large[second[0]]))
        assert apart > 2 * distance(first, second) and apart > 30
        groups = server.lobby.table(game).game.choices(0)["groups"]
        place = ["paths", int(second[0].split()[1])]
        there = [option[0] for group in groups for option in group["options"] if [*(option[3] or ())] == place]
        page.tap_at(*large[second[0]])
        if len(there) > 1:  # a dialog asks for a road or a ship
            page.wait("document.querySelector('dialog[open]') !== null")
            page.click("dialog button")
        page.wait(f"document.body.dataset.version !== '{version}'")
        assert own()[1] in there
        assert page.run("document.querySelector('#whole').hidden")
        assert not page.errors


def test_the_keyboard_alone_plays(server):
    """Without the mouse, place a settlement, undo it, complete the initial placement, and roll the dice."""
    _, (address,) = begin(server)
    with Page(address) as page:

        def version():
            return int(page.run("document.body.dataset.version"))

        def press(key, changes=True):
            before = version()
            page.press(key)
            if changes:
                page.wait(f"document.body.dataset.version !== '{before}'")
                page.wait(IDLE)

        page.wait(IDLE)
        press("b", changes=False)
        for arrow in ("ArrowDown", "ArrowRight", "ArrowDown"):
            place = page.run("document.activeElement.dataset.place")
            page.press(arrow)
            assert page.run("document.activeElement.dataset.place") != place
        press("Enter")
        assert "road" in page.run("document.querySelector('#headline').textContent")
        press("u")
        assert "settlement" in page.run("document.querySelector('#headline').textContent")
        press("b", changes=False)
        press("Enter")
        assert page.run("document.activeElement.classList.contains('target')")  # the focus moves to the next decision
        for _ in range(40):
            if "dice" in page.run("document.querySelector('#headline').textContent"):
                break
            press("b", changes=False)
            press("Enter")
        press("1")
        assert page.run("document.querySelector('#recent').textContent").count("roll") and not page.errors


def test_a_trade_offer_is_composed_and_cleared_by_keys(server):
    """The parts keep their number keys, an incomplete offer cannot be confirmed, and Clear removes all parts."""
    game, (address,) = server.game("base", 3, victory_points=4)
    with Page(address) as page:
        clicker = Clicker(page)
        can_offer = "[...document.querySelectorAll('#actions button')].find(e => e.textContent.includes('trade offer'))"
        clicker.play(f"({can_offer}) !== undefined")
        page.run(f"{can_offer}.click()")
        page.wait("document.querySelector('#headline').textContent.includes('compose')")
        offers = "[...document.querySelectorAll('#actions fieldset')][0].textContent"
        before = page.run(offers), len(server.lobby.store.taken(game))
        for number in (1, 2):
            page.press("1")
            page.wait(f"document.body.dataset.plan === '{number}' || document.querySelector('#notice').textContent")
        assert page.run("document.querySelectorAll('.plan button').length") == int(
            page.run("document.body.dataset.plan")
        )
        assert page.run("document.querySelector('#send') === null")
        page.press("x")
        page.wait("document.querySelector('.plan') === null")
        assert (page.run(offers), len(server.lobby.store.taken(game))) == before and not page.errors


def test_an_offer_is_shown_beside_the_own_cards(server):
    """The panel of the player who offers is shown above the answers, on a phone as well."""
    rng = random.Random(1)
    game, addresses = server.game("base", 3, people=3)
    played = PlayedGame(server.lobby.store.game(game).settings)
    while played.engine.decision(0) != "answer_offer":
        legal = played.engine.action_mask[0].nonzero()[0].tolist()
        played.act(played.seat_to_act, [rng.choice(legal)])
    server.lobby.store.add(game, 0, played.taken)
    with Page(addresses[played.seat_to_act]) as page:
        page.phone()
        page.wait(IDLE)
        near = (
            "[...document.querySelectorAll('#own .panel')].map(e => e.querySelector('svg').getAttribute('aria-label'))"
        )
        assert page.run(near) == [f"person {played.seat_to_act}", f"person {played.seat_on_turn}"]
        assert "wants" in page.run("document.querySelector('#own').textContent")
        decline = "[...document.querySelectorAll('#actions button')].find(e => e.textContent.includes('decline'))"
        page.run(f"{decline}.click()")
        page.wait("document.body.dataset.own === 'false'")
        assert page.run(near) == [f"person {played.seat_to_act}"] and not page.errors


def test_what_happened_is_stepped_through(server):
    _, (address,) = begin(server)
    with Page(address) as page:
        Clicker(page).play(OWN_ROLL)
        now = page.run("document.querySelector('#board').innerHTML")
        page.click("#recent li button")
        page.wait("document.querySelectorAll('.target').length === 0")
        page.click("#recent .bar button:last-child")
        page.wait("document.querySelector('#recent li.now') === null")
        assert page.run("document.querySelector('#board').innerHTML") == now


def test_the_host_sets_a_table_by_clicks(server):
    with Page(server.address(f"/host/{server.lobby.store.host_key}")) as page:
        page.wait("document.querySelectorAll('#seats select').length === 4")
        page.choose("#players", "3")
        page.wait("document.querySelectorAll('#seats select').length === 3")
        for seat in (1, 2):
            page.choose(f"#who-{seat}", "heuristic")
        page.click("#start")
        page.wait("location.pathname.startsWith('/seat/') && document.readyState === 'complete'")
        page.wait(IDLE)
        assert not page.errors
