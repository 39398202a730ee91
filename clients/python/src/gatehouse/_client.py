"""The client of one Gatehouse: its operations, each within its time, and the protection of a signup form."""
from __future__ import annotations

import json
import re
import secrets
import time
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Union
from urllib.parse import quote, urlsplit

from ._breaker import BreakerOptions, CircuitBreaker
from ._call import Answer, Call, make_call
from ._client_ip import TrustedProxies, check_trusted_proxies
from ._errors import InvalidRequestError, OptionsError
from ._form import FormDecision, SentForm, decide_form
from ._meta import VERDICTS
from ._protect import UNSET, OnError, Protection, Signup, SignupDecision, Unset, protect
from ._redact import create_redact
from ._transport import Request
from .models import AppealResponse, Assessment, ChallengeResponse, FeedbackResponse, OutcomeResponse, Usage

_MAX_NUMBER = 2**31 - 1
#: Limit of the service. A larger request has no answer that can be relied on, so it is refused here.
_MAX_BODY_BYTES = 64 * 1024
_VISIBLE = re.compile(r"[\x21-\x7e]{1,255}")


class Gatehouse:
    """Create one for the whole application: it contains the circuit breaker. Threads may share it.

    ``protect_signup`` never raises. Every other method raises only a ``GatehouseError``.
    """

    def __init__(
        self,
        *,
        url: Optional[str],
        key: Optional[str],
        timeout_ms: float = 3000,
        max_retries: int = 2,
        breaker: Union[BreakerOptions, None, bool] = BreakerOptions(),
        trusted_proxies: Optional[TrustedProxies] = None,
        on_failure: str = "allow",
        mode: str = "enforce",
        on_error: Optional[OnError] = None,
    ) -> None:
        """``timeout_ms`` is for one call, all tries and waits together. ``breaker=False`` turns it off.

        Raises ``OptionsError``, without the key in its text.
        """
        _check_number("timeout_ms", timeout_ms, 1)
        _check_number("max_retries", max_retries, 0)
        options = BreakerOptions() if breaker is None or breaker is True else breaker
        if isinstance(options, BreakerOptions):
            _check_number("breaker.failures", options.failures, 1)
            _check_number("breaker.open_ms", options.open_ms, 0)
        if on_failure not in ("allow", "challenge"):
            raise OptionsError("invalid_options", "on_failure: allow or challenge.")
        if mode not in ("enforce", "observe"):
            raise OptionsError("invalid_options", "mode: enforce or observe.")
        check_trusted_proxies(trusted_proxies)
        self._key = _read_key(key)
        self._url = _read_url(url)
        self._timeout_ms = timeout_ms
        self._max_retries = max_retries
        self._breaker = CircuitBreaker(options or None, lambda: time.monotonic() * 1000)
        self._protection = Protection(trusted_proxies, on_failure, mode, on_error)

    @property
    def url(self) -> str:
        """URL of Gatehouse, without a slash at the end."""
        return self._url

    def __repr__(self) -> str:
        return f"Gatehouse(url={self._url!r}, key='{self._key[:8]}[redacted]')"

    def assess(
        self,
        email: str,
        *,
        ip: Optional[str] = None,
        session_id: Optional[str] = None,
        brought_by: Optional[str] = None,
        idempotency_key: Union[str, bool, None] = None,
        timeout_ms: Optional[float] = None,
    ) -> Assessment:
        """Assesses a signup. Costs one credit with a live key.

        ``idempotency_key=False``: none, then only refused requests are sent again. Default: a random one.
        """
        body = {"email": email, "ip": ip, "session_id": session_id, "brought_by": brought_by}
        answer = self._write("/v1/assess", body, idempotency_key, timeout_ms, _has_verdict, [email, ip, session_id])
        return Assessment.from_dict(*answer)

    def get_assessment(self, request_id: str, *, timeout_ms: Optional[float] = None) -> Assessment:
        """Reads a stored assessment again; costs nothing."""
        if not isinstance(request_id, str) or request_id == "":
            raise InvalidRequestError("missing_field", "The request id is missing.", param="request_id")
        return Assessment.from_dict(*self._read(f"/v1/assess/{quote(request_id, safe='')}", timeout_ms, _has_verdict))

    def feedback(
        self,
        request_id: str,
        outcome: str,
        *,
        note: Optional[str] = None,
        idempotency_key: Union[str, bool, None] = None,
        timeout_ms: Optional[float] = None,
    ) -> FeedbackResponse:
        """Reports that a verdict was wrong: ``false_positive`` or ``false_negative``."""
        body = {"request_id": request_id, "outcome": outcome, "note": note}
        answer = self._write(
            "/v1/feedback", body, idempotency_key, timeout_ms, lambda answer: answer.get("accepted") is True, [note]
        )
        return FeedbackResponse.from_dict(*answer)

    def redeem_challenge(
        self,
        token: str,
        *,
        outcome: Optional[str] = None,
        proof: Optional[Mapping[str, str]] = None,
        altcha: Optional[str] = None,
        turnstile: Optional[str] = None,
        hcaptcha: Optional[str] = None,
        recaptcha: Optional[str] = None,
        confirm: Optional[Mapping[str, str]] = None,
        code: Optional[str] = None,
        ip: Optional[str] = None,
        idempotency_key: Union[str, bool, None] = None,
        timeout_ms: Optional[float] = None,
    ) -> ChallengeResponse:
        """Reports whether a challenged visitor passed, or reads the result of the challenge.

        One redemption hears the result, and a caller that repeats it with the same ``idempotency_key``; every other
        gets ``challenge_redeemed``.
        """
        captchas = {"altcha": altcha, "turnstile": turnstile, "hcaptcha": hcaptcha, "recaptcha": recaptcha}
        body = {"token": token, "outcome": outcome, "proof": proof, **captchas, "confirm": confirm, "code": code, "ip": ip}
        answer = self._write(
            "/v1/challenges",
            body,
            idempotency_key,
            timeout_ms,
            lambda answer: isinstance(answer.get("status"), str),
            [token, *captchas.values(), ip],
        )
        return ChallengeResponse.from_dict(*answer)

    def outcome(
        self,
        outcome: Optional[str] = None,
        *,
        request_id: Optional[str] = None,
        email: Optional[str] = None,
        outcomes: Optional[Sequence[Mapping[str, str]]] = None,
        idempotency_key: Union[str, bool, None] = None,
        timeout_ms: Optional[float] = None,
    ) -> OutcomeResponse:
        """Says what became of a signup, or of up to 100 in ``outcomes``: Gatehouse learns from it.

        ``outcome``: ``verified``, ``never_verified``, ``bounced``, ``complained``, ``paid`` or ``banned``.
        """
        body = {"outcome": outcome, "request_id": request_id, "email": email, "outcomes": outcomes}
        private = [email, *(each.get("email") for each in outcomes or () if isinstance(each, Mapping))]
        answer = self._write(
            "/v1/outcomes", body, idempotency_key, timeout_ms, lambda answer: isinstance(answer.get("signups"), int), private
        )
        return OutcomeResponse.from_dict(*answer)

    def appeal_link(
        self,
        request_id: str,
        *,
        valid_days: Optional[int] = None,
        idempotency_key: Union[str, bool, None] = None,
        timeout_ms: Optional[float] = None,
    ) -> AppealResponse:
        """Makes a link that you may show to somebody who was stopped: there she says what happened."""
        body = {"request_id": request_id, "valid_days": valid_days}
        answer = self._write(
            "/v1/appeals", body, idempotency_key, timeout_ms, lambda answer: isinstance(answer.get("url"), str), []
        )
        return AppealResponse.from_dict(*answer)

    def usage(self, *, timeout_ms: Optional[float] = None) -> Usage:
        """Reads how much of the month's quota is used."""
        answer = self._read("/v1/usage", timeout_ms, lambda answer: isinstance(answer.get("plan"), str))
        return Usage.from_dict(*answer)

    def protect_signup(
        self,
        request: Any,
        email: Any,
        *,
        ip: Union[str, None, Unset] = UNSET,
        peer: Optional[str] = None,
        session_id: Optional[str] = None,
        brought_by: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
    ) -> SignupDecision:
        """Decides about one signup, and never raises: without a verdict, ``on_failure`` decides.

        ``request``: of Django, Flask, FastAPI, a WSGI environ, an ASGI scope, or headers. ``ip``: the visitor's address
        where you know it already, ``None`` for a signup without one. ``idempotency_key``: default the same for the same
        email, address, session and person who brings, for ten minutes.
        """
        signup = Signup(email, ip, peer, session_id, brought_by, idempotency_key)

        def assess(body: Dict[str, str], form_key: Optional[str]) -> Assessment:
            return self.assess(**body, idempotency_key=form_key, timeout_ms=timeout_ms)

        return protect(assess, self._key, request, signup, self._protection)

    def protect_form(
        self,
        request: Any,
        email: Any,
        *,
        fields: Optional[Mapping[str, Any]] = None,
        challenge: Optional[Mapping[str, Any]] = None,
        return_url: Optional[str] = None,
        captcha: Union[bool, str] = False,
        check: Optional[str] = None,
        ip: Union[str, None, Unset] = UNSET,
        peer: Optional[str] = None,
        session_id: Optional[str] = None,
        brought_by: Optional[str] = None,
        timeout_ms: Optional[float] = None,
    ) -> FormDecision:
        """Decides about a form, with its challenge, and never raises: ``protect_signup``, and what comes after it.

        ``fields``: what the form sent, with the code or the CAPTCHA's response. ``challenge``: what you kept of the last
        decision. ``return_url``: page that a visitor sees after the link of the mail. ``captcha``: your form can show one; its name
        (``turnstile``, ``hcaptcha`` or ``recaptcha``) lets only that one count. ``check``: what is asked for without a CAPTCHA,
        ``proof`` (a proof of work, which ``proof_field`` shows) or ``mail``; ``None``: a mail where Gatehouse gives tokens, otherwise a proof of work.
        """

        def assess(idempotency_key: Optional[str]) -> SignupDecision:
            return self.protect_signup(
                request,
                email,
                ip=ip,
                peer=peer,
                session_id=session_id,
                brought_by=brought_by,
                idempotency_key=idempotency_key,
                timeout_ms=timeout_ms,
            )

        def redeem(token: str, **answer: Any) -> ChallengeResponse:
            return self.redeem_challenge(token, timeout_ms=timeout_ms, **answer)

        form = SentForm(email, fields or {}, challenge, return_url, captcha, check, assess, redeem)
        return decide_form(form, self._key, self._protection)

    def _read(self, path: str, timeout_ms: Optional[float], is_answer: Callable[[Dict[str, Any]], bool]) -> Answer:
        request = Request("GET", self._url + path, self._headers())
        return self._call(request, timeout_ms, True, is_answer, [])

    def _write(
        self,
        path: str,
        body: Mapping[str, Any],
        idempotency_key: Union[str, bool, None],
        timeout_ms: Optional[float],
        is_answer: Callable[[Dict[str, Any]], bool],
        private: Sequence[Any],
    ) -> Answer:
        has_key = idempotency_key is not False
        headers = {**self._headers(), "content-type": "application/json"}
        if has_key:
            text = secrets.token_hex(16) if idempotency_key is None or idempotency_key is True else idempotency_key
            if not isinstance(text, str) or not _VISIBLE.fullmatch(text):
                message = "An idempotency key has 1 to 255 visible characters."
                raise InvalidRequestError("missing_field", message, param="Idempotency-Key")
            headers["idempotency-key"] = text
        members = {name: value for name, value in body.items() if value is not None}
        try:
            data = json.dumps(members).encode("ascii")
        except (TypeError, ValueError):
            raise InvalidRequestError("bad_request", "A member of the request is of a wrong type.") from None
        if len(data) > _MAX_BODY_BYTES:
            raise InvalidRequestError("payload_too_large", "The request is larger than 64 KiB, and is not sent.")
        return self._call(Request("POST", self._url + path, headers, data), timeout_ms, has_key, is_answer, private)

    def _call(
        self,
        request: Request,
        timeout_ms: Optional[float],
        is_repeatable: bool,
        is_answer: Callable[[Dict[str, Any]], bool],
        private: Sequence[Any],
    ) -> Answer:
        if timeout_ms is not None:
            _check_number("timeout_ms", timeout_ms, 1)
        call = Call(
            request,
            self._timeout_ms if timeout_ms is None else timeout_ms,
            self._max_retries,
            is_repeatable,
            is_answer,
            create_redact([self._key, *private]),
        )
        return make_call(call, self._breaker)

    def _headers(self) -> Dict[str, str]:
        return {"authorization": f"Bearer {self._key}", "accept": "application/json"}


def _has_verdict(answer: Mapping[str, Any]) -> bool:
    return answer.get("verdict") in VERDICTS


def _check_number(name: str, value: Any, smallest: int) -> None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not smallest <= value <= _MAX_NUMBER:
        raise OptionsError("invalid_options", f"{name}: a number from {smallest} to {_MAX_NUMBER}.")


def _read_key(value: Any) -> str:
    key = value.strip() if isinstance(value, str) else ""
    if not re.match(r"sk_(?:live|test)_", key) or not _VISIBLE.fullmatch(key):
        raise OptionsError("invalid_options", "key: an API key begins with sk_live_ or sk_test_.")
    return key


def _read_url(value: Any) -> str:
    try:
        url = urlsplit(value.strip() if isinstance(value, str) else "")
        is_url = url.hostname is not None and (url.port is None or url.port > 0)
    except ValueError:
        is_url = False
    if not is_url:
        raise OptionsError("invalid_options", "url: the address of Gatehouse, such as http://127.0.0.1:8080.")
    if url.scheme not in ("http", "https") or "@" in url.netloc or url.query or url.fragment:
        raise OptionsError("invalid_options", "url: http:// or https://, without credentials, query or fragment.")
    return f"{url.scheme}://{url.netloc}{url.path}".rstrip("/")
