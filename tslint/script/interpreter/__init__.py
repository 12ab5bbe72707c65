"""Flow-sensitive abstract interpretation of one compiled function: the counterpart of ir_emitter.cpp."""
