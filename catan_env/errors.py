"""All exceptions that this package raises deliberately.

Each message states the invalid value, the allowed values and how to fix the problem. All exceptions derive from
`CatanError`; exceptions for invalid values also derive from `ValueError`, so callers can catch either.
"""


class CatanError(Exception):
    """Base class of all exceptions in this package."""


class UnknownScenarioError(CatanError, ValueError):
    """No scenario has this name, or no scenario file exists at this path."""


class ScenarioFileError(CatanError, ValueError):
    """A scenario file or description is invalid. The message gives the file, line and key."""


class PlayerCountError(CatanError, ValueError):
    """The scenario does not support this number of players."""


class UnknownRuleError(CatanError, ValueError):
    """`rules=` names a rule number that the scenario does not have."""


class RuleValueError(CatanError, ValueError):
    """`rules=` sets a rule number to a value outside its bounds."""


class BoardError(CatanError, ValueError):
    """`board=` is not a complete and valid board for the scenario."""


class OptionError(CatanError, ValueError):
    """An option of an engine or environment has an invalid value."""


class UnknownEncoderError(CatanError, ValueError):
    """No observation encoder has this name."""


class UnknownAgentError(CatanError, ValueError):
    """No installed agent has this name."""


class ActionFormatError(CatanError, ValueError):
    """`step` received actions of the wrong type, shape or range."""


class IllegalActionError(CatanError, ValueError):
    """An action is illegal. The message gives the game, seat, action and reason. No game has changed."""


class NotStartedError(CatanError, AttributeError):
    """An environment attribute that does not exist until `reset` was read too early."""


class GameOverError(IllegalActionError):
    """An action was passed to a finished game."""


class SnapshotError(CatanError, ValueError):
    """A snapshot is corrupt or belongs to a different kind of engine."""


class PositionError(CatanError, ValueError):
    """A position is malformed, or its facts contradict each other. The message lists the contradictions."""


class ReplayError(CatanError, ValueError):
    """A replay log is corrupt or does not match its scenario version."""


class GameImportError(CatanError, ValueError):
    """A file from another program contains no game that can be imported. The message gives the file, line or event."""


class MissingExtraError(CatanError, ImportError):
    """A library that belongs to one of this package's extras is not installed. The message names the extra."""


class CompositionError(CatanError, ValueError):
    """Rule modules are incompatible, for example because a name is declared twice or not at all."""
