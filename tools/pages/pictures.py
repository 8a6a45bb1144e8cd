"""SVG pictures of games for the documentation, and a game to step through."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

from catan_env.render.markup import short_name
from catan_training.evaluation.single_games import middle_of, play

PLAYER, SEED = "heuristic", 4


@cache
def game_of(scenario: str) -> dict[str, Any]:
    """Return the log of a game between heuristic agents."""
    return play([PLAYER], scenario, None, SEED, {})


def picture(scenario: str) -> str:
    """Return a picture of a game between heuristic agents, taken about two thirds of the way through."""
    from catan_env.render import draw

    log = game_of(scenario)
    return compact(draw(middle_of(log), names=log["players"]).svg)


def moving_picture(scenario: str) -> str:
    """Return an animation of the same game, from the initial placement to the end."""
    from catan_env.render import animate

    return compact(animate(game_of(scenario), frames=20).svg)


def playable_game(scenario: str) -> str:
    """Return the replay page of the same game, which the site embeds."""
    from catan_env.render import replay_page

    return replay_page(play([PLAYER], scenario, None, SEED, {}))


def compact(svg: str) -> str:
    """Return a shorter document that shows the same picture, with repeated elements defined once and reused."""
    elements = [text for text, count in Counter(_elements(svg)).items() if count > 1]
    definitions: list[str] = []
    for element in sorted(elements, key=lambda element: (-len(element), element)):
        name = short_name(len(definitions))
        use = f'<use href="#{name}"/>'
        count = sum(text.count(element) for text in (svg, *definitions))
        if (count - 1) * len(element) > count * len(use) + len(f' id="{name}"'):
            definitions = [text.replace(element, use) for text in definitions]
            definitions.append(re.sub("^<[a-z]+", rf'\g<0> id="{name}"', element))
            svg = svg.replace(element, use)
    return svg.replace(">", f"><defs>{''.join(definitions)}</defs>", 1)


def _elements(svg: str) -> list[str]:
    """Return the source text of every element of an SVG document, including its tags."""
    elements: list[str] = []
    open_tags: list[int] = []
    for tag in re.finditer("<(/?)[a-z]+[^>]*?(/?)>", svg):
        closes, is_empty = tag.groups()
        start = open_tags.pop() if closes else tag.start()
        if closes or is_empty:
            elements.append(svg[start : tag.end()])
        else:
            open_tags.append(start)
    return elements
