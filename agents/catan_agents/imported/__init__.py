"""Policies saved by other libraries, as Stable-Baselines3 zip files or ONNX files."""
