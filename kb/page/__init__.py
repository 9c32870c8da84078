"""A response read into blocks, or the reason why it is not the page that was asked for."""
