"""Rules, one file each; installed as tslint.rules."""
