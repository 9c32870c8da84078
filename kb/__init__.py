"""kb keeps cited figures with their sources and says whether they still hold."""
