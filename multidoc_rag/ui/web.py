"""What the server adds around Gradio: security headers, page pictures, originals and exports by signed address."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from multidoc_rag.errors import MultiDocError
from multidoc_rag.ui.desk import Desk

POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-src 'none'; object-src 'none'; "
    "form-action 'self'; base-uri 'self'; frame-ancestors 'none'"
)
ORIGINALS = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"x-frame-options": b"DENY",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
}
LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})


class SecurityHeaders:
    """Adds the Content-Security-Policy; on a local server also refuses other host names (DNS rebinding)."""

    def __init__(self, app: ASGIApp, local_only: bool = True) -> None:
        self.app = app
        self.local_only = local_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with headers added to its response."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if self.local_only and _host(scope) not in LOCAL_HOSTS:
            await Response("This program answers on 127.0.0.1 and localhost only.", 403)(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in message["headers"]}
                added = {b"content-security-policy": POLICY.encode()} | HEADERS
                message["headers"] = [*message["headers"], *((k, v) for k, v in added.items() if k not in names)]
            await send(message)

        await self.app(scope, receive, with_headers)


def _host(scope: Scope) -> str:
    value = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1")
    return value.rsplit(":", 1)[0] if not value.endswith("]") else value


class Addresses:
    """Signs the addresses it hands out; an address that was not handed out by this process opens nothing."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def _sign(self, *parts: object) -> str:
        return hmac.new(self._key, "\0".join(map(str, parts)).encode(), hashlib.sha256).hexdigest()[:32]

    def picture(self, document_id: str, page: int, width: int) -> str:
        """Address of the picture of one page."""
        return f"/page/{document_id}/{page}.webp?width={width}&key={self._sign('page', document_id, page, width)}"

    def original(self, document_id: str, name: str) -> str:
        """Address of the file itself."""
        return f"/original/{document_id}/{quote(name, safe='')}?key={self._sign('original', document_id)}"

    def export(self, answer_id: str, kind: str) -> str:
        """Address of an answer as a file: kind is md, html or json."""
        return f"/export/{quote(answer_id, safe='')}.{kind}?key={self._sign('export', answer_id, kind)}"

    def holds(self, request: Request, *parts: object) -> bool:
        """Whether the request carries the key that these parts were signed with."""
        return hmac.compare_digest(request.query_params.get("key", ""), self._sign(*parts))


def routes(desk: Desk, addresses: Addresses) -> list[Route]:
    """The routes to put in front of Gradio's own."""
    from multidoc_rag.answers.export import export_answer

    def guarded(answer: Callable[[Request], Response]) -> Callable[[Request], Response]:
        def respond(request: Request) -> Response:
            try:
                return answer(request)
            except MultiDocError as error:
                return Response(str(error), 404, media_type="text/plain; charset=utf-8")

        return respond

    def picture(request: Request) -> Response:
        document_id, page = request.path_params["document"], request.path_params["page"]
        width = int(request.query_params.get("width", "0") or 0)
        if not addresses.holds(request, "page", document_id, page, width):
            return Response("No such page.", 404)
        data = desk.library().picture(document_id, page, width, password=desk.password(document_id))
        return Response(data, media_type="image/webp", headers={"cache-control": "private, max-age=3600"})

    def original(request: Request) -> Response:
        document_id = request.path_params["document"]
        if not addresses.holds(request, "original", document_id):
            return Response("No such file.", 404)
        document = desk.library().document(document_id)
        path = desk.library().original(document_id)
        # only a PDF is shown by the browser; an HTML file opened here could run scripts against this page
        inline = path.suffix.lower() == ".pdf"
        return FileResponse(
            path,
            media_type="application/pdf" if inline else "application/octet-stream",
            filename=document.name,
            content_disposition_type="inline" if inline else "attachment",
            headers={"content-security-policy": ORIGINALS if inline else f"sandbox; {ORIGINALS}"},
        )

    def export(request: Request) -> Response:
        answer_id, kind = request.path_params["answer"], request.path_params["kind"]
        if not addresses.holds(request, "export", answer_id, kind):
            return Response("No such answer.", 404)
        text, media_type = export_answer(desk.answer(answer_id), kind, desk.library(), password=desk.password)
        headers = {"content-disposition": f'attachment; filename="answer-{answer_id[:8]}.{kind}"'}
        return Response(text, media_type=f"{media_type}; charset=utf-8", headers=headers)

    return [
        Route("/page/{document}/{page:int}.webp", guarded(picture)),
        Route("/original/{document}/{name:path}", guarded(original)),
        Route("/export/{answer}.{kind}", guarded(export)),
    ]
