"""Gives pages their links on the site: the repository's files lie elsewhere there, or not at all."""

import os
import posixpath
import re

from mkdocs.exceptions import PluginError

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")

# Pages that do not lie in docs/, by their name on the site.
OUTSIDE = {
    "index.md": "README.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "SECURITY.md": "SECURITY.md",
    "chart.md": "charts/prescale/README.md",
    "lab.md": "e2e/lab/README.md",
    "browser.md": "e2e/browser/README.md",
}
ON_SITE = {path: page for page, path in OUTSIDE.items()} | {"charts/prescale": "chart.md"}
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)")
SOURCES = os.environ.get("PRESCALE_SOURCES", "").rstrip("/")  # such as https://host/owner/prescale/blob/main


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_uri
    source = OUTSIDE.get(here, "docs/" + here)

    def link(match):
        image, text, target, anchor = match[1], match[2], match[3], match[4] or ""
        if not target or ":" in target:
            return match[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if not os.path.exists(os.path.join(ROOT, path)):
            raise PluginError(f"{source} has a link to {path}, which does not exist; correct it")
        on_site = ON_SITE.get(path)
        if on_site is None and path.startswith("docs/") and files.get_file_from_path(path[5:]):
            on_site = path[5:]
        if on_site is not None:
            return f"{image}[{text}]({posixpath.relpath(on_site, posixpath.dirname(here) or '.')}{anchor})"
        return f"[{text}]({SOURCES}/{path}{anchor})" if SOURCES else text

    return LINK.sub(link, markdown)
