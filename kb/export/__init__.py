"""Claims and verdicts in the forms of others: citations, tables, annotations."""
