"""Reading and judging of many captures: one unit of work, and who runs it."""
