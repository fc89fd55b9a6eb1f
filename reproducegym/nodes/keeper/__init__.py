"""What runs on a node, by the node's own Python alone (3.9): it looks at it, keeps runs, their jobs and leases of GPUs.

It comes down the connection with every call, so nothing has to be installed there and no old version stays behind. The
first line of what follows it is one JSON object, the question; it answers with JSON objects, one a line.
"""
