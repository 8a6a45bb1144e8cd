"""Tables of action ids and chance outcome ids, with a sentence describing each id."""

from __future__ import annotations

from collections.abc import Mapping

from catan_env.engine.arguments import check_action
from catan_env.engine.binding import digest
from catan_env.engine.compose import Composition
from catan_env.engine.declare import Action, Draw, Size
from catan_env.errors import ActionFormatError, OptionError
from catan_env.numeric import is_integer


class ActionTable:
    """A table of `(kind, argument)` pairs, grouped by kind. The index of a pair is its id.

    Attributes:
        n: number of ids.
        kinds: names of the kinds, in order.
        kind_of, argument_of: the kind and argument of each id.
        hash: fingerprint of the layout, stored in checkpoints, snapshots and replays.
    """

    def __init__(
        self,
        composition: Composition,
        kinds: Mapping[str, Action | Draw],
        names: Mapping[str, tuple[str, ...]],
    ):
        self._kinds = dict(kinds)
        self._own_names = {name: composition.names_along(kind.over) for name, kind in kinds.items()}
        self._names = names
        self.kinds = tuple(kinds)
        self.kind_of: list[str] = []
        self.argument_of: list[int] = []
        self._extent = {name: composition.extent(kind.over) for name, kind in kinds.items()}
        for name, extent in self._extent.items():
            self.kind_of += [name] * extent
            self.argument_of += range(extent)
        self.n = len(self.kind_of)
        self._first = {name: composition.first(name) for name in kinds}
        self._ids = {self.describe(i): i for i in range(self.n)}
        self.hash = digest(
            [f"{kind} {argument}" for kind, argument in zip(self.kind_of, self.argument_of, strict=True)]
        )

    def __len__(self) -> int:
        return self.n

    def describe(self, action: int, names: Mapping[str, tuple[str, ...]] | None = None, text: str = "") -> str:
        """Return the sentence for an id.

        By default, the sentence is unique and does not depend on a game, so `parse` can read it.

        Args:
            action: an id.
            names: place names for each axis, used for the argument instead of the default names.
            text: a template to use instead of the declared text, such as `engine.custom_text`.

        Raises:
            ActionFormatError: the id does not exist.
            OptionError: names or text are invalid.
        """
        name, argument = self.pair(action)
        axis = self.axis(name)
        if not isinstance(text, str) or not (names is None or isinstance(names, Mapping)):
            raise OptionError(
                f"names is {names!r} and text is {text!r}; names must be a mapping of axes to names of places, as "
                "`engine.place_names` gives it, and text a string."
            )
        argument_texts = names[axis] if names and axis is not None and axis in names else self.argument_names(name)
        try:
            return (text or self._kinds[name].text).format(argument_texts[argument] if argument_texts else argument)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            raise OptionError(
                f"text is {text!r} and names has {argument_texts!r}; text must have one pair of braces, {{}} for the "
                "argument, and names must have an entry for each place."
            ) from None

    def parse(self, sentence: str) -> int:
        """Parse a sentence from `describe` and return its id.

        Raises:
            ActionFormatError: no id has this sentence.
        """
        if not isinstance(sentence, str) or sentence not in self._ids:
            example = f"describe(0) is {self.describe(0)!r}" if self.n else "there are no ids"
            raise ActionFormatError(f"No action has the description {sentence!r}; {example}.")
        return self._ids[sentence]

    def id(self, kind: str, argument: int | str = 0) -> int:
        """Return the id of a kind and argument. The argument is a number, or a name if the kind's arguments are named.

        Raises:
            ActionFormatError: the kind or argument does not exist.
        """
        self._check_kind(kind)
        if isinstance(argument, str):
            names = self.argument_names(kind)
            if argument not in names:
                allowed = ", ".join(names) or "numbers only"
                raise ActionFormatError(f"{kind!r} has no argument {argument!r}; allowed: {allowed}.")
            argument = names.index(argument)
        extent = self._extent[kind]
        if not is_integer(argument) or not 0 <= argument < extent:
            raise ActionFormatError(f"{kind!r} has no argument {argument!r}; allowed: 0 to {extent - 1}.")
        return self._first[kind] + int(argument)

    def pair(self, action: int) -> tuple[str, int]:
        """Return the `(kind, argument)` pair of an id."""
        action = self._checked(action)
        return self.kind_of[action], self.argument_of[action]

    def ids(self, kind: str) -> range:
        """Return all ids of one kind."""
        first = self.id(kind)
        return range(first, first + self._extent[kind])

    def needs(self, action: int) -> str:
        """Describe the condition under which an action is legal."""
        return getattr(self._kinds[self.pair(action)[0]], "needs", "")

    def argument_names(self, kind: str) -> tuple[str, ...]:
        """Return the names of a kind's arguments, or an empty tuple if they are plain numbers."""
        self._check_kind(kind)
        over = self._kinds[kind].over
        return self._own_names[kind] or (self._names.get(over.name, ()) if isinstance(over, Size) else ())

    def axis(self, kind: str) -> str | None:
        """Return the axis that the arguments of a kind index, such as "paths", or None if they have declared names."""
        self._check_kind(kind)
        over = self._kinds[kind].over
        return over.name if isinstance(over, Size) and not self._own_names[kind] else None

    def _check_kind(self, kind: str) -> None:
        if not isinstance(kind, str) or kind not in self._first:
            raise ActionFormatError(f"Unknown action kind {kind!r}; allowed: {', '.join(self.kinds)}.")

    def _checked(self, action: int) -> int:
        if not self.n:
            raise ActionFormatError(f"Unknown id {action!r}; this table is empty.")
        return check_action(action, self.n, "An id")
