"""Asking an ASGI app without a server."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def settled(coroutine):
    """What a coroutine gives, run in a thread of its own.

    A browser test of the same process leaves Playwright's loop running, and asyncio starts no
    second loop beside it.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
