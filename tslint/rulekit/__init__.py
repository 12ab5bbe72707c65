"""The parts of a rule: its record, its match in the author's code, and its findings."""
