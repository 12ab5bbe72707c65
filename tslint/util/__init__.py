"""Processes, files, recursion and walks over ``ast``, for all packages."""
