"""Repositories on GitHub or a GitHub Enterprise server: at most five requests, one of them for an archive."""

from ml_audit.github.address import Address, address_in, api_base
from ml_audit.github.cache import Cache
from ml_audit.github.limits import Patience
from ml_audit.github.source import GitHubRepository
from ml_audit.github.token import Token, token_in

__all__ = ["Address", "Cache", "GitHubRepository", "Patience", "Token", "address_in", "api_base", "token_in"]
