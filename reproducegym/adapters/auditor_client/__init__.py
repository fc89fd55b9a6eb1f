"""Players of the auditor environment from outside: a model that plays it, and a suite that examines a server."""
