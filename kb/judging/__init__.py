"""Whether a page still states a claim, and where it says so."""
