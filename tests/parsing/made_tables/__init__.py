"""Papers set by code, whose tables are known to the last cell: what the reading of tables is measured on."""
