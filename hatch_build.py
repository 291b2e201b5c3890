"""What the package index shows: the README with whole addresses, and links to the repository that releases.

`REPO_URL` says where that is, as it does for the site (`mkdocs.yml`). Without it, the README stays as it is.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)")


def with_whole_addresses(readme: str, repository: str) -> str:
    """Make relative links and images of a README lead into the repository."""
    kinds = {"!": "raw", "": "blob"}
    return LINK.sub(lambda link: f"{link[1]}{link[2]}({repository}/{kinds[link[1]]}/HEAD/{link[3]})", readme)


class PackagePage(MetadataHookInterface):
    """Sets `readme` and `urls` of the project."""

    def update(self, metadata: dict[str, object]) -> None:
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        repository = os.environ.get("REPO_URL", "").rstrip("/")
        metadata["urls"] = {}
        if repository:
            text = with_whole_addresses(text, repository)
            metadata["urls"] = {
                "Source": repository,
                "Documentation": os.environ.get("SITE_URL") or f"{repository}/blob/HEAD/docs_src/index.md",
                "Changelog": f"{repository}/blob/HEAD/CHANGELOG.md",
                "Issues": f"{repository}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
