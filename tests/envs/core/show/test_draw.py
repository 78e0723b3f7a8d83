"""Pictures as pixels, and what happens where nothing can make pixels."""

import sys

import gymnasium
import numpy as np
import pytest

from alehouse.envs.core.faces import SeatEnv, env
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.show.draw import NoPixels, pixels

MODE = "rgb_array"


def test_pixels_are_the_picture() -> None:
    t = Tables("connect_four", n=1)
    light, dark = pixels(t.svg(0)), pixels(t.svg(0), "dark")
    assert light.dtype == np.uint8
    assert light.shape == dark.shape
    assert light.shape[1:] == (900, 3)
    assert light.mean() > 150 > 100 > dark.mean()
    t.step([0])
    assert (pixels(t.svg(0)) != light).any()


def test_environments_return_pixels() -> None:
    pettingzoo, seat = env(game="connect_four", render_mode=MODE), SeatEnv(game="connect_four", render_mode=MODE)
    pettingzoo.reset(seed=1)
    seat.reset(seed=1)
    for frame in (pettingzoo.render(), seat.render()):
        assert frame.shape[1:] == (900, 3)
        assert frame.std() > 0


@pytest.mark.parametrize("missing", ["resvg_py", "PIL.Image"])
def test_without_pixels_there_is_one_clear_line(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(NoPixels, match=r"pip install 'alehouse\[pixels\]'") as found:
        env(game="connect_four", render_mode=MODE)
    assert "\n" not in str(found.value)
    with pytest.raises(TypeError, match="alehouse"):
        gymnasium.make("alehouse/ConnectFour-v0", render_mode=MODE)
    SeatEnv(game="connect_four").reset()


@pytest.mark.parametrize("missing", ["", "resvg_py"])
def test_stable_baselines_makes_its_environments_with_pixels_and_without(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from stable_baselines3.common.env_util import make_vec_env

    if missing:
        monkeypatch.setitem(sys.modules, missing, None)
    made = make_vec_env("alehouse/ConnectFour-v0", n_envs=1)
    assert made.reset().shape == (1, 84)
    assert made.render_mode == (None if missing else MODE)
    made.close()


def test_human_prints_words_outside_of_notebooks(capsys: pytest.CaptureFixture[str]) -> None:
    seat = SeatEnv(game="connect_four", render_mode="human", seat=0)
    seat.reset(seed=1)
    assert capsys.readouterr().out.strip() == seat.vector.tables.text(0, 0)
