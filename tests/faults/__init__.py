"""Each dependency made to fail for real: what the admin reads, what the person reads, what is left."""
