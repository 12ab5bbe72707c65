"""Rules without events of the static model: findings about files and suppressions, and of ``tslint verify`` (TS9xx)."""
