"""All exceptions that this package raises on purpose.

Each message states the wrong value, the allowed values, and the fix. All classes derive from `CatanError`.
Classes about values also derive from `ValueError`, so callers can catch either.
"""


class CatanError(Exception):
    """Base class of all errors in this package."""


class UnknownScenarioError(CatanError, ValueError):
    """No scenario has this name, or no scenario file exists at this path."""


class ScenarioFileError(CatanError, ValueError):
    """A scenario file or description is invalid. The message names file, line and key."""


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
    """An action is illegal. The message names game, seat, action and reason. All games are unchanged."""


class NotStartedError(CatanError, AttributeError):
    """The attribute of an environment does not exist before `reset`."""


class GameOverError(IllegalActionError):
    """An action was passed to a finished game."""


class SnapshotError(CatanError, ValueError):
    """A snapshot is damaged or belongs to another kind of engine."""


class PositionError(CatanError, ValueError):
    """A position has the wrong form, or its facts contradict each other. The message lists what contradicts."""


class ReplayError(CatanError, ValueError):
    """A replay log is damaged or does not fit its scenario version."""


class GameImportError(CatanError, ValueError):
    """A file of another program holds no game that can be imported. The message names file, line or event."""


class MissingExtraError(CatanError, ImportError):
    """A library of an extra of this package is not installed. The message names the extra."""


class CompositionError(CatanError, ValueError):
    """Rule modules do not fit together, for example because a name is declared twice or not at all."""
