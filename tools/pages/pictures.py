"""Pictures of games for the documentation, as SVG."""

from __future__ import annotations

from catan_training.evaluation.single_games import middle_of, play, policy_of

PLAYER, SEED = "heuristic", 4


def picture(scenario: str) -> str:
    """Return a picture of a heuristic agents' game, at about two thirds of its length."""
    from catan_env.render import draw

    log = play([PLAYER], scenario, None, SEED, {})
    return draw(middle_of(log), names=log["players"]).svg


def policy_picture(scenario: str) -> str:
    """Return the same picture with the probabilities of the `weighted` agent's actions."""
    from catan_env.render import draw

    log = play([PLAYER], scenario, None, SEED, {})
    engine = middle_of(log)
    return draw(engine, names=log["players"], probabilities=policy_of("weighted", engine)).svg


def moving_picture(scenario: str) -> str:
    """Return an animation of the same game from initial placement to the end."""
    from catan_env.render import animate

    return animate(play([PLAYER], scenario, None, SEED, {}), frames=30).svg
