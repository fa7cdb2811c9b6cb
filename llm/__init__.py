"""Adapters to language models and embedders."""
