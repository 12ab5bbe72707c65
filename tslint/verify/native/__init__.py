"""A C++ program that loads an archive and runs it: its source (``main.cpp``, ``CMakeLists.txt``) and its build."""
