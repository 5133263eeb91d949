"""S1: people on a ward's server, each with a word in their data that nobody else may see.

    python -m benchmarks.ward_people [--people 20]

All come at once. Each visits every page with their own run, and then with the address of the next
person's run, cohort, file and session; everything that the server sent them, frames, pages and
files, is searched for the words of all others.
"""

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.trust.ward import WardServer, settle
from tests.trust.wire import PAGES, files_of

DICTIONARY = "Write this cohort's dictionary"


def tour(server, person, other):
    """Everything that a person is sent who looks at their own data, and at another's."""
    with server.visitor(person) as visitor:
        for page in PAGES:
            visitor.visit(page, f"run={person.run}")
        made = files_of(visitor.visit("cohort", f"cohort={person.cohort}"))[DICTIONARY]
        visitor.ask(visitor.press(made)[made])
        own = visitor.sent.count(person.canary.encode())
        for page in ("cohort", "subtypes", "runs", "report"):
            visitor.visit(page, f"run={other.run}")
            visitor.visit(page, f"cohort={other.cohort}")
        return visitor.sent, own


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=20)
    many = parser.parse_args().people
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        root = Path(folder) / "ward"
        people = [settle(root, f"person {number}") for number in range(many)]
        server = WardServer(root).start()
        try:
            with ThreadPoolExecutor(many) as pool:
                nexts = [*people[1:], people[0]]
                found = list(
                    pool.map(lambda pair: tour(server, *pair), zip(people, nexts, strict=True))
                )
        finally:
            server.close()
    seen = [
        (person.name, other.name)
        for person, (sent, _) in zip(people, found, strict=True)
        for other in people
        if other is not person and other.canary.encode() in sent
    ]
    sent = sum(len(all_of) for all_of, _ in found) / 2**20
    blind = sum(own == 0 for _, own in found)
    print(f"{many} people at once, {sent:.0f} MB sent: {len(seen)} words seen by others {seen[:5]}")
    print(f"people who did not see their own word: {blind}")
    return 0 if not seen and not blind else 1


if __name__ == "__main__":
    sys.exit(main())
