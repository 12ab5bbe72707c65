"""Sets up tslint in a project: surveys the project, and writes the files."""
