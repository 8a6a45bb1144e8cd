"""Where catanatron may award Longest Road otherwise than our rules do.

It does not always count a road whose end lies at an opponent's building, and after a settlement has cut a road it gives
the card to the longest road of all, even a short or tied one. Its files hold only the last holder, so a game is refused
as soon as the holder is in doubt.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from catan_training.importing.follow import FollowedGame

MINIMUM = 5
"""Length that earns the card."""


def holder_in_doubt(game: FollowedGame, seat: int, holder_before: int) -> bool:
    """Return whether catanatron may have another holder after a new road of a seat."""
    holder, lengths = int(game.state["longest_road"]), game.state["road_length"][: len(game.players)]
    if holder == seat:
        return holder_before != seat and not _leads_surely(game, seat)
    if lengths[seat] < MINIMUM:
        return False
    return holder < 0 or bool(lengths[seat] > sure_length(game, holder))


def holder_in_doubt_after_cut(game: FollowedGame, builder: int, intersection: int) -> bool:
    """Return whether a new settlement has cut a road of another seat, and catanatron may have another holder."""
    paths = [path for path in game.engine.topology.intersection_paths[intersection] if path >= 0]
    owners = [int(game.state["edge_owner"][path]) for path in paths]
    if not any(owner not in (-1, builder) and owners.count(owner) > 1 for owner in owners):
        return False
    holder = int(game.state["longest_road"])
    return holder < 0 or not _leads_surely(game, holder)


def sure_length(game: FollowedGame, seat: int) -> int:
    """Return the length of a seat's longest road without pieces that end at buildings of others."""
    owners, ends = game.state["building_owner"], game.engine.topology.path_intersections
    paths: dict[int, list[int]] = {}
    for path in np.flatnonzero(game.state["edge_owner"] == seat).tolist():
        if all(owners[end] in (-1, seat) for end in ends[path]):
            for end in ends[path].tolist():
                paths.setdefault(end, []).append(path)
    return max((_longest_from(start, paths, ends, set()) for start in paths), default=0)


def _leads_surely(game: FollowedGame, seat: int) -> bool:
    others = [int(length) for k, length in enumerate(game.state["road_length"][: len(game.players)]) if k != seat]
    return sure_length(game, seat) >= max(MINIMUM, max(others) + 1)


def _longest_from(start: int, paths: Mapping[int, list[int]], ends: np.ndarray, used: set[int]) -> int:
    """Return the length of the longest trail from an intersection over unused paths."""
    longest = 0
    for path in paths[start]:
        if path not in used:
            used.add(path)
            end = int(ends[path].sum()) - start
            longest = max(longest, 1 + _longest_from(end, paths, ends, used))
            used.remove(path)
    return longest
