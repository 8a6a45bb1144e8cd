"""An agent that asks a language model on any server that implements the chat-completions protocol.

`make_agent("llm:MODEL@URL")` queries a model on the server at URL, such as `llm:qwen3@http://127.0.0.1:8000/v1`.
Without `@URL`, the address is taken from the environment variable `CATAN_LLM_URL`. If the server needs a key, set it in
`CATAN_LLM_KEY`.
"""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from catan_agents.streams import GameStreams
from catan_env.engine.arguments import check_count, check_number, check_option
from catan_env.errors import CatanError, IllegalActionError, OptionError
from catan_env.text.env import FORMS
from catan_env.text.observation import parse_action, prompt
from catan_env.text.rules_page import rules_text

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine

PREFIX = "llm:"
URL_VARIABLE, KEY_VARIABLE = "CATAN_LLM_URL", "CATAN_LLM_KEY"
BUSY = (408, 429, 500, 502, 503, 504)
"""HTTP statuses after which retrying the same request may succeed."""
INSTRUCTIONS = "You play a board game. Think briefly, then end your answer with the id of one legal action."


def maker_of(name: str) -> Callable[..., LLMAgent]:
    """Return the factory for an agent named "llm:MODEL" or "llm:MODEL@URL"."""
    model, _, url = name.removeprefix(PREFIX).partition("@")
    return partial(LLMAgent, model, url) if url else partial(LLMAgent, model)


class LLMError(CatanError):
    """A language model server does not respond, or responds with something other than a chat completion."""


@dataclass
class Usage:
    """An agent's requests and spending so far."""

    requests: int = 0
    """Number of requests that were answered."""
    retries: int = 0
    """Number of requests resent because the server was busy or unreachable."""
    illegal: int = 0
    """Number of answers that did not name a legal action."""
    random_actions: int = 0
    """Number of actions drawn at random after too many illegal answers."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    """Cost of the tokens, in the same unit as the agent's prices."""
    seconds: float = 0.0


class LLMAgent:
    """An agent that sends the seat's view to a language model and plays the action that the model names.

    Forced actions are played without a request. After an illegal answer, the agent sends back the reason and
    asks again.

    Args:
        model: the model's name on the server.
        url: the server's address, up to and including `/v1`; None reads the environment variable `CATAN_LLM_URL`.
        form: form of the observations, "text" or "json".
        temperature: sampling temperature of the model.
        max_tokens: maximum length of an answer, in tokens.
        tries: number of answers allowed per decision before a random legal action is played.
        retries: number of times to resend a request that fails because the server is busy or unreachable.
        wait: seconds to wait before the first retry; the wait doubles with every retry after that.
        timeout: seconds to wait for an answer.
        prompt_price, completion_price: price per million tokens, for `usage.cost`.
        log: file to which every request is appended as a line of JSON; None for no log.
        seed: seed for the random actions, and for the model if the server supports it.

    Attributes:
        usage: requests, tokens and cost so far.

    Raises:
        OptionError: an option is invalid, or no address is known.
    """

    def __init__(  # noqa: PLR0913 (options, given by name)
        self,
        model: str,
        url: str | None = None,
        form: str = "text",
        temperature: float = 0.0,
        max_tokens: int = 1024,
        tries: int = 3,
        retries: int = 4,
        wait: float = 1.0,
        timeout: float = 120.0,
        prompt_price: float = 0.0,
        completion_price: float = 0.0,
        log: str | Path | None = None,
        seed: int = 0,
    ):
        check_option("form", form, FORMS)
        for name, count, least in (("max_tokens", max_tokens, 1), ("tries", tries, 1), ("retries", retries, 0)):
            check_count(name, count, least)
        prices = (("prompt_price", prompt_price), ("completion_price", completion_price))
        for name, number in (("temperature", temperature), ("wait", wait), ("timeout", timeout), *prices):
            check_number(name, number)
        url = url or os.environ.get(URL_VARIABLE)
        if not isinstance(url, str) or not url.startswith(("http://", "https://")):
            raise OptionError(
                f"The language model {model!r} has no address: url is {url!r}. Give llm:{model}@http://HOST:PORT/v1, "
                f"or set {URL_VARIABLE}."
            )
        self.name, self.model, self.url = f"llm:{model}", model, url.rstrip("/")
        self.form, self.temperature, self.max_tokens = form, float(temperature), int(max_tokens)
        self.tries, self.retries, self.wait, self.timeout = int(tries), int(retries), float(wait), float(timeout)
        self.prices = float(prompt_price), float(completion_price)
        self.log = None if log is None else Path(log)
        self.usage = Usage()
        self._rules: dict[tuple[str, int], str] = {}
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed both the random actions and the requests."""
        self._seed, self._streams = int(seed), GameStreams(seed)

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """See `Agent.act`.

        Raises:
            LLMError: the server does not respond, or responds with something other than a chat completion.
        """
        return np.array([self._choose(engine, int(game)) for game in games], np.int64)

    def _choose(self, engine: BatchEngine, game: int) -> int:
        legal = np.flatnonzero(engine.action_mask[game])
        if len(legal) == 1:
            return int(legal[0])
        messages = [
            {"role": "system", "content": f"{self._rules_of(engine)}\n{INSTRUCTIONS}"},
            {"role": "user", "content": f"You are seat {engine.seat_to_act[game]}.\n{prompt(engine, game, self.form)}"},
        ]
        for _ in range(self.tries):
            answer = self._ask(messages)
            try:
                return parse_action(engine, game, answer)
            except IllegalActionError as refusal:
                self.usage.illegal += 1
                messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": str(refusal)}]
        self.usage.random_actions += 1
        return int(legal[int(self._streams.uniform(np.array([game]))[0] * len(legal))])

    def _rules_of(self, engine: BatchEngine) -> str:
        key = engine.scenario.reference, engine.num_players
        if key not in self._rules:
            self._rules[key] = rules_text(*key)
        return self._rules[key]

    def _ask(self, messages: list[dict[str, str]]) -> str:
        """Return the model's answer to a conversation, and add its tokens to the usage."""
        options = {"temperature": self.temperature, "max_tokens": self.max_tokens, "seed": self._seed}
        body = {"model": self.model, "messages": messages, **options}
        start = time.perf_counter()
        reply = self._post(json.dumps(body).encode())
        seconds = time.perf_counter() - start
        try:
            answer = str(reply["choices"][0]["message"]["content"] or "")
            spent = reply.get("usage") or {}
            tokens = int(spent.get("prompt_tokens", 0)), int(spent.get("completion_tokens", 0))
        except (KeyError, IndexError, TypeError, ValueError, AttributeError):
            raise LLMError(f"{self.url} did not answer with a chat completion: {str(reply)[:200]}") from None
        usage = self.usage
        usage.requests, usage.seconds = usage.requests + 1, usage.seconds + seconds
        usage.prompt_tokens, usage.completion_tokens = (
            usage.prompt_tokens + tokens[0],
            usage.completion_tokens + tokens[1],
        )
        usage.cost += (tokens[0] * self.prices[0] + tokens[1] * self.prices[1]) / 1e6
        if self.log is not None:
            self.log.parent.mkdir(parents=True, exist_ok=True)
            with self.log.open("a", encoding="utf-8") as file:
                line = {"messages": messages, "answer": answer, "seconds": round(seconds, 3), "usage": asdict(usage)}
                file.write(json.dumps(line) + "\n")
        return answer

    def _post(self, body: bytes) -> Any:
        """Send a request, retrying while the server is busy, and return the parsed reply."""
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get(KEY_VARIABLE):
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(f"{self.url}/chat/completions", body, headers)
        for attempt in range(self.retries + 1):
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as response:
                    return json.loads(response.read())
            except urllib.error.HTTPError as error:
                reason = f"status {error.code}: {error.read(200).decode(errors='replace')}"
                if error.code not in BUSY:
                    raise LLMError(f"{self.url} refused the request: {reason}") from None
            except (OSError, ValueError) as error:
                reason = str(error)
            if attempt < self.retries:
                self.usage.retries += 1
                time.sleep(self.wait * 2**attempt)
        raise LLMError(f"{self.url} does not answer after {self.retries + 1} attempts: {reason}")
