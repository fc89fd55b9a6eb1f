"""A model endpoint for tests: a real HTTP server on loopback that speaks all three APIs from a scripted function."""

from speaking_upstream.server import KEY, Asked, Raw, Said, Upstream, speaking

__all__ = ["KEY", "Asked", "Raw", "Said", "Upstream", "speaking"]
