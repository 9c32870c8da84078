"""The uses of kb, one for each file."""
