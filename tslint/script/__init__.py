"""The static model of the TorchScript compiler: reads ``ast``, knows neither rules nor libcst, and never runs code."""
