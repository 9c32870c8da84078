"""Claims, captures and verdicts as kb.db, and kb.db as typed rows."""
