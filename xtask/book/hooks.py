"""Fits the pages of the repository into the book: pages beside `docs/` become pages of the book, and links to other files
of the repository, which a book does not have, become plain text.
"""
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[2]
# Paths in the repository -> paths in the book.
BESIDE = {
    "ARCHITECTURE.md": "inside/architecture.md",
    "CHANGELOG.md": "reference/changelog.md",
    "CONTRIBUTING.md": "inside/contributing.md",
    "README.md": "index.md",
    "SECURITY.md": "inside/security.md",
    "examples/README.md": "start/examples.md",
}
# The gallery for browsers. In the book, its README has this place.
GALLERY = "docs/gallery/index.html"
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


# What the theme would load from the network for pages from the file system.
REMOTE = re.compile(r'src="https://[^"]*iframe-worker[^"]*"')
WORKER = "assets/worker.js"


def on_files(files, config):
    files.append(File.generated(config, WORKER, content=(ROOT / "xtask/book/worker.js").read_text("utf-8")))
    for path, page in BESIDE.items():
        if files.get_file_from_path(page) is None:
            text = relinked((ROOT / path).read_text("utf-8"), path, page)
            files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown, page, **_):
    path = page.file.src_uri
    return markdown if path in BESIDE.values() and path != "index.md" else relinked(markdown, "docs/" + path, path)


def on_post_page(output, page, **_):
    return REMOTE.sub('src="%s"' % posixpath.relpath(WORKER, posixpath.dirname(page.file.dest_uri) or "."), output)


def relinked(text, path, page):
    """Rewrites the links of a file at `path` in the repository for its place in the book."""
    def link(match):
        words, target = match.groups()
        if "://" in target or target.startswith(("#", "mailto:")):
            return match.group(0)
        target, hash_, anchor = target.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if target in BESIDE:
            there = BESIDE[target]
        elif target.startswith("docs/") and target != GALLERY and (ROOT / target).is_file():
            there = target[len("docs/"):]
        else:
            return words
        return "[%s](%s%s%s)" % (words, posixpath.relpath(there, posixpath.dirname(page) or "."), hash_, anchor)

    # Tests of the pages mark code with more than its language.
    text = re.sub(r"^(```\w+) .*$", r"\1", text, flags=re.MULTILINE)
    # Code blocks have no links.
    parts = re.split(r"(^```.*?^```)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)
