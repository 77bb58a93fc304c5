"""PDFium in a process of its own: `python -m multidoc_rag.files.pdf_worker [MEMORY_MB]`, driven over its pipes.

A damaged file can crash PDFium, loop in it or eat all memory: here that ends this process and nothing else.
Nothing but the standard library and pypdfium2's raw bindings is imported at start.

A message is two unsigned 32-bit big-endian lengths, a JSON header and a binary payload. Requests carry `op`, `path`
and `password`; the answers end with one whose `kind` is "end" or "error" (`code`: password, damaged, empty, pages,
memory, missing, page, format, extra). The last document stays open until another file is asked for or it has changed.
"""

from __future__ import annotations

import io
import json
import os
import struct
import sys
from collections.abc import Iterator
from typing import IO

import pypdfium2.raw as pdfium

from multidoc_rag.files.pdf_document import (
    SCAN_CHARACTERS,
    Header,
    OpenFile,
    OpenPage,
    Refusal,
    draw,
    identity,
    outline,
    utf16,
    version,
)

LENGTHS = struct.Struct(">II")
# --- messages ----------------------------------------------------------------------------------


def send(stream: IO[bytes], header: Header, payload: bytes = b"") -> None:
    """Write one message."""
    text = json.dumps(header).encode()
    stream.write(LENGTHS.pack(len(text), len(payload)) + text + payload)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[Header, bytes]:
    """Read one message; raises EOFError where the other side is gone."""
    lengths = _exactly(stream, LENGTHS.size)
    header_length, payload_length = LENGTHS.unpack(lengths)
    return json.loads(_exactly(stream, header_length)), _exactly(stream, payload_length)


def _exactly(stream: IO[bytes], count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


# --- what can be asked -------------------------------------------------------------------------


def read(file: OpenFile, request: Header) -> Iterator[tuple[Header, bytes]]:
    """The document's properties, then one message a page: its geometry, code units and lines."""
    if file.pages < 1:
        raise Refusal("empty")
    if file.pages > request["max_pages"]:
        raise Refusal("pages", str(file.pages))
    document: Header = {"kind": "document", "sha256": file.sha256, "pages": file.pages, "repaired": file.repaired}
    document["reader"] = version()
    for key in ("Title", "Author", "CreationDate", "ModDate"):
        document[key] = utf16(lambda b, n, key=key: pdfium.FPDF_GetMetaText(file.handle, key.encode(), b, n))
    yield document | {"outline": list(outline(file))}, b""
    for index in range(file.pages):
        header: Header = {"kind": "page", "number": index + 1, "label": ""}
        try:
            with OpenPage(file, index) as page:
                header |= page.geometry()
                header["label"] = utf16(lambda b, n, i=index: pdfium.FPDF_GetPageLabel(file.handle, i, b, n))
                codes = page.codes()
                header |= {"count": len(codes), "outside": page.outside(header["crop"])}
                header["scan"] = len(codes) < SCAN_CHARACTERS and page.is_picture(header["crop"])
                yield header, codes.tobytes() + page.lines(codes)
        except Refusal:
            yield header | {"count": 0, "outside": [], "scan": False, "failed": True}, b""


def boxes(file: OpenFile, request: Header) -> Iterator[tuple[Header, bytes]]:
    """The box of every character of one page, four 32-bit floats each."""
    with OpenPage(file, request["page"] - 1) as page:
        yield {"kind": "boxes", "sha256": file.sha256, "count": page.count}, page.boxes().tobytes()


def page_size(file: OpenFile, request: Header) -> Iterator[tuple[Header, bytes]]:
    """The geometry of one page."""
    with OpenPage(file, request["page"] - 1) as page:
        yield {"kind": "page_size", "sha256": file.sha256, **page.geometry()}, b""


def picture(file: OpenFile, request: Header) -> Iterator[tuple[Header, bytes]]:
    """One page as a viewer shows it, as WebP of `width` pixels, less where `megapixels` does not allow it."""
    with OpenPage(file, request["page"] - 1) as page:
        image = draw(file, page, request["width"], request["megapixels"])
        output = io.BytesIO()
        image.save(output, "WEBP", quality=85, method=2)
        header = {"kind": "picture", "sha256": file.sha256, "width": image.width, "height": image.height}
        yield header, output.getvalue()


def recognise(file: OpenFile, request: Header) -> Iterator[tuple[Header, bytes]]:
    """The text of one page by OCR: `text` and `words` as (start, end, box)."""
    from multidoc_rag.files.ocr import recognise_page

    with OpenPage(file, request["page"] - 1) as page:
        geometry = page.geometry()
        # 200 dots per inch of an A4 page; smaller print needs no more to be read.
        image = draw(file, page, int(pdfium.FPDF_GetPageWidthF(page.handle) * 200 / 72), request["megapixels"])
        text, words = recognise_page(image, geometry["crop"], geometry["rotation"])
        yield {"kind": "recognised", "sha256": file.sha256, "text": text, "words": words}, b""


OPERATIONS = {"read": read, "boxes": boxes, "page_size": page_size, "picture": picture, "ocr": recognise}


# --- the process -------------------------------------------------------------------------------


def limit_memory(megabytes: int) -> bool:
    """Bound this process's address space; False where the system cannot (the caller then watches it)."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    except (ImportError, OSError, ValueError):
        return False
    return sys.platform != "darwin"  # there the call succeeds and bounds nothing


def answer(file: OpenFile | None, request: Header, stream: IO[bytes]) -> OpenFile | None:
    """Answer one request; returns the document that is open afterwards."""
    path, password = request["path"], request.get("password")
    try:
        if request["op"] == "convert":
            from multidoc_rag.files.formats import convert

            send(stream, convert(path, request["format"], request["max_bytes"]))
            send(stream, {"kind": "end"})
            return file
        if file is None or file.identity != identity(path, password):
            if file is not None:
                file.close()
                file = None
            file = OpenFile(path, password)
        if "page" in request and not 1 <= request["page"] <= file.pages:
            raise Refusal("page")
        for header, payload in OPERATIONS[request["op"]](file, request):
            send(stream, header, payload)
        send(stream, {"kind": "end"})
    except Refusal as refusal:
        send(stream, {"kind": "error", "code": refusal.code, "detail": str(refusal)})
    except MemoryError:
        send(stream, {"kind": "error", "code": "memory", "detail": ""})
    except OSError as error:
        send(stream, {"kind": "error", "code": "missing", "detail": error.strerror or str(error)})
    return file


def main() -> None:
    """Serve requests from standard input until it ends."""
    bounded = limit_memory(int(sys.argv[1])) if len(sys.argv) > 1 else False
    # Whatever a library prints must not end up among the messages.
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    pdfium.FPDF_InitLibrary()
    send(answers, {"kind": "ready", "bounded": bounded})
    file: OpenFile | None = None
    while True:
        try:
            request, _ = receive(requests)
        except EOFError:
            return
        file = answer(file, request, answers)


if __name__ == "__main__":
    main()
