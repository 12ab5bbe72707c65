"""Generates random functions and modules in TorchScript, and compares the verdicts of the compiler and tslint's
model.
"""
