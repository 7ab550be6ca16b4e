"""Static files: read and compressed once, at addresses that hold their content's hash and may be kept for ever."""

from __future__ import annotations

import gzip
import hashlib
import importlib.resources
import mimetypes
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources.abc import Traversable

import brotli
from fastapi import Request, Response
from rcssmin import cssmin
from rjsmin import jsmin

from ..heap import give_back
from .bundle import LATER, bundle

_FOREVER = "public, max-age=31536000, immutable"
_COMPRESSING = threading.Lock()
_TEXT = (".js", ".css", ".svg", ".txt", ".json")
_NOT_SERVED = (".py", ".pyc")

_FIRST = ("js/page.js", "css/page.css", "js/theme.js")
_FIRST_QUALITY, _QUALITY, _PLOTLY_QUALITY = 10, 9, 5
"""How hard brotli tries: 11 would make the first page 2 kB smaller and each start 1.3 s of computing longer."""

STYLES = ("tokens", "page", "sentence", "diagram", "tensor", "proof", "decode", "cache", "gradients")
"""The style sheets that the page needs at once, in the order in which they are put together as one: css/page.css."""

LATER_STYLES = ("explain", "ancestry", "maps", "tree", "training", "train", "parameters")
"""Those of what is opened later: css/later.css, which comes with the second script."""

_STYLED = """await new Promise((done) => {
  const link = document.createElement("link");
  const href = new URL("../css/later.css", import.meta.url).href;
  Object.assign(link, { rel: "stylesheet", href, onload: done, onerror: done });
  document.head.append(link);
});
"""


@dataclass(frozen=True)
class Asset:
    """One file as it is sent. `quality` is brotli's, from 1 (quick) to 11."""

    content: bytes
    media_type: str
    quality: int = _QUALITY

    @cached_property
    def brotli(self) -> bytes:
        """The content, compressed for browsers that take brotli; by one thread, while the others wait."""
        with _COMPRESSING:
            return self.__dict__.get("brotli") or bytes(brotli.compress(self.content, quality=self.quality))

    @cached_property
    def gzip(self) -> bytes:
        """The content, compressed for everybody else."""
        return gzip.compress(self.content, compresslevel=6, mtime=0)

    def answer(self, request: Request) -> Response:
        """Return the file in the best form that the client takes."""
        headers = {"Cache-Control": _FOREVER, "Vary": "Accept-Encoding"}
        accepted = request.headers.get("accept-encoding", "")
        content = self.content
        if self.media_type.startswith(("text/", "image/svg", "application/json")):
            if "br" in accepted:
                content, headers["Content-Encoding"] = self.brotli, "br"
            elif "gzip" in accepted:
                content, headers["Content-Encoding"] = self.gzip, "gzip"
        return Response(content, media_type=self.media_type, headers=headers)


class Assets:
    """All static files of the page under one hash, and plotly.js out of its Python package under its own."""

    def __init__(self) -> None:
        root = importlib.resources.files("glassformer.static")
        files = {name: file.read_bytes() for name, file in _walk(root)}
        scripts = {name.removeprefix("js/"): content.decode() for name, content in files.items() if name.endswith(".js")}
        together = bundle(scripts, "main.js")
        files["js/page.js"], files[f"js/{LATER}"] = together.first.encode(), (_STYLED + together.later).encode()
        for sheet, names in (("page", STYLES), ("later", LATER_STYLES)):
            files[f"css/{sheet}.css"] = b"\n".join(files.pop(f"css/{name}.css") for name in names)
        files = {name: _smaller(name, content) for name, content in files.items()}
        self._files = {
            name: Asset(content, _media_type(name), _FIRST_QUALITY if name in _FIRST else _QUALITY)
            for name, content in files.items()
        }
        digest = hashlib.sha256()
        for name in sorted(self._files):
            digest.update(name.encode() + b"\0" + self._files[name].content)
        self.hash = digest.hexdigest()[:16]

    @cached_property
    def plotly(self) -> Asset:
        """plotly.js, minified."""
        content = importlib.resources.files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()
        return Asset(content, "text/javascript; charset=utf-8", quality=_PLOTLY_QUALITY)

    @cached_property
    def plotly_name(self) -> str:
        """The name under which plotly.js is served."""
        return f"plotly-{hashlib.sha256(self.plotly.content).hexdigest()[:16]}.min.js"

    def find(self, hash: str, name: str) -> Asset | None:
        """Return a file by its hash and name; the name is looked up in a dictionary and never touches the disk."""
        return self._files.get(name) if hash == self.hash else None

    def warm(self) -> None:
        """Compress what the first page needs, ahead of the first request; the room that compressing takes is given back."""
        for name in (*_FIRST, f"js/{LATER}", "css/later.css"):
            _ = self._files[name].brotli
        _ = self.plotly.brotli
        give_back()


@cache
def read_assets() -> Assets:
    """Return the one set of them: files stay as they are while a process runs, and putting them together takes a while."""
    return Assets()


def _walk(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    for item in folder.iterdir():
        name = f"{prefix}{item.name}"
        if item.is_dir():
            if item.name != "__pycache__":
                yield from _walk(item, f"{name}/")
        elif not item.name.endswith(_NOT_SERVED):
            yield name, item


def _smaller(name: str, content: bytes) -> bytes:
    """Leave out comments and what white space nobody needs."""
    if name.endswith(".js"):
        return str(jsmin(content.decode())).encode()
    return str(cssmin(content.decode())).encode() if name.endswith(".css") else content


def _media_type(name: str) -> str:
    if name.endswith(".js"):
        return "text/javascript; charset=utf-8"
    if name.endswith(".woff2"):
        return "font/woff2"
    found = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"{found}; charset=utf-8" if name.endswith(_TEXT) else found
