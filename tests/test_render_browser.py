"""The replay page in a real browser: drawing, stepping, playing, jumping, filters and hidden cards, all offline."""

import json

import numpy as np
import pytest
from browser import Page, executable
from render_helpers import played

from catan_env.engine.replay import annotated
from catan_env.render.page import frames_of, replay_page

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(executable() is None, reason="no Chromium or Chrome is installed, so no page can be opened"),
    pytest.mark.xdist_group("browser"),
]

HOSTILE = "</script><script>document.title='taken over'</script>"


@pytest.fixture(scope="module")
def log():
    """A replay log annotated with player names and with probabilities for every decision."""
    engine = played("base", 3)
    plain = engine.replay_log()
    frames = iter(frames_of(plain)[0])
    policies = []
    for move in plain["moves"]:
        if len(move) == 3:
            policies.append(None)
            continue
        next(frames)
        policies.append([[engine.actions.id(*move), 0.75], [0, 0.25]])
    return annotated(plain, players=["ann", HOSTILE, "carl"], probabilities=policies)


@pytest.fixture(scope="module")
def page(log, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "replay.html"
    path.write_text(replay_page(log), encoding="utf-8")
    with Page(path.as_uri()) as opened:
        yield opened


@pytest.fixture(autouse=True)
def fresh(page):
    page.visit(page.address)


def at(page):
    return page.run("frame")


def text(page, selector):
    return page.run(f"document.querySelector({selector!r}).textContent")


def seen(page):
    """Return the text in the visible part of the picture."""
    return page.run(
        "[...document.querySelectorAll('#sheet text')].filter(e => e.getClientRects().length)"
        ".map(e => e.textContent).join('|')"
    )


def test_it_opens_at_the_start_without_errors_or_requests(page, log):
    assert at(page) == 0
    assert "to act: place an" in seen(page)
    assert page.run("document.title") == "Base game, 3 players"
    assert not page.errors
    assert all(address.startswith(("file:", "about:")) for address in page.requests)
    assert page.run("document.querySelectorAll('#moves li').length") == len(frames_of(log)[0]) - 1
    assert HOSTILE[:9] in text(page, "#viewer option:nth-child(3)")


def test_every_frame_is_drawn_as_the_engine_saw_it(page, log):
    frames, engine = frames_of(log)
    for number in np.linspace(0, len(frames) - 1, 12).astype(int).tolist():
        page.run(f"show({number})")
        record = frames[number].record
        assert text(page, "#slot-turn") == (f"Turn {record['turn']}" if record["turn"] else "")
        roads = page.run("[...document.querySelectorAll('[id^=slot-road-]')].filter(e => e.children.length).length")
        assert roads == (record["edge_owner"] >= 0).sum()
        for seat in range(3):
            cards = [int(text(page, f"#slot-open-{seat}-card-{seat}-{k} text:last-of-type")) for k in range(5)]
            assert cards == record["hands"][seat].tolist()


def test_stepping_and_keys(page):
    page.click("#next")
    assert at(page) == 1 and "build a settlement" in text(page, "#last-move")
    page.click("#next")
    page.click("#back")
    assert at(page) == 1
    page.click("#last")
    assert at(page) == page.run("last") and "has won" in seen(page)
    page.press("ArrowLeft")
    assert at(page) == page.run("last") - 1
    page.press("Home")
    assert at(page) == 0
    page.press("ArrowRight")
    assert at(page) == 1 and text(page, "#moves .now") is not None
    page.press("End")
    assert at(page) == page.run("last")


def test_playing(page):
    page.choose("#speed", "60")
    page.click("#play")
    page.wait("frame >= 5")
    page.click("#play")
    stopped = at(page)
    assert text(page, "#play") == "Play"
    page.run("new Promise(done => setTimeout(done, 300))")
    assert at(page) == stopped


def test_jumping(page):
    turn = page.run("data.turns[last]") // 2
    page.choose("#turn", str(turn))
    assert f"Turn {turn}" in seen(page)
    page.choose("#slider", "7")
    assert at(page) == 7
    page.click("#moves li:nth-child(20)")
    assert at(page) == 20
    left, top, width, height = page.run(
        "(() => { const chart = document.querySelector('#points'); chart.scrollIntoView({block: 'center'});"
        "const box = chart.getBoundingClientRect(); return [box.x, box.y, box.width, box.height]; })()"
    )
    page.click_at(left + 0.6 * width, top + 0.5 * height)
    assert 0.5 < at(page) / page.run("last") < 0.65
    page.visit(page.address + "#move=9&viewer=1&player=2")
    assert (at(page), page.run("viewer"), page.run("filter")) == (9, 1, 2)


def test_moves_of_one_player(page):
    page.choose("#filter", "1")
    said = page.run("[...document.querySelectorAll('#moves li')].map(e => e.lastChild.textContent)")
    assert said and all(line.startswith("Seat 1: ") for line in said)
    for _ in range(4):
        page.click("#next")
        assert text(page, "#last-move").startswith("Seat 1: ")


def test_a_seat_sees_its_own_hand_only(page, log):
    frames, _ = frames_of(log)
    stolen = next(k for k, frame in enumerate(frames) for move in frame.moves if move.privy and len(move.privy) == 2)
    thief = next(move for move in frames[stolen].moves if move.privy and len(move.privy) == 2)
    outsider = ({0, 1, 2} - thief.privy).pop()
    page.run(f"show({stolen})")
    assert thief.full_text in text(page, "#last-move")
    page.choose("#viewer", str(outsider))
    assert thief.full_text not in text(page, "#last-move") and thief.hushed in text(page, "#last-move")
    assert thief.full_text not in text(page, "#moves .now")
    drawn = "data.slots.filter((name, k) => /^PART/.test(name) && slots[k].getClientRects().length)"
    covered = drawn.replace("PART", r"closed-\d-hand")
    assert len(page.run(covered)) == 2
    shown = page.run("data.slots.filter((name, k) => /^open-\\d-card/.test(name) && slots[k].getClientRects().length)")
    assert shown == [f"open-{outsider}-card-{outsider}-{k}" for k in range(5)]
    page.choose("#viewer", "-1")
    assert page.run(covered) == []


def test_charts(page, log):
    _, engine = frames_of(log)
    final = page.run("data.points.map(([, all]) => valueAt(all, last))")
    assert final == engine.victory_points[0].tolist()
    assert page.run("document.querySelectorAll('#points path[fill=none]').length") == 6
    assert page.run("document.querySelectorAll('#production path[fill=none]').length") == 6


def test_policy(page):
    assert page.run("document.querySelector('#policy').hidden") is False
    assert "75.0%" in text(page, "#policy table") and "(taken)" in text(page, "#policy table")
    assert page.run("document.querySelector('#heat').children.length") > 0
    page.click("#heated")
    assert page.run("document.querySelector('#heat').children.length") == 0
    other = page.run("(data.toAct[0] + 1) % 3")
    page.choose("#viewer", str(other))
    assert "hidden" in text(page, "#policy")


def test_a_page_of_every_kind_of_notes_survives_json(log):
    assert replay_page(json.loads(json.dumps(log))) == replay_page(log)


@pytest.mark.parametrize("width", [390, 800, 1400])
def test_the_page_fits_and_a_phone_shows_the_panels_below_the_board(page, width):
    page.resize(width)
    try:
        page.visit(page.address)
        page.run("document.querySelector('#legend').open = true")
        for number in (0, 40, 10**6):
            page.run(f"show({number})")
            assert page.run("document.documentElement.scrollWidth") <= width
        boxes = "[...document.querySelectorAll('#sheet, #panels')].map(e => e.getBoundingClientRect())"
        below = page.run(f"(([sheet, panels]) => panels.height > 0 && panels.top >= sheet.bottom)({boxes})")
        assert below == (width == 390)
        if below:
            assert page.run(f"{boxes}[1].width") > 300
            texts = "[...document.querySelectorAll('#slot-decision, #last-move')]"
            assert max(page.run(f"{texts}.map(e => e.getBoundingClientRect().right)")) <= width
        assert not page.errors
    finally:
        page.resize(1400)


def test_the_panels_of_a_phone_hide_hands_too(page):
    page.resize(390)
    try:
        page.visit(page.address)
        page.run("(viewer = 1, look())")
        hidden = page.run("[...document.querySelectorAll('#sheet .open-0')].every(e => e.style.display === 'none')")
        own = page.run("[...document.querySelectorAll('#sheet .open-1')].every(e => e.style.display === '')")
        assert hidden and own and page.run("getComputedStyle(document.querySelector('#panels')).display") == "block"
    finally:
        page.resize(1400)


def test_a_dark_screen_gets_a_dark_page(page):
    page._call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    try:
        light = "getComputedStyle(document.querySelector('%s')).backgroundColor.match(/\\d+/g).every(x => x > 128)"
        assert not page.run(light % "body") and not page.run(light % "section") and page.run(light % "#sheet")
    finally:
        page._call("Emulation.setEmulatedMedia", features=[])
