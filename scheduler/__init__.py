"""When things happen by themselves."""
