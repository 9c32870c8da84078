"""A small site that changes from day to day, and the tour that shows kb on it."""
