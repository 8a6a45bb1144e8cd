"""Pixels, fonts, windows, and the environments' render modes."""

import sys
import types

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RenderCollection
from render_helpers import play_on, stages

import catan_env
from catan_env import BatchEngine
from catan_env.envs import CatanEnv, CatanVectorEnv, aec_env, parallel_env
from catan_env.errors import MissingExtraError
from catan_env.render import animate, draw, pixels, window
from tools.pages.pictures import compact

pytest.importorskip("resvg_py", reason="the extra 'render' is not installed")
Image = pytest.importorskip("PIL.Image", reason="the extra 'render' is not installed")


@pytest.fixture
def picture():
    return draw(stages("base", 4)[2])


@pytest.fixture
def other_fonts(monkeypatch):
    """Yield a function that hides the fonts of matplotlib, or those of matplotlib and the system."""
    pixels.font_options.cache_clear()

    def hide(system):
        monkeypatch.setattr(pixels, "_matplotlib_fonts", lambda: None)
        if system:
            monkeypatch.setattr(pixels, "FONT_FOLDERS", ())

    yield hide
    pixels.font_options.cache_clear()


def test_pictures_become_pixels(picture, tmp_path):
    array = picture.to_array()
    assert array.dtype == np.uint8 and array.shape == (picture.height, picture.width, 3)
    assert array.flags.writeable and not np.shares_memory(array, picture.to_array())
    assert len(np.unique(array.reshape(-1, 3), axis=0)) > 500
    assert picture.to_array(400).shape[:2] == (round(picture.height / 2), 400)
    picture.save(tmp_path / "game.png", width=640)
    with Image.open(tmp_path / "game.png") as image:
        assert image.width == 640


@pytest.mark.parametrize("moving", [False, True])
def test_a_compact_document_draws_the_same_picture(moving):
    engine = stages("base", 4)[2]
    svg = (animate(engine.replay_log(), 4) if moving else draw(engine)).svg
    shorter = compact(svg)
    assert len(shorter) < 0.75 * len(svg) and shorter.count("@keyframes") == svg.count("@keyframes")
    assert np.array_equal(pixels.pixels_of(shorter, 800), pixels.pixels_of(svg, 800))


def darkness(array):
    """Return the number of dark pixels in the header."""
    return int((array[:44] < 100).sum())


@pytest.mark.parametrize("system", [False, True])
def test_text_is_drawn_whatever_fonts_there_are(picture, other_fonts, system):
    usual = darkness(picture.to_array())
    assert pixels.font_options()["font_family"] == "DejaVu Sans"
    pixels.font_options.cache_clear()
    other_fonts(system)
    if system:
        assert pixels.font_options()["font_family"] != "DejaVu Sans"
    assert darkness(picture.to_array()) > 0.5 * usual > 0


@pytest.mark.parametrize("library", ["resvg_py", "PIL.Image"])
def test_a_missing_extra_is_named(picture, monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'catan-env\[render\]'"):
        picture.to_array()
    assert picture.svg.startswith("<svg")


# -- environments ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [aec_env, parallel_env, CatanEnv])
def test_render_modes(make, monkeypatch, capsys):
    env = make("base", render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    play_on(env.unwrapped.engine, 40)
    second = env.render()
    assert first.shape == second.shape and first.dtype == np.uint8 and (first != second).any()
    assert first.shape[0] % 2 == first.shape[1] % 2 == 0, "videos need even sizes"
    text = make("base", render_mode="ansi")
    text.reset(seed=1)
    assert "Seat 0" in text.render() and "ROBBER" in text.render()
    monkeypatch.setattr(window, "has_display", lambda: False)
    human = make("base", render_mode="human")
    human.reset(seed=1)
    assert "to act" in capsys.readouterr().out and human.render() is None


def test_batches_of_environments_render_every_game():
    env = CatanVectorEnv(2, "base", render_mode="rgb_array")
    env.reset(seed=1)
    pictures = env.render()
    assert len(pictures) == 2 and pictures[0].shape == pictures[1].shape and (pictures[0] != pictures[1]).any()


def test_sb3_renders_every_game():
    pytest.importorskip("stable_baselines3")
    env = catan_env.envs.SB3VecEnv(2, "base", render_mode="rgb_array")
    env.reset()
    assert [image.shape[1:] for image in env.get_images()] == [(800, 3)] * 2


def test_gymnasium_wrappers_collect_frames():
    env = RenderCollection(gymnasium.make("catan/Base-v2", render_mode="rgb_array"))
    _, info = env.reset(seed=0)
    for _ in range(3):
        _, _, _, _, info = env.step(int(info["action_mask"].argmax()))
    frames = env.render()
    assert len(frames) == 4 and len({frame.shape for frame in frames}) == 1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_gymnasium_records_videos(tmp_path):
    pytest.importorskip("moviepy", reason="the extra 'video' is not installed")
    env = gymnasium.wrappers.RecordVideo(
        gymnasium.make("catan/Base-v2", render_mode="rgb_array"), str(tmp_path), video_length=5
    )
    _, info = env.reset(seed=0)
    for _ in range(6):
        _, _, _, _, info = env.step(int(info["action_mask"].argmax()))
    env.close()
    assert [path.stat().st_size > 5_000 for path in tmp_path.glob("*.mp4")] == [True]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("parallel", [False, True])
def test_pettingzoo_records_videos(tmp_path, parallel):
    pytest.importorskip("moviepy", reason="the extra 'video' is not installed")
    wrappers = pytest.importorskip("pettingzoo.utils.wrappers")
    name = "RecordVideoParallel" if parallel else "RecordVideo"
    if not hasattr(wrappers, name):
        pytest.skip(f"this PettingZoo has no {name}")
    make = parallel_env if parallel else aec_env
    env = getattr(wrappers, name)(make("base", 3, render_mode="rgb_array"), str(tmp_path), video_length=5)
    env.reset(seed=0)
    for _ in range(6):
        if parallel:
            env.step(dict.fromkeys(env.agents, 0))
        else:
            env.step(int(env.last()[0]["action_mask"].argmax()))
    env.close()
    assert [path.stat().st_size > 5_000 for path in tmp_path.glob("*.mp4")] == [True]


# -- windows -----------------------------------------------------------------------------------------------------


@pytest.fixture
def pygame(monkeypatch):
    """pygame with invisible windows."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame = pytest.importorskip("pygame", reason="the extra 'render' is not installed")
    monkeypatch.setattr(pygame.time, "wait", lambda milliseconds: None)
    yield pygame
    pygame.display.quit()


def test_human_mode_opens_a_window_and_lets_it_be_closed(pygame):
    env = aec_env("base", 3, render_mode="human")
    env.reset(seed=0)
    surface = pygame.display.get_surface()
    assert surface.get_size() == (800, draw(env.engine).height)
    shown = pygame.surfarray.array3d(surface).swapaxes(0, 1)
    assert np.array_equal(shown, draw(env.engine).to_array())
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    env.render()
    assert not pygame.display.get_init()
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert not pygame.display.get_init(), "a closed window stays closed, and play goes on"
    other = BatchEngine("base")
    window.show(other)
    assert pygame.display.get_init()


def test_text_stands_in_for_a_display_that_refuses(pygame, monkeypatch, capsys):
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    window.show(BatchEngine("base"))
    assert "ROBBER" in capsys.readouterr().out


def test_displays_are_found_by_their_variables(monkeypatch):
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert not window.has_display()
    monkeypatch.setenv("DISPLAY", ":0")
    assert window.has_display()


def test_human_mode_shows_the_picture_in_a_notebook(monkeypatch, capsys):
    display = pytest.importorskip("IPython.display")
    shown, shell = [], types.SimpleNamespace(kernel=object(), execution_count=1)

    class Handle:
        def update(self, picture):
            shown.append(("update", picture))

    def show_new(picture, display_id):
        shown.append(("new", picture))
        return Handle()

    monkeypatch.setattr(sys.modules["IPython"], "get_ipython", lambda: shell)
    monkeypatch.setattr(display, "display", show_new)
    env = catan_env.make("base", "aec", render_mode="human")
    env.reset(seed=0)
    env.step(int(np.flatnonzero(env.engine.action_mask[0])[0]))
    shell.execution_count = 2
    env.render()
    assert [how for how, _ in shown] == ["new", "update", "new"]
    assert all("<svg" in picture._repr_svg_() for _, picture in shown)
    assert not capsys.readouterr().out
    shell.kernel = None  # a terminal
    assert window.notebook() is None
