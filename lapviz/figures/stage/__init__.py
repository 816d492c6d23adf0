"""The live canvas without a server: its code, and scenes as the bytes that it reads.

``bundle.js`` is built from ``lapviz/explorer/stage/js`` by ``build.mjs`` there. The explorer mounts
it in its pages, :func:`lapviz.live` in a standalone page.
"""

from pathlib import Path

from lapviz.figures.stage.payload import encode, encode_lasting, encode_parts

PLACE = Path(__file__).parent

__all__ = ["PLACE", "encode", "encode_lasting", "encode_parts"]
