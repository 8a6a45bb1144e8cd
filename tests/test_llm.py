"""Agents that ask a language model, tested with a stand-in server on this machine."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from catan_agents import make_agent
from catan_agents.llm import LLMError
from catan_env import BatchEngine
from catan_env.errors import OptionError
from catan_training.evaluation.outside import Match, play_match
from catan_training.evaluation.single_games import play


class StandIn:
    """A server that first gives the answers in `script`, and then chooses among the legal actions listed in the prompt.

    A script entry is an HTTP status, or the text of an answer.
    """

    def __init__(self, script=()):
        self.script, self.bodies, self.keys = list(script), [], []
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                stand_in.bodies.append(body)
                stand_in.keys.append(self.headers["Authorization"])
                status, data = stand_in.answer(body, self.path)
                self.send_response(status)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, body, path):
        assert path == "/v1/chat/completions"
        entry = self.script.pop(0) if self.script else None
        if isinstance(entry, int):
            return entry, b"busy"
        text = entry
        if text is None:
            asked = next(m["content"] for m in body["messages"] if m["role"] == "user")
            ids = re.findall(r"^(\d+): ", asked.split("Legal actions:\n")[1], re.MULTILINE)
            text = f"I take {ids[len(asked) % len(ids)]}."
        usage = {"prompt_tokens": 1000, "completion_tokens": 10}
        return 200, json.dumps({"choices": [{"message": {"content": text}}], "usage": usage}).encode()


@pytest.fixture
def stand_in():
    made = []

    def start(*script):
        made.append(StandIn(script))
        return made[-1]

    yield start
    for one in made:
        one.server.shutdown()
        one.server.server_close()


def start_position():
    return BatchEngine("base", 1, 3, seed=1)


def test_it_plays_a_whole_game_against_bundled_agents(stand_in):
    server = stand_in()
    rules = {"victory_points": 3, "offers_per_turn": 0}
    log = play([f"llm:toy@{server.url}", "random", "random"], "base", 3, 2, rules)
    assert len(log["moves"]) > 50 and len(server.bodies) > 5
    system = server.bodies[0]["messages"][0]["content"]
    assert system.startswith("# Base game, 3 players") and server.bodies[0]["model"] == "toy"


def test_a_match_seats_it_against_bundled_agents(stand_in, tmp_path):
    server = stand_in()
    match = Match({"agent": f"llm:toy@{server.url}"}, "random", {}, "catan_env", games=2, points=3, seed=1)
    games = play_match(match, tmp_path)
    assert [game.seat for game in games] == [0, 1] and all(game.winner >= 0 for game in games)
    assert 5 < len(server.bodies) <= sum(game.agent_decisions for game in games)


def test_tokens_cost_and_requests_are_logged(stand_in, tmp_path, monkeypatch):
    monkeypatch.setenv("CATAN_LLM_KEY", "sesame")
    server, file = stand_in(), tmp_path / "log" / "requests.jsonl"
    agent = make_agent(f"llm:toy@{server.url}", log=file, prompt_price=2.0, completion_price=10.0)
    engine = start_position()
    for _ in range(3):
        engine.step(agent.act(engine, np.array([0])))
    usage = agent.usage
    assert (usage.requests, usage.prompt_tokens, usage.completion_tokens, usage.illegal) == (3, 3000, 30, 0)
    assert usage.cost == pytest.approx(3 * (1000 * 2 + 10 * 10) / 1e6)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(lines) == 3 and lines[-1]["usage"]["requests"] == 3 and lines[0]["answer"].startswith("I take")
    assert server.keys == ["Bearer sesame"] * 3 and "sesame" not in file.read_text()


def test_illegal_answers_are_counted_and_explained(stand_in):
    server = stand_in("I build a castle", "999999")
    agent = make_agent(f"llm:toy@{server.url}")
    engine = start_position()
    action = agent.act(engine, np.array([0]))
    assert engine.action_mask[0, action[0]] and agent.usage.illegal == 2 and agent.usage.random_actions == 0
    roles = [message["role"] for message in server.bodies[-1]["messages"]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert "names no legal action" in server.bodies[-1]["messages"][-1]["content"]


def test_after_too_many_illegal_answers_a_random_action_is_played(stand_in):
    server = stand_in(*["no"] * 4)
    agent = make_agent(f"llm:toy@{server.url}", tries=2)
    engine = start_position()
    chosen = [agent.act(engine, np.array([0]))[0] for _ in range(2)]
    assert engine.action_mask[0, chosen].all() and agent.usage.random_actions == 2 and agent.usage.illegal == 4
    server.script = ["no"] * 2
    agent.reset(0)
    assert agent.act(engine, np.array([0]))[0] == chosen[0]


def test_busy_servers_are_asked_again_and_refusals_are_not(stand_in):
    server = stand_in(503, 429)
    agent = make_agent(f"llm:toy@{server.url}", wait=0.01)
    agent.act(start_position(), np.array([0]))
    assert agent.usage.retries == 2 and agent.usage.requests == 1
    server.script = [401]
    with pytest.raises(LLMError, match="refused the request: status 401: busy"):
        agent.act(start_position(), np.array([0]))
    server.script = [500] * 3
    agent = make_agent(f"llm:toy@{server.url}", wait=0.01, retries=2)
    with pytest.raises(LLMError, match="does not answer after 3 attempts: status 500"):
        agent.act(start_position(), np.array([0]))


def test_other_answers_and_missing_addresses_are_refused(stand_in, monkeypatch):
    server = stand_in()
    server.answer = lambda body, path: (200, b'{"choices": []}')
    with pytest.raises(LLMError, match="did not answer with a chat completion"):
        make_agent(f"llm:toy@{server.url}").act(start_position(), np.array([0]))
    monkeypatch.delenv("CATAN_LLM_URL", raising=False)
    with pytest.raises(OptionError, match="set CATAN_LLM_URL"):
        make_agent("llm:toy")
    monkeypatch.setenv("CATAN_LLM_URL", server.url)
    assert make_agent("llm:toy", temperature=0.5).url == server.url
    with pytest.raises(OptionError, match="cannot be created with"):
        make_agent("llm:toy", warmth=1)
