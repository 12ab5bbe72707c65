"""Questions about values, asked by node and answered from source alone: how long a container is, where an index lies,
who stores an attribute. Every answer holds for all constructions and inputs, or there is none."""
