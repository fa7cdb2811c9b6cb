"""Facts out of a person's own words."""
