"""The drift report: rows to one document, one file for each format."""
