"""What may pass: exact hosts and ports, none that the paper names, no address of this machine or its networks."""

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass

from reproducegym.adapters.egress.named_hosts import holds_papers, site_of
from reproducegym.errors import MisuseError
from reproducegym.schema.config import EgressConfig

__all__ = ["Allowance", "Place", "allowance_of", "place_of"]

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\]")
_OTHER = tuple(map(ipaddress.ip_network, ("fec0::/10", "64:ff9b:1::/48", "::/96", "::ffff:0:0:0/96")))
"""Site-local, local NAT64, IPv4 in the old compatible and in the translated form."""
_PORT = re.compile(r"[1-9]\d{0,4}")


@dataclass(frozen=True, order=True)
class Place:
    """A host, as a name or an address in its usual form, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True)
class Allowance:
    """What one run may reach. `named` are sites that the paper names; `networks` private ones that may be reached."""

    places: frozenset[Place]
    named: frozenset[str]
    networks: tuple[Network, ...]
    limits: EgressConfig

    def refusal(self, place: Place) -> str | None:
        """Why a place may not be reached; None where it may, if its address may."""
        if place not in self.places:
            return "not_listed"
        if site_of(place.host) & self.named:
            return "named_by_paper"
        return "holds_papers" if holds_papers(place.host) else None

    def address_refusal(self, address: str, *, own: bool = False) -> str | None:
        """Why an address may not be reached: it is private or this machine's `own`, in no listed network."""
        found = _plain(ipaddress.ip_address(address.partition("%")[0]))
        if any(found in network for network in self.networks):
            return None
        public = found.is_global and not found.is_multicast and not own and not _is_other(found)
        return None if public else "private_address"

    def unreachable(self) -> tuple[Place, ...]:
        """Listed places that the paper names, or that hold papers: nothing is reached there."""
        return tuple(sorted(place for place in self.places if self.refusal(place) is not None))


def allowance_of(config: EgressConfig, asked: Iterable[str], named: Iterable[str]) -> Allowance:
    """What the operator lists and the task asks for, without the sites of hosts that the paper names.

    Raises:
        MisuseError: an entry is not `host:port`.
    """
    places = frozenset(_listed(text) for text in (*config.allow, *asked))
    sites = frozenset(site for host in named for site in site_of(host))
    return Allowance(places, sites, tuple(map(ipaddress.ip_network, config.networks)), config)


def place_of(text: str) -> Place | None:
    """`host:port` or `[address]:port` in small letters; None where it is anything else."""
    host, colon, port = text.rpartition(":")
    if not colon or not _HOST.fullmatch(host) or not _PORT.fullmatch(port) or int(port) > 65535:
        return None
    return Place(host.strip("[]"), int(port))


def _listed(text: str) -> Place:
    place = place_of(text)
    if place is None:
        raise MisuseError(
            f"[egress] allow: {text!r} is not host:port; each host is listed by its whole name in small letters"
        )
    return place


def _is_other(address: Address) -> bool:
    """Whether an IPv6 address is of a kind that leads to a private place by another name."""
    return any(address in network for network in _OTHER)


def _plain(address: Address) -> Address:
    """The IPv4 address inside an IPv6 one, where that is how it is reached."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is None and address in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        return inner or address
    return address
