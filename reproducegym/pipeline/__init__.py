"""The five stages: parse, extract, spec, task, run. Each room says on its first line what it is for."""
