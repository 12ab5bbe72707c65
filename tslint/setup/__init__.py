"""Taking tslint up in a project: what is there, and the files that make tslint part of it."""
