from .se import SEBlock
