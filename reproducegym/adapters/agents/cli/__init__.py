"""Command-line agents: declared in `config/agents.yaml`, installed from their registries, run inside the sandbox."""
