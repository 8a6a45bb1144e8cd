"""Policies that other libraries have saved: Stable-Baselines3 zips and ONNX files."""
