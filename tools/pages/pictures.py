"""The pictures of games that the documentation shows, as SVG."""

from __future__ import annotations

from catan_training.evaluation.single_games import middle_of, play, policy_of

PLAYER, SEED = "heuristic", 4


def picture(scenario: str) -> str:
    """A game of the heuristic agent in its later course."""
    from catan_env.render import draw

    log = play([PLAYER], scenario, None, SEED, {})
    return draw(middle_of(log), names=log["players"]).svg


def policy_picture(scenario: str) -> str:
    """The same game with the probabilities of the weighted random agent's actions."""
    from catan_env.render import draw

    log = play([PLAYER], scenario, None, SEED, {})
    engine = middle_of(log)
    return draw(engine, names=log["players"], probabilities=policy_of("weighted", engine)).svg


def moving_picture(scenario: str) -> str:
    """The same game from its initial placement to its end, as an animation."""
    from catan_env.render import animate

    return animate(play([PLAYER], scenario, None, SEED, {}), frames=30).svg
