"""A static model of the TorchScript compiler: reads ``ast``, imports neither rules nor libcst, and never runs code."""
