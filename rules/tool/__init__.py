"""Rules about files, settings and suppressions of tslint itself; they have no events of the model (TS9xx)."""
