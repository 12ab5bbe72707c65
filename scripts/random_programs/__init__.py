"""Random functions and modules in TorchScript's language, and what the compiler and tslint's model say of them."""
