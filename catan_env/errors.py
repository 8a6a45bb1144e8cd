"""Every exception this package raises on purpose.

Each message says what was given, what is allowed and what to do. All of them derive from
`CatanError`; those about values also derive from `ValueError`, so a caller may catch either.
"""


class CatanError(Exception):
    """Base class of all errors raised by this package."""


class UnknownScenarioError(CatanError, ValueError):
    """There is no scenario of this name, and no scenario file at this path."""


class ScenarioFileError(CatanError, ValueError):
    """A scenario file or description does not describe a scenario. Names file, line and key."""


class PlayerCountError(CatanError, ValueError):
    """The scenario is not played by so many."""


class UnknownRuleError(CatanError, ValueError):
    """`rules=` names a number the scenario does not have."""


class RuleValueError(CatanError, ValueError):
    """`rules=` gives a number a value outside its bounds."""


class BoardError(CatanError, ValueError):
    """`board=` is not a complete, possible layout of the scenario's map."""


class OptionError(CatanError, ValueError):
    """An engine or environment option has a value that is not one of those allowed."""


class UnknownEncoderError(CatanError, ValueError):
    """No observation encoder of this name exists."""


class UnknownAgentError(CatanError, ValueError):
    """No agent of this name is installed."""


class ActionFormatError(CatanError, ValueError):
    """`step` was given actions of the wrong type, shape or range."""


class IllegalActionError(CatanError, ValueError):
    """An action is not legal now. Names game, seat, action and reason; nothing has changed."""


class NotStartedError(CatanError, AttributeError):
    """An environment was asked for something that there is from `reset` on."""


class GameOverError(IllegalActionError):
    """An action was given for a game that has ended."""


class SnapshotError(CatanError, ValueError):
    """A snapshot is damaged or was taken from another kind of engine."""


class ReplayError(CatanError, ValueError):
    """A replay log is damaged, or does not fit the scenario version it names."""


class MissingExtraError(CatanError, ImportError):
    """Something needs libraries of an extra of this package that is not installed; the message says which."""


class CompositionError(CatanError, ValueError):
    """Rule modules do not fit together: a name declared twice, or one that nobody declares."""
