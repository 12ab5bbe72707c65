"""Output formats of ``verify``, one file each."""
