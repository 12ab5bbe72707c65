"""``tslint gate``: which files and targets a run is about, what came of them, and the reports on both."""
