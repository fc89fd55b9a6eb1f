"""The auditor environment behind HTTP and WebSocket, as OpenEnv clients and plain HTTP clients speak to it."""
