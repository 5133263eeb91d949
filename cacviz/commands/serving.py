"""`cacviz app --server`: what a server for several people needs, and what it refuses by name."""

from __future__ import annotations

import argparse
import ipaddress
import os
import re
from pathlib import Path
from typing import Any

from cacviz.commands.arguments import words
from cacviz.engine.exceptions import ConfigError
from cacviz.wording import serving as said

FLAGS = ("address", "host", "user_header", "trusted_proxy", "proxy_account")
# what a browser sends by itself, so that it would say nothing about who somebody is
OF_BROWSERS = re.compile(
    r"accept.*|cookie|host|origin|referer|user-agent|sec-.*|connection|upgrade|content-.*|te|dnt"
    r"|x-cacviz-owner|x-forwarded-(for|proto|host)|x-xsrftoken|cache-control|pragma|range",
    re.IGNORECASE,
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Who may come in, from where, under which name."""
    server = parser.add_argument_group("a server for several people, each with data of their own")
    server.add_argument("--server", action="store_true", help="everybody says who they are")
    server.add_argument("--address", help="to listen at; 127.0.0.1 unless a proxy is named")
    server.add_argument("--host", type=words, help="the name under which people open it")
    server.add_argument("--trusted-proxy", type=words, help="the address of the proxy in front")
    server.add_argument("--user-header", help="in which that proxy says who somebody is")
    server.add_argument("--proxy-account", help="its account, where it is on this computer")


def prepare(args: argparse.Namespace) -> dict[str, Any]:
    """Make this process a server where that is asked for; the settings that Streamlit gets."""
    if not args.server:
        _only_with_server(args)
        return {}
    from cacviz.store import wards

    ward = _ward(args)
    address = args.address or "127.0.0.1"
    _check_address(address, args)
    _check_people(ward)
    wards.use_ward(ward)
    os.environ["FORWARDED_ALLOW_IPS"] = ""  # who is connected is not for a header to say
    hosts = [*(args.host or []), "localhost", "127.0.0.1"]
    return {"server.address": address, "server.allowedHosts": hosts}


def shown(args: argparse.Namespace) -> str:
    """Where it can be found."""
    inside = f"http://{args.address or '127.0.0.1'}:{args.port}"
    return f"https://{args.host[0]} through the proxy at {inside}" if args.host else inside


def _only_with_server(args: argparse.Namespace) -> None:
    for flag in FLAGS:
        if getattr(args, flag) is not None:
            raise ConfigError(said.NEEDS_SERVER.format(flag=flag.replace("_", "-")))


def _ward(args: argparse.Namespace) -> Any:
    from cacviz.store.unix import account_uid
    from cacviz.store.wards import Ward

    if not args.data_dir:
        raise ConfigError(said.NEEDS_FOLDER)
    root = Path(args.data_dir).expanduser().absolute()
    if (root / "cohorts").is_dir():
        raise ConfigError(said.OWN_DATA.format(folder=root))
    if args.proxy_account and account_uid(args.proxy_account) is None:
        raise ConfigError(said.NO_ACCOUNT.format(said=args.proxy_account))
    header = _header(args)
    proxies = tuple(map(_network, args.trusted_proxy or ()))
    return Ward(str(root), header, proxies, args.proxy_account or "")


def _header(args: argparse.Namespace) -> str:
    header = args.user_header or ""
    if header and not args.trusted_proxy:
        raise ConfigError(said.HEADER_NEEDS_PROXY)
    if header and (OF_BROWSERS.fullmatch(header) or not re.fullmatch(r"[A-Za-z0-9-]+", header)):
        raise ConfigError(said.HEADER_OF_BROWSERS.format(header=header))
    return header


def _network(text: str) -> str:
    try:
        network = ipaddress.ip_network(text)
    except ValueError:
        raise ConfigError(said.NO_NETWORK.format(said=text)) from None
    if network.prefixlen < (8 if network.version == 4 else 32):
        raise ConfigError(said.EVERYBODY.format(said=text))
    return str(network)


def _check_address(address: str, args: argparse.Namespace) -> None:
    """Other machines are answered behind a proxy alone, and under a name."""
    for host in args.host or ():
        if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?", host):
            raise ConfigError(said.NO_HOST.format(said=host))
    if address in ("127.0.0.1", "::1", "localhost"):
        return
    if not args.trusted_proxy:
        raise ConfigError(said.NEEDS_PROXY.format(address=address))
    if not args.host:
        raise ConfigError(said.NEEDS_HOST.format(address=address))


def _check_people(ward: Any) -> None:
    from cacviz.store.people import people_of

    if not ward.header and not people_of(ward.root):
        raise ConfigError(said.NO_PEOPLE.format(folder=ward.root))
