"""After a build: files for other tools, and checks of the built site."""

from __future__ import annotations

import html
import os
import posixpath
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files

from tutorial_tool.config.settings import Config as TutorialSettings
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.fs import files as disk
from tutorial_tool.publishing import inventory
from tutorial_tool.site import Site

MIKE = "MIKE_DOCS_VERSION"  # The variable with the version that mike builds


def write_files(site: Site, last_urls: Iterable[str], files: Files, config: MkDocsConfig, *, for_readers: bool) -> None:
    """Write the inventory and, with `for_readers`, `llms.txt` files; only the inventory may replace a file of the site.

    `last_urls` are the URLs of the last inventory.
    """
    base_path = posixpath.join(posixpath.dirname(urlsplit(config.site_url or "/").path), "")
    text = inventory.render_json([site], last_urls, base_path, os.environ.get(MIKE, ""))
    contents: dict[str, bytes] = {}
    if for_readers:
        from tutorial_tool.publishing import llms_txt

        present = {file.src_uri for file in files.documentation_pages()}
        pages = [page for page in site.pages if page.path in present]
        site_url = f"{config.site_url.rstrip('/')}/" if config.site_url else ""
        name, description = html.unescape(config.site_name), config.site_description or ""
        contents = llms_txt.build_files(site, pages, name, description, site_url)
    taken = {*(file.dest_uri for file in files), *config.theme.static_templates, *config.extra_templates}
    contents = {path: data for path, data in contents.items() if path not in taken} | {inventory.FILE: text.encode()}
    folder = Path(config.site_dir)
    disk.write_generated({folder / path: data for path, data in contents.items()}, root=folder)


def check_built_site(
    site: Site, files: Files, config: MkDocsConfig, reported: Iterable[Finding], settings: TutorialSettings
) -> list[Finding]:
    """Check the built site, and return what the sources alone could not show."""
    from tutorial_tool.links import built_site
    from tutorial_tool.linter import baseline, engine

    root, custom = site.layout.root, config.theme.custom_dir
    by_path = {page.path: page for page in site.pages}
    shared_files = [Path(config.config_file_path)] if config.config_file_path else []
    shared_files += sorted(Path(custom).rglob("*.html")) if custom else []
    built = built_site.BuiltSite(
        Path(config.site_dir),
        root,
        config.site_url or "",
        {file.dest_uri: by_path[file.src_uri] for file in files if file.src_uri in by_path},
        frozenset(file.dest_uri for file in files if not file.is_documentation_page()),
        tuple(shared_files),
    )
    findings = built_site.check(site, built, reported)
    late = engine.prepare_late_findings(site, settings, findings)
    return list(baseline.compare(late, baseline.get_configured(settings), root).new.values())
