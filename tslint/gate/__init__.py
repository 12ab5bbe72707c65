"""``tslint gate``: selects files and targets, checks and verifies them, and reports on both."""
