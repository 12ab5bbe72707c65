"""What source alone says of values: which types a parameter can have, and what is given for it."""
