"""Replies without a model: rules and the character's own templates, honest about being just that."""
