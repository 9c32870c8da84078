"""The command line: arguments, a call into `app`, printing and an exit code."""
