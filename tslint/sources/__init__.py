"""Which files, their exact bytes in and out, and the comments that suppress findings."""
