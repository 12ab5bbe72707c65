"""Transformations of the author's code, by their names; a rule says what is wrong and names one of these."""
