"""What cacviz is made of: a bill of materials (CycloneDX 1.6, JSON) from what is installed.

    python -m tests.trust.sbom > sbom.json      # or: make sbom

Every distribution that cacviz needs, and that those need, with its version, licence and package
address; nothing is fetched.
"""

import json
import re
import sys
from importlib import metadata

ROOT = "cacviz"


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def needs(distribution):
    """What a distribution needs here, without its extras."""
    named = [r for r in distribution.requires or () if "extra ==" not in r]
    return sorted({normal(re.match(r"[\w.-]+", r)[0]) for r in named})


def installed():
    """cacviz and all that it needs in the end, by name."""
    there = {normal(d.name): d for d in metadata.distributions()}
    found, waiting = {}, [ROOT]
    while waiting:
        name = waiting.pop()
        if name in there and name not in found:
            found[name] = there[name]
            waiting += needs(there[name])
    return dict(sorted(found.items()))


def component(name, distribution):
    """One distribution as CycloneDX writes it."""
    about = distribution.metadata
    licence = about.get("License-Expression") or about.get("License") or ""
    said = {"license": {"name": " ".join(licence.split())[:100]}} if licence else None
    return {
        "type": "library",
        "bom-ref": reference(name, distribution),
        "name": name,
        "version": distribution.version,
        "purl": reference(name, distribution),
        **({"licenses": [said]} if said else {}),
    }


def reference(name, distribution):
    return f"pkg:pypi/{name}@{distribution.version.replace('+', '%2B')}"


def bill():
    """The whole bill; the same for the same installation."""
    found = installed()
    own = component(ROOT, found[ROOT]) | {"type": "application"}
    others = [component(n, d) for n, d in found.items() if n != ROOT]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": others,
        "dependencies": [
            {
                "ref": reference(name, distribution),
                "dependsOn": [reference(n, found[n]) for n in needs(distribution) if n in found],
            }
            for name, distribution in found.items()
        ],
    }


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=1)
