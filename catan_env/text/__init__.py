"""Games as text and JSON, for language models: observations, actions, rules, and a text environment."""

from __future__ import annotations

from catan_env.text.env import TextEnv
from catan_env.text.observation import legal_actions, observation_json, observation_text, parse_action, prompt
from catan_env.text.rules_page import rules_text

__all__ = ["TextEnv", "legal_actions", "observation_json", "observation_text", "parse_action", "prompt", "rules_text"]
