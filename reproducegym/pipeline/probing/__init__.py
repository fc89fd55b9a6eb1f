"""Extra runs whose right answer a submission cannot read anywhere."""
