"""Generates random functions and modules in TorchScript, and compares the verdicts of the compiler and of tslint's
static model.
"""
