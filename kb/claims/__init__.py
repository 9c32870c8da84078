"""What we say, and where we read it: the claims files."""
