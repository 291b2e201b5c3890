"""The version of this package, and where its documentation is published."""

__version__ = "0.1.0"


def get_documentation_url() -> str:
    """Return the package's `Documentation` URL, ending with `/`; empty if its metadata has none."""
    from importlib import metadata  # takes 20 ms to load, and only reports for other programs need it

    try:
        urls = metadata.metadata("tutorial-tool").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return ""
    documented = (url.partition(",")[2].strip() for url in urls if url.lower().startswith("documentation,"))
    return next((f"{url.rstrip('/')}/" for url in documented), "")
