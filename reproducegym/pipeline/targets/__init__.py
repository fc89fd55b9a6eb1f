"""From found numbers to targets: terms, derived values, tolerances, curves, the layout of a metrics table."""
