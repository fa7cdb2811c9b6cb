"""The command line: arguments in, results on stdout, everything else on stderr, an exit code out."""
