"""tslint: what TorchScript will reject or get wrong, found without running the code."""

__version__ = "0.1.0"
