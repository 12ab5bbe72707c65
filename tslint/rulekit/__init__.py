"""What a rule is made of: its record, its match in the author's code, and the findings that it yields."""
