"""Animations: every frame shows exactly the same as the still picture of that moment."""

import re
from xml.etree import ElementTree

import pytest
from render_helpers import played

from catan_env.errors import OptionError
from catan_env.render import animate
from catan_env.render.moves import describe_moves
from catan_env.render.page import engine_of_frames, frames_of
from catan_env.render.picture import document, ground, sheet, svg_of
from catan_env.render.view import Reading

FRAMES = 8


def visible_at(svg, frame):
    """Return the elements that are visible in a frame, in drawing order."""
    root = ElementTree.fromstring(svg)
    style = root.find("{*}style")
    steps_by_class = {
        name: sorted(
            (float(percent), state)
            for percents, state in re.findall(r"([\d.,%]+)%{opacity:([01])}", steps)
            for percent in percents.split("%,")
        )
        for name, steps in re.findall(r"@keyframes (\w+){((?:[\d.,%]+{opacity:[01]})+)}", style.text)
    }
    now = 100 * frame / FRAMES + 0.2  # key frames are rounded to a tenth of a percent
    elements = []
    for element in root:
        if steps := steps_by_class.get(element.attrib.pop("class", "")):
            visible = [state for percent, state in steps if percent <= now][-1] == "1"
            drawn = [element] if element.attrib else element  # a group without attributes exists only for its class
            elements += [ElementTree.tostring(child) for child in drawn if visible]
        elif element is not style:
            elements.append(ElementTree.tostring(element))
    return elements


@pytest.mark.parametrize(("scenario", "viewer"), [("base", None), ("base", 1), ("dice_game", None)])
def test_every_frame_is_the_picture_of_its_moment(scenario, viewer):
    players = 2 if scenario == "dice_game" else 3
    log = played(scenario, players).replay_log()
    names = [""] * players
    course, engine = frames_of(log)
    shown = [course[k] for k in sorted({round(k * (len(course) - 1) / (FRAMES - 1)) for k in range(FRAMES)})]
    reading = Reading(engine_of_frames(engine, shown), range(len(shown)))
    svg = animate(log, FRAMES, viewer=viewer).svg
    for k, frame in enumerate(shown):
        parts = sheet(reading.game(k), viewer, names, describe_moves(list(frame.moves), viewer))
        body = ground(reading.game(k).layout, names) + "".join(svg_of(part) for part in parts.values() if part.content)
        still = ElementTree.fromstring(document(body, reading.game(k).layout.height))
        assert visible_at(svg, k) == [ElementTree.tostring(element) for element in still]
    assert len({str(visible_at(svg, k)) for k in range(FRAMES)}) == FRAMES


def test_a_moving_picture_needs_no_script_and_nothing_from_elsewhere():
    svg = animate(played("base", 4).replay_log(), FRAMES).svg
    assert "<script" not in svg
    assert set(re.findall(r"https?://[^\s\"'<>]+", svg)) == {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("options", [{"frames": 1}, {"frames": 2.5}, {"seconds": 0}, {"viewer": 9}, {"names": ["one"]}])
def test_options_that_do_not_fit_are_refused(options):
    with pytest.raises(OptionError):
        animate(played("base", 4).replay_log(), **options)
