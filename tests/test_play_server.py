"""The game server: links, rejected messages, and games that survive a restart."""

import asyncio
import io
import json
import random
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from catan_env.errors import CatanError, OptionError
from catan_training.cli import main, make_parser
from catan_training.cli.play import new_game
from catan_training.datasets.dataset import Dataset
from catan_training.datasets.plan import DatasetPlan
from catan_training.datasets.recorded import RecordedGame, write_recorded
from catan_training.evaluation.fixtures import Entrant
from catan_training.play.game import GameSettings, Taken
from catan_training.play.lobby import IDLE, Lobby
from catan_training.play.messages import BURST, Allowance, MessageError, read_message
from catan_training.play.results import by_scenario
from catan_training.play.review import Reviewer
from catan_training.play.seats import agent, person
from catan_training.play.server import make_app
from catan_training.play.store import Store

pytestmark = pytest.mark.xdist_group("base")

LOCAL = "http://127.0.0.1"


@pytest.fixture
def lobby(tmp_path):
    return Lobby(Store(tmp_path / "games.sqlite"), pace=0.0)


@pytest.fixture
def client(lobby):
    with TestClient(make_app(lobby), base_url=LOCAL) as opened:
        yield opened


def table_of(lobby, sitters=None, seed=5):
    """Create a game, by default for four people. Return its id and the links by seat."""
    sitters = sitters or [person(name, seat) for seat, name in enumerate(("ann", "ben", "cleo", "dora"))]
    game = lobby.create(GameSettings("base", len(sitters), seed), sitters)
    return game, lobby.store.links(game)


class Browser:
    """The messages that one page sends and receives."""

    def __init__(self, socket):
        self.socket = socket
        self.hello = socket.receive_json()
        self.state = self.next("state")

    def next(self, kind):
        while True:
            message = self.socket.receive_json()
            if message["type"] == kind:
                return message

    def send(self, **message):
        self.socket.send_text(json.dumps(message))

    def first(self):
        return self.state["choices"]["groups"][0]["options"][0][0]


def open_page(client, link):
    return client.websocket_connect(f"/seat/{link}/messages", headers={"host": "127.0.0.1"})


def seat_to_act(lobby, game):
    return lobby.table(game).game.seat_to_act


def test_people_at_two_pages_play_and_spectators_watch(client, lobby):
    game, links = table_of(lobby)
    seat = seat_to_act(lobby, game)
    pages = [open_page(client, links[one]) for one in (seat, (seat + 1) % 4, -1)]
    with pages[0] as first, pages[1] as second, pages[2] as third:
        ann, ben, spectator = Browser(first), Browser(second), Browser(third)
        assert ann.state["choices"] and ben.state["choices"] is None and spectator.state["choices"] is None
        assert ann.hello["seat"] == seat and spectator.hello["seat"] == -1
        ann.send(type="act", version=ann.state["version"], actions=[ann.first()])
        seen = ben.next("state")
        while seen["version"] == 0:
            seen = ben.next("state")
        assert "board" in seen["regions"] and seen["turn"] == seat
        spectator.send(type="act", version=1, actions=[0])
        assert "Spectators" in spectator.next("refused")["why"]
        ben.send(type="act", version=seen["version"], actions=[0])
        assert "to act" in ben.next("refused")["why"]


def test_a_game_continues_after_the_server_has_restarted(tmp_path):
    path = tmp_path / "games.sqlite"
    first = Lobby(Store(path), pace=0.0)
    game, links = table_of(first)
    seat = seat_to_act(first, game)
    with TestClient(make_app(first), base_url=LOCAL) as client, open_page(client, links[seat]) as socket:
        page = Browser(socket)
        page.send(type="act", version=0, actions=[page.first()])
        state = page.next("state")
        while state["version"] == 0:
            state = page.next("state")
        saved = first.table(game).game.engine.save()
    second = Lobby(Store(path), pace=0.0)
    assert second.store.links(game) == links
    assert second.table(game).game.engine.save() == saved
    with TestClient(make_app(second), base_url=LOCAL) as client, open_page(client, links[seat]) as socket:
        page = Browser(socket)
        assert page.state["undo"] == 1
        page.send(type="undo", version=page.state["version"])
        while page.next("state")["undo"]:
            pass
        assert second.store.taken(game) == []


def test_agents_play_to_the_end_and_the_game_is_kept(client, lobby):
    settings = GameSettings("base", 3, 2, {"victory_points": 3})
    game = lobby.create(settings, [agent("heuristic", {}) for _ in range(3)])
    with open_page(client, lobby.store.links(game)[-1]) as socket:
        page = Browser(socket)
        state = page.state
        while state["result"] is None:
            state = page.next("state")
    assert max(state["result"]["points"]) >= 3
    stored = lobby.store.game(game)
    assert stored.result == state["result"]
    assert lobby.store.log(game)["players"] == ["heuristic"] * 3
    key = lobby.store.host_key
    assert client.get(f"/host/{key}/replay/{game}").status_code == 200
    assert client.get(f"/host/{key}/log/{game}").json()["scenario"] == "base"


def finished_game(client, lobby):
    """Let the server play a short game of agents to its end. Return its id and links."""
    rules = {"victory_points": 3, "offers_per_turn": 0}
    game = lobby.create(GameSettings("base", 3, 3, rules), [agent("heuristic", {})] * 3)
    links = lobby.store.links(game)
    with open_page(client, links[-1]) as socket:
        watching = Browser(socket)
        while watching.state["result"] is None:
            watching.state = watching.next("state")
    return game, links


def test_the_same_players_play_again(client, lobby):
    ann, ben = person("ann", 0), agent("heuristic", {})
    game = lobby.create(GameSettings("base", 3, 2, {"victory_points": 2}), [ann, ben, ben])
    links = lobby.store.links(game)
    assert "not over" in client.post(f"/seat/{links[0]}/again").json()["error"]
    with open_page(client, links[0]) as socket, open_page(client, links[-1]) as watching:
        page, spectator = Browser(socket), Browser(watching)
        while not page.state["result"]:
            if page.state["choices"]:
                page.send(type="act", version=page.state["version"], actions=[page.first()])
            page.state = page.next("state")
        assert page.state["next"] is None
        assert "Only the players" in client.post(f"/seat/{links[-1]}/again").json()["error"]
        assert "Only the players" in client.post("/seat/nobody/again").json()["error"]
        foreign = client.post(f"/seat/{links[0]}/again", headers={"origin": "http://elsewhere"})
        assert "Only the players" in foreign.json()["error"]
        made = client.post(f"/seat/{links[0]}/again").json()["link"]
        assert client.post(f"/seat/{links[0]}/again").json()["link"] == made  # only one next game is created
        while not spectator.state["next"]:
            spectator.state = spectator.next("state")
    following, seat = lobby.store.game_of(made.rpartition("/")[2])
    assert following != game and seat == 0
    assert lobby.store.game_of(spectator.state["next"].rpartition("/")[2]) == (following, -1)
    before, after = lobby.store.game(game), lobby.store.game(following)
    assert after.sitters == before.sitters and after.settings.rules == before.settings.rules
    assert after.settings.seed != before.settings.seed and after.result is None


def test_agents_alone_play_again_when_a_spectator_asks(client, lobby):
    game = lobby.create(GameSettings("base", 3, 2, {"victory_points": 2}), [agent("heuristic", {})] * 3)
    link = lobby.store.links(game)[-1]
    with open_page(client, link) as socket:
        page = Browser(socket)
        while not page.state["result"]:
            page.state = page.next("state")
    made = client.post(f"/seat/{link}/again").json()["link"]
    assert lobby.store.game_of(made.rpartition("/")[2])[1] == -1


def test_a_finished_game_is_reviewed_by_another_process(client, lobby):
    game, links = finished_game(client, lobby)
    other, _ = table_of(lobby)
    for path in (f"/seat/{links[-1]}/review", f"/host/{lobby.store.host_key}/review/{game}"):
        while not (state := client.get(f"{path}/progress").json())["ready"]:
            assert not state["error"] and state["done"] <= state["total"]
            assert "progress" in client.get(path).text  # the server still answers requests
            assert client.get(f"/host/{lobby.store.host_key}/games").status_code == 200
            time.sleep(0.05)
        page = client.get(path).text
        assert "Chance to win (" in page and "Moves that cost most" in page
    for refused in (f"/host/{lobby.store.host_key}/review/{other}", "/seat/nobody/review", "/host/nobody/review/x"):
        assert client.get(refused).status_code == 400


def test_finished_games_become_datasets(client, lobby, tmp_path, capsys):
    games = [finished_game(client, lobby)[0] for _ in range(2)]
    lobby.store._base.execute('UPDATE games SET seats = replace(seats, \'"agent": "heuristic"\', \'"agent": ""\')')
    table_of(lobby)  # unfinished games are left out
    assert main(["play", "--games", str(lobby.store.path), "--dataset", str(tmp_path / "data")]) == 0
    dataset = Dataset(tmp_path / "data" / "base-3")
    assert "2 games" in capsys.readouterr().out and dataset.games_done == 2
    assert [one.to_dict() for one in dataset.plan.agents] == [{"agent": "human", "label": "heuristic"}]
    for number, game in enumerate(games):
        log, again = lobby.store.log(game), dataset.replay_log(number)  # the stored log has notes as well
        assert {**again, "checksum": ""} == {**{name: log[name] for name in again}, "checksum": ""}
    (batch,) = dataset.batches(10**6)
    assert batch["mask"][np.arange(len(batch["action"])), batch["action"]].all()
    assert (batch["mask"].sum(axis=1) > 1).all() and (batch["agent"] == 0).all()
    winners = dataset.scan("games").collect()["winners"]
    won = [seat in winners[game] for game, seat in zip(batch["game"].tolist(), batch["seat"].tolist(), strict=True)]
    assert (batch["return"] == np.where(won, 1, -1)).all()
    assert main(["play", "--games", str(lobby.store.path), "--dataset", str(tmp_path / "data")]) == 2
    assert "holds a dataset already" in capsys.readouterr().err
    key = lobby.store.host_key
    for path, number in ((f"/host/{key}/dataset/{games[0]}", 1), (f"/host/{key}/dataset", 2)):
        with zipfile.ZipFile(io.BytesIO(client.get(path).content)) as archive:
            archive.extractall(tmp_path / str(number))
        assert Dataset(tmp_path / str(number) / "base-3").games_done == number
    assert client.get(f"/host/{key}/dataset/nothing").status_code == 400
    with zipfile.ZipFile(io.BytesIO(client.get(f"/host/{key}/logs").content)) as archive:
        assert set(archive.namelist()) == {f"{game}.json" for game in games}
        assert json.loads(archive.read(f"{games[0]}.json")) == lobby.store.log(games[0])


def test_recorded_decisions_are_those_of_a_generated_dataset(tmp_path):
    """A dataset rebuilt from the replay logs of a generated dataset has the same rows."""
    agents = tuple(map(Entrant.read, ("heuristic", "random", "weighted")))
    plan = DatasetPlan(agents, players=3, games=2, rules={"victory_points": 3})
    made = Dataset.begin(tmp_path / "made", plan)
    made.run(1)
    seating = [[plan.agents[(seat + game) % 3] for seat in range(3)] for game in range(2)]
    games = [RecordedGame(made.replay_log(game), seating[game]) for game in range(2)]
    (again,) = write_recorded(tmp_path / "again", games)
    ignored = ["agent", "log_probability", "values"]
    assert again.table("decisions", 0).drop(ignored).equals(made.table("decisions", 0).drop(ignored))
    assert again.table("games", 0).equals(made.table("games", 0))
    assert [again.plan.agents[k].label for k in again.table("decisions", 0)["agent"]] == [
        plan.agents[k].label for k in made.table("decisions", 0)["agent"]
    ]
    with pytest.raises(OptionError, match="played elsewhere"):
        again.run(1)


def test_a_review_that_fails_says_why_and_is_tried_again():
    async def run():
        reviewer = Reviewer()
        for _ in range(2):
            review = reviewer.review("game", {"format": "none"}, again=True)
            while review.is_running:
                await asyncio.sleep(0.02)
            assert "Not a replay log" in review.error
            assert reviewer.review("game", {}) is review  # reading its progress does not restart it
        stopped = reviewer.review("other", {})
        await reviewer.close()
        assert "stopped" in stopped.error

    asyncio.run(run())


def test_an_agent_that_fails_is_named_and_the_game_waits(client, lobby, monkeypatch):
    game, links = table_of(lobby, [agent("random", {})] * 4)
    monkeypatch.setattr("catan_training.play.table.Table._choose", lambda self, seat: 10**6)
    with open_page(client, links[-1]) as socket:
        page = Browser(socket)
        state = page.state
        while "cannot" not in state["trouble"]:
            state = page.next("state")
    assert "cannot go on" in state["trouble"] and state["version"] == 0


def test_a_page_that_is_not_the_hosts_gets_nothing(client, lobby):
    assert client.get("/host/wrong/scenarios").status_code == 400
    assert client.get("/seat/wrong").status_code == 404
    assert client.get("/page/..%2fserver.py").status_code == 404
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400
    key = lobby.store.host_key
    foreign = client.post(f"/host/{key}/games", headers={"origin": "http://evil.example"}, json={})
    assert foreign.status_code == 400 and "another site" in foreign.json()["error"]
    with pytest.raises(WebSocketDisconnect), open_page(client, "wrong") as socket:
        socket.receive_json()


def request(**changes):
    seats = [{"name": "ann"}, {"agent": "heuristic", "options": {}}, {"agent": "random"}]
    return {"scenario": "base", "players": 3, "seats": seats, "rules": {}, "board": None, "seed": 1, **changes}


def test_a_host_sets_a_table(client, lobby):
    key = lobby.store.host_key
    assert {one["name"] for one in client.get(f"/host/{key}/scenarios").json()} >= {"base", "troy", "dice_game"}
    details = client.get(f"/host/{key}/scenario/base?players=4").json()
    assert "base-value" in details["agents"] and "human" not in details["agents"] and "beginner" in details["boards"]
    made = client.post(f"/host/{key}/games", json=request(board="beginner", rules={"victory_points": 5}))
    assert made.status_code == 200 and set(made.json()["links"]) == {"0", "-1"}
    assert [sitter.name for sitter in lobby.store.game(made.json()["id"]).sitters] == ["ann", "heuristic", "random"]


@pytest.mark.parametrize(
    "changes",
    [
        {"scenario": "/etc/passwd"},
        {"scenario": "../base.toml"},
        {"players": 9},
        {"players": True},
        {"seats": []},
        {"seats": [{"agent": "human"}] * 3},
        {"seats": [{"agent": "/tmp"}] * 3},
        {"seats": [{"agent": "greedy", "options": {"weights": "/etc/passwd"}}] * 3},
        {"seats": [{"agent": "greedy", "options": {"worlds": -1}}] * 3},
        {"seats": ["ann"] * 3},
        {"rules": {"no_rule": 1}},
        {"rules": {"victory_points": 10**9}},
        {"board": "/etc/passwd"},
        {"seed": -1},
        {"seed": 1.5},
    ],
    ids=str,
)
def test_requests_for_impossible_games_are_refused(client, lobby, changes):
    answer = client.post(f"/host/{lobby.store.host_key}/games", json=request(**changes))
    assert answer.status_code == 400 and answer.json()["error"]
    assert list(lobby.store.games()) == []


def test_a_file_that_is_no_database_of_games_is_refused(tmp_path):
    path = tmp_path / "games.sqlite"
    path.write_text("not a database, but long enough to be read as the head of one" * 20)
    with pytest.raises(CatanError, match="not a database of games"):
        Store(path)


def test_threads_write_to_the_database_one_after_another(tmp_path, request):
    """The server stores new games in one thread and the moves of running games in another."""
    store = Store(tmp_path / "games.sqlite")
    settings, sitters = GameSettings("base", 3, 1), [person("", seat) for seat in range(3)]
    game = store.create(settings, sitters, "layout")
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    request.addfinalizer(lambda: sys.setswitchinterval(interval))
    with ThreadPoolExecutor() as threads:
        created = threads.submit(lambda: [store.create(settings, sitters, "layout") for _ in range(300)])
        for number in range(300):
            store.add(game, number, [Taken(0, number, True)])
        assert len(created.result()) == 300
    assert [taken.action for taken in store.taken(game)] == [*range(300)]
    assert len(list(store.games())) == 301


def test_the_last_action_is_stored_with_the_result_or_not_at_all(tmp_path):
    store = Store(tmp_path / "games.sqlite")
    game = store.create(GameSettings("base", 2, 1), [person("", seat) for seat in range(2)], "layout")
    with pytest.raises(TypeError, match="JSON"):
        store.add(game, 0, [Taken(0, 1, True)], ({"winners": object()}, {}))
    assert store.taken(game) == [] and store.game(game).result is None
    store.add(game, 0, [Taken(0, 1, True)], ({"winners": [0]}, {"moves": []}))
    assert len(store.taken(game)) == 1 and store.game(game).result == {"winners": [0]}


def test_a_table_leaves_memory_ten_minutes_after_its_last_page(lobby, monkeypatch):
    async def shown_for_an_hour():
        now = time.monotonic()
        monkeypatch.setattr(time, "monotonic", lambda: now)
        game, other = (table_of(lobby)[0] for _ in range(2))
        table = lobby.table(game)
        view = table.join(0)
        now += 3600
        lobby.table(other)
        assert lobby.table(game) is table  # a page shows it
        table.leave(view)
        await asyncio.sleep(0)  # let the agents' task end; no agent has to act
        now += IDLE - 1
        lobby.table(table_of(lobby)[0])
        assert lobby.table(game) is table
        now += 2
        lobby.table(table_of(lobby)[0])
        assert lobby.table(game) is not table

    asyncio.run(shown_for_an_hour())


def malformed(rng, state):
    """Return a message that no page sends: damaged, malformed, late or illegal."""
    legal = {option[0] for group in state["choices"]["groups"] for option in group["options"]}
    illegal = rng.choice([k for k in range(300) if k not in legal])
    version = state["version"]
    good = {"type": "act", "version": version, "actions": [min(legal)]}
    text = json.dumps(good)
    place = rng.randrange(len(text))
    return rng.choice(
        [
            text[:place],
            text[:place] + rng.choice("{}[]\"',:\0\n\\x") + text[place + 1 :] + "}",
            "[" * rng.randrange(1, 500),
            json.dumps({**good, "version": version + rng.randrange(1, 9)}),
            json.dumps({**good, "version": str(version)}),
            json.dumps({**good, "actions": [illegal]}),
            json.dumps({**good, "actions": [min(legal), illegal]}),
            json.dumps({**good, "actions": [rng.randrange(-(2**70), -1)]}),
            json.dumps({**good, "actions": rng.choice([[], [[]], [None], [1.5], [True], "1", {}, None, 1])}),
            json.dumps({**good, "type": rng.choice(["", "ACT", "reset", "act\0", None, 7, [], {}])}),
            json.dumps({**good, "seat": 1}),
            json.dumps({key: good[key] for key in rng.sample(sorted(good), 2)}),
            json.dumps({"type": "undo", "version": version}),
            json.dumps({"type": "think", "version": version, "agent": rng.choice(["/etc/passwd", "human", "", "\0"])}),
            json.dumps(rng.choice([None, 1, "act", [good], True])),
            "x" * rng.randrange(4097, 6000),
        ]
    )


def test_fuzzed_messages_are_refused_and_leave_the_game_as_it_was(client, lobby, monkeypatch):
    """The server rejects each of 1000 damaged, malformed, late or illegal messages with a reason."""
    monkeypatch.setattr("catan_training.play.messages.PER_SECOND", 1e9)
    monkeypatch.setattr("catan_training.play.server.MOST_REFUSED", 10**6)
    game, links = table_of(lobby)
    rng, refused = random.Random(1), 0
    with open_page(client, links[seat_to_act(lobby, game)]) as socket:
        page = Browser(socket)
        before = lobby.table(game).game.engine.save(), lobby.table(game).game.version
        for _ in range(1000):
            socket.send_text(malformed(rng, page.state))
            answer = socket.receive_json()
            assert answer["type"] == "refused" and answer["why"], answer
            refused += 1
        assert (lobby.table(game).game.engine.save(), lobby.table(game).game.version) == before
        assert refused == 1000 and lobby.store.taken(game) == []
        page.send(type="act", version=page.state["version"], actions=[page.first()])
        assert page.next("state")["version"] == 1


def test_a_message_that_is_sent_twice_counts_once(client, lobby):
    game, links = table_of(lobby)
    with open_page(client, links[seat_to_act(lobby, game)]) as socket:
        page = Browser(socket)
        for _ in range(2):
            page.send(type="act", version=0, actions=[page.first()])
        assert "The game has moved on." in page.next("refused")["why"]
    assert len(lobby.store.taken(game)) == 1


def test_messages_come_no_faster_than_allowed():
    now = [0.0]
    allowance = Allowance(lambda: now[0])
    for _ in range(int(BURST)):
        allowance.spend()
    with pytest.raises(MessageError, match="Too many"):
        allowance.spend()
    now[0] = 1.0
    allowance.spend()


def test_a_connection_that_sends_only_nonsense_is_closed(client, lobby, monkeypatch):
    monkeypatch.setattr("catan_training.play.server.MOST_REFUSED", 5)
    _, links = table_of(lobby)
    with open_page(client, links[0]) as socket, pytest.raises(WebSocketDisconnect):
        for _ in range(50):
            socket.send_text("nonsense")
            socket.receive_json()


def test_a_message_is_read_as_it_was_written():
    message = read_message('{"type": "act", "version": 3, "actions": [1, 2]}')
    assert (message.type, message.version, message.actions) == ("act", 3, (1, 2))


def finish(store, names, points, winner):
    sitters = [person(name, seat) for seat, name in enumerate(names)]
    game = store.create(GameSettings("base", len(names), 1), sitters, "layout")
    store.add(game, 0, [], ({"winners": [winner], "points": points, "truncated": False}, {"moves": []}))


def test_people_and_agents_are_rated_together(tmp_path, capsys):
    path = tmp_path / "games.sqlite"
    store = Store(path)
    for number in range(12):
        finish(store, ("ann", "ben", "greedy"), [10, 7 + number % 2, 5], 0)
    store.create(GameSettings("base", 3, 1), [person("ann", 0)] * 3, "layout")
    (games,) = by_scenario(store.games()).values()
    heading, *rows = games.rows()
    assert [row[:3] for row in rows] == [("ann", "12", "100.0%"), ("ben", "12", "0.0%"), ("greedy", "12", "0.0%")]
    assert float(rows[0][3]) > 25 > float(rows[2][3]) and " to " in rows[0][4]
    store.close()
    assert main(["play", "--games", str(path), "--results", "--export", str(tmp_path / "logs")]) == 0
    assert "base, 3 players, 12 games" in capsys.readouterr().out
    assert len(list((tmp_path / "logs").glob("*.json"))) == 12


@pytest.mark.parametrize(
    "words, sitting",
    [
        ("base --agents random", ["you", "random", "random", "random"]),
        ("base --players 3 --people ann ben --agents greedy:worlds=2", ["ann", "ben", "greedy:worlds=2"]),
        ("base --watch --players 2 --agents random heuristic", ["random", "heuristic"]),
    ],
)
def test_the_command_line_sets_a_table(words, sitting):
    settings, sitters = new_game(make_parser().parse_args(["play", *words.split()]))
    assert [sitter.name for sitter in sitters] == sitting and settings.players == len(sitting)


@pytest.mark.parametrize("words", ["base --people a b c d e", "base --agents random random", "base --agents human"])
def test_the_command_line_names_what_does_not_fit(words, tmp_path, capsys):
    assert main(["play", *words.split(), "--games", str(tmp_path / "games.sqlite"), "--no-open"]) == 2
    assert capsys.readouterr().err.startswith("catan play: ")
