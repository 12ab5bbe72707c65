"""Names and callables that TorchScript does not have (TS2xx)."""
