"""What the world said, and when: the archive of captures in WARC files."""
