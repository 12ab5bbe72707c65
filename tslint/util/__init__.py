"""What every room needs: processes, files, recursion, walks over ``ast``."""
