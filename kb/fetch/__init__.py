"""Asking the web politely: a source and its last capture give a new exchange, or a reason."""
