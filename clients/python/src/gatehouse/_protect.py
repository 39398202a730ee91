"""Decides what happens to a signup: the verdict, or what was chosen for the case that there is none. It never raises."""
from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, Optional

from ._client_ip import TrustedProxies, client_ip
from ._errors import GatehouseError, InvalidRequestError
from ._ip_address import parse_ip_address
from ._request import RequestView
from ._warn import logger, warn_once
from .models import Assessment

#: Time in which a repeated form is the same signup.
_FORM_SECONDS = 600
#: Longer than any address can be: longer ones are not sent, so that nobody can make the request too large to answer.
_MAX_EMAIL_CHARACTERS = 1000
#: Longer than any session id: a visitor writes the cookie from which some applications take it.
_MAX_TEXT_CHARACTERS = 8192
#: What was sent about this signup cannot be used.
_UNUSABLE = ("invalid_email", "invalid_ip", "missing_field", "payload_too_large")
#: Members that a signup can be assessed without: a fault in one must neither refuse people nor let them in.
_DISPENSABLE = ("ip", "session_id", "brought_by", "Idempotency-Key")
_FORWARDING_HEADERS = ("x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip")

OnError = Callable[[GatehouseError], Any]


class Unset:
    """The value of ``ip`` where it is to be found in the request."""

    def __repr__(self) -> str:
        return "found in the request"


UNSET = Unset()


@dataclass(frozen=True)
class SignupDecision:
    #: ``allow``, ``challenge``, ``block``, or ``invalid``: the text cannot be an email address; ask for another one.
    decision: str
    #: ``None`` where there is no verdict.
    assessment: Optional[Assessment] = None
    #: The address that was sent; ``None`` where none is known.
    ip: Optional[str] = None
    #: Send no mail to the address before a proof that needs none, such as a CAPTCHA, also where the decision is ``allow``.
    mail_unwanted: bool = False
    #: The signup is allowed because Gatehouse failed, not because it was found good.
    failed_open: bool = False
    #: Why there is no verdict.
    error: Optional[GatehouseError] = None


@dataclass(frozen=True)
class Protection:
    trusted_proxies: Optional[TrustedProxies]
    on_failure: str
    mode: str
    on_error: Optional[OnError]


@dataclass(frozen=True)
class Signup:
    email: Any
    ip: Any
    peer: Optional[str]
    session_id: Any
    brought_by: Any
    idempotency_key: Any


#: Sends the members of a request with an idempotency key; ``None``: a random one.
Assess = Callable[[Dict[str, str], Optional[str]], Assessment]


def protect(assess: Assess, key: str, request: Any, signup: Signup, protection: Protection) -> SignupDecision:
    ip: Optional[str] = None
    try:
        ip = _find_ip(request, signup, protection)
        email = _read_email(signup.email)
        if email is None:
            raise _missing_email(signup.email)
        assessment = _assess(assess, key, email, ip, signup, protection)
        is_enforced = protection.mode == "enforce"
        return SignupDecision(
            assessment.verdict if is_enforced else "allow",
            assessment,
            ip,
            mail_unwanted=is_enforced and assessment.signals.email.mail_unwanted is True,
        )
    except _Unusable as unusable:
        # A mistyped address is nothing to report.
        decision = "allow" if protection.mode == "observe" else unusable.decision
        return SignupDecision(decision, ip=ip, error=unusable.error)
    except GatehouseError as error:
        return _without_verdict(error, ip, protection)
    except Exception as fault:  # noqa: BLE001: a fault of the client must not stop a signup either
        logger.exception("a fault of the client")
        return _without_verdict(GatehouseError("client_fault", type(fault).__name__), ip, protection)


class _Unusable(Exception):
    """What was sent about this signup cannot be used, and letting it in would let its sender choose to get past."""

    def __init__(self, error: GatehouseError, decision: str) -> None:
        super().__init__()
        self.error = error
        self.decision = decision


def _find_ip(request: Any, signup: Signup, protection: Protection) -> Optional[str]:
    if not isinstance(signup.ip, Unset):
        address = parse_ip_address(signup.ip) if isinstance(signup.ip, str) else None
        if address is None and signup.ip:
            warn_once("the ip is no address: signups are assessed without it")
        return None if address is None else str(address)
    view = RequestView(request)
    if protection.trusted_proxies is None and any(view.header(name) is not None for name in _FORWARDING_HEADERS):
        warn_once(
            "a proxy seems to be in front of this application: "
            "set trusted_proxies, otherwise the address of the proxy is assessed"
        )
    return client_ip(request, trusted_proxies=protection.trusted_proxies, peer=signup.peer)


def _assess(
    assess: Assess, key: str, email: str, ip: Optional[str], signup: Signup, protection: Protection
) -> Assessment:
    body = {
        "email": email,
        "ip": ip,
        "session_id": _read_text("session_id", signup.session_id, protection),
        "brought_by": _read_text("brought_by", signup.brought_by, protection),
    }
    if len(email) > _MAX_EMAIL_CHARACTERS:
        error = InvalidRequestError("invalid_email", "The email address is not valid.", param="email")
        raise _Unusable(error, "invalid")
    own_key = _read_text("Idempotency-Key", signup.idempotency_key, protection)
    request = {name: value for name, value in body.items() if value is not None}
    try:
        try:
            return assess(request, _derive_key(key, request) if own_key is None else own_key)
        except InvalidRequestError as error:
            if error.param not in _DISPENSABLE:
                raise
            report(error, protection)
            rest = {name: value for name, value in request.items() if name != error.param}
            return assess(rest, None)
    except GatehouseError as error:
        if error.code in _UNUSABLE and (error.code == "payload_too_large" or error.param == "email"):
            raise _Unusable(error, "invalid") from None
        if error.code in _UNUSABLE and error.param in _DISPENSABLE:
            raise _Unusable(error, "block") from None
        raise


def _derive_key(key: str, request: Dict[str, str]) -> str:
    """An equal key for a form that is sent again within ten minutes, so that it is one signup. It hides what is in it."""
    members = [request.get(name) for name in ("email", "ip", "session_id", "brought_by")]
    text = json.dumps([key, int(time.time() // _FORM_SECONDS), *members])
    return f"form-{hashlib.sha256(text.encode('ascii')).hexdigest()}"


def _read_email(value: Any) -> Optional[str]:
    """A field that comes twice is a list in some frameworks: its text is that of all. Other values are no email."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)) and value and all(isinstance(part, str) for part in value):
        return ",".join(value)
    return None


def _missing_email(value: Any) -> GatehouseError:
    message = (
        f"the email is {'None' if value is None else 'of the type ' + type(value).__name__}: "
        "is the body of the request parsed (a form or JSON), and is this the name of its field?"
    )
    return InvalidRequestError("missing_field", message, param="email")


def _read_text(param: str, value: Any, protection: Protection) -> Optional[str]:
    """A text that a signup can be assessed without; a number is its text. Any other value is reported and left out."""
    is_long = isinstance(value, str) and len(value) > _MAX_TEXT_CHARACTERS
    if value is None or (isinstance(value, str) and not is_long):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    fault = "longer than 8192 characters" if is_long else f"of the type {type(value).__name__}"
    message = f"the signup is assessed without {param}, which is {fault}"
    report(InvalidRequestError("missing_field", message, param=param), protection)
    return None


def _without_verdict(error: GatehouseError, ip: Optional[str], protection: Protection) -> SignupDecision:
    report(error, protection)
    is_challenge = protection.mode == "enforce" and protection.on_failure == "challenge"
    decision = "challenge" if is_challenge else "allow"
    return SignupDecision(decision, ip=ip, failed_open=decision == "allow", error=error)


def report(error: GatehouseError, protection: Protection) -> None:
    if protection.on_error is None:
        logger.warning("no verdict for a signup: %s: %s", error.code, error.message)
        return
    try:
        protection.on_error(error)
    except Exception:  # noqa: BLE001: a fault of the callback must not stop a signup
        logger.exception("on_error failed")
