"""The reproducibility auditor: in two steps an agent finds and fixes what makes an experiment irreproducible."""
