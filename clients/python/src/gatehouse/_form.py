"""Carries a whole signup form through its challenge: it is sent, asks for a code or a CAPTCHA, and is sent again with the answer."""
from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, Mapping, Optional, Union

from ._errors import GatehouseError, InvalidRequestError
from ._protect import Protection, SignupDecision, report
from ._warn import logger
from .models import ChallengeConfirmation, ChallengeResponse

#: Field of a form with the code from the mail.
CODE_FIELD = "gatehouse_code"
#: Field that the widget of a CAPTCHA adds to its form → how its response is redeemed.
CAPTCHA_FIELDS = {
    "cf-turnstile-response": "turnstile",
    "h-captcha-response": "hcaptcha",
    "g-recaptcha-response": "recaptcha",
}
#: Mails for one challenge: a form that is sent again and again must not fill a stranger's mailbox.
_MAX_MAILS = 3
#: Longest answers that the service reads. Longer ones are wrong and are not sent: a request that is too large has no answer,
#: and a visitor must not be let in by that.
_MAX_CODE_CHARACTERS = 20
_MAX_CAPTCHA_CHARACTERS = 8192
_MAX_RETURN_URL_CHARACTERS = 2048
#: Challenges that no answer can settle any more: the signup is assessed again.
_OVER = ("challenge_expired", "challenge_invalid", "challenge_redeemed")


@dataclass(frozen=True)
class FormDecision:
    """What to do with a form that was sent."""

    #: ``allow``: create the account. ``challenge``: show the form again, with a field for the code or the CAPTCHA.
    #: ``block``, or ``invalid``: the text cannot be an email address; ask for another one.
    decision: str
    #: Keep it on your server, in the visitor's session, until the form is sent again. ``None``: forget what was kept.
    challenge: Optional[Dict[str, Any]] = None
    #: Send its link, its code or both to the address now; ``None``: send nothing.
    mail: Optional[ChallengeConfirmation] = None
    #: With ``challenge``: whether a CAPTCHA is asked for, instead of the code from the mail.
    asks_captcha: bool = False
    #: With ``challenge``: what was wrong with the answer, ``wrong_code`` or ``captcha``; ``None`` the first time.
    #: ``unavailable``: Gatehouse gave no answer, ``on_failure`` is ``challenge``, and there is nothing to ask: try again later.
    problem: Optional[str] = None
    #: With ``allow``: the visitor was challenged, but Gatehouse gives no tokens. Confirm the address in your own way.
    must_confirm: bool = False
    #: The person's reference for your support: the id of the signup, or ``none``.
    reference: str = "none"
    #: The assessment behind it; ``None`` where an answer to a challenge decided.
    signup: Optional[SignupDecision] = None


_UNAVAILABLE = FormDecision("challenge", problem="unavailable")


@dataclass(frozen=True)
class SentForm:
    """A form as it came. ``fields``: all that it sent. ``protect``: assesses it, with an idempotency key of its own or ``None``."""

    email: Any
    fields: Mapping[str, Any]
    challenge: Optional[Mapping[str, Any]]
    return_url: Optional[str]
    #: Name of the provider; ``True``: any.
    captcha: Union[bool, str]
    protect: Callable[[Optional[str]], SignupDecision]
    redeem: Callable[..., ChallengeResponse]


def decide_form(form: SentForm, key: str, protection: Protection) -> FormDecision:
    """Never raises: without an answer from Gatehouse, ``on_failure`` decides."""
    pending = None
    try:
        pending = _read_pending(form, key)
        if pending is None:
            return _begin(form, key, form.protect(None))
        return _continue(form, key, pending)
    except GatehouseError as error:
        return _without_answer(error, pending, protection)
    except Exception as fault:  # noqa: BLE001: a fault of the client must not stop a signup either
        logger.exception("a fault of the client")
        return _without_answer(GatehouseError("client_fault", type(fault).__name__), pending, protection)


def _continue(form: SentForm, key: str, pending: Dict[str, Any]) -> FormDecision:
    answer = _read_answer(form, pending)
    if any(len(text) > _longest(name) for name, text in answer.items()):
        return _refuse(pending, answer)
    try:
        return _settle(form, pending, answer)
    except InvalidRequestError as error:
        if error.code in _OVER:
            return _begin(form, key, form.protect(_name_of("again", pending["token"])))
        if not answer:
            raise
        # A value that the visitor may have chosen does not let them in.
        return _refuse(pending, answer)


def _longest(name: str) -> int:
    return _MAX_CODE_CHARACTERS if name == "code" else _MAX_CAPTCHA_CHARACTERS


def _refuse(pending: Dict[str, Any], answer: Dict[str, str]) -> FormDecision:
    return _ask(pending, problem="wrong_code" if "code" in answer else "captcha")


def _begin(form: SentForm, key: str, signup: SignupDecision) -> FormDecision:
    decision = _start(form, key, signup)
    return replace(decision, signup=signup, reference=_reference(signup))


def _start(form: SentForm, key: str, signup: SignupDecision) -> FormDecision:
    if signup.decision != "challenge":
        # A mail of yours would reach a stranger.
        return FormDecision("block" if signup.decision == "allow" and signup.mail_unwanted else signup.decision)
    if signup.assessment is None:
        return _UNAVAILABLE
    offer = signup.assessment.challenge
    if offer is None:
        return FormDecision("block") if signup.mail_unwanted else FormDecision("allow", must_confirm=True)
    mails = _MAX_MAILS if _is_repeated(signup) else 0
    pending = {"token": offer.token, "for": _digest(key, form.email), "mails": mails, "by_mail": not signup.mail_unwanted}
    try:
        return _ask_first(form, pending)
    except InvalidRequestError as error:
        if error.code not in _OVER:
            raise
        # The answer to an equal form was repeated, with a token that is used up.
        repeated = form.protect(_name_of("again", offer.token))
        is_new = _token_of(repeated) not in (None, offer.token)
        return _start(form, key, repeated) if is_new or repeated.decision != "challenge" else FormDecision("block")


def _is_repeated(signup: SignupDecision) -> bool:
    """An equal form came before, from a visitor without her session: another mail for each would fill a mailbox."""
    meta = None if signup.assessment is None else signup.assessment.meta
    # The client's own second try is no second form.
    return meta is not None and meta.replayed and meta.tries == 1


def _ask_first(form: SentForm, pending: Dict[str, Any]) -> FormDecision:
    if form.captcha:
        return _ask({**pending, "captcha": True})
    return _order_mail(form, pending) if pending["by_mail"] else FormDecision("block")


def _read_answer(form: SentForm, pending: Dict[str, Any]) -> Dict[str, str]:
    """What the visitor answered to the challenge, as it is redeemed; empty where she sent nothing that was asked for."""
    if pending.get("captcha"):
        for field, name in CAPTCHA_FIELDS.items():
            if form.captcha in (True, name) and form.fields.get(field):
                return {name: str(form.fields[field])}
        return {}
    code = str(form.fields.get(CODE_FIELD) or "").strip()
    return {"code": code} if code else {}


def _settle(form: SentForm, pending: Dict[str, Any], answer: Dict[str, str]) -> FormDecision:
    token = pending["token"]
    name = _name_of("form", token)
    result = form.redeem(token, idempotency_key=name, **answer) if answer else form.redeem(token)
    if result.status == "passed" and not answer:
        # The link of the mail was opened, maybe elsewhere.
        result = form.redeem(token, idempotency_key=name, outcome="passed")
    if result.status == "passed":
        return FormDecision("allow", reference=result.request_id)
    if result.status == "failed":
        return FormDecision("block", challenge=pending, reference=result.request_id)
    if pending.get("captcha") and result.status == "pending":
        return _ask(pending, problem="captcha" if answer else None)
    # The provider of the CAPTCHA is away, or the form was sent again for another mail.
    return _order_mail(form, pending) if pending["by_mail"] else _ask(pending, problem="captcha")


def _order_mail(form: SentForm, pending: Dict[str, Any]) -> FormDecision:
    if pending["mails"] >= _MAX_MAILS:
        return _ask(pending)
    token = pending["token"]
    # It may come from a header that the visitor wrote.
    is_usable = isinstance(form.return_url, str) and len(form.return_url) <= _MAX_RETURN_URL_CHARACTERS
    try:
        order = form.redeem(token, confirm={"return_url": form.return_url} if is_usable else {})
    except InvalidRequestError as error:
        if not is_usable or error.param not in ("return_url", "confirm"):
            raise
        order = form.redeem(token, confirm={})
    if order.confirmation is None:
        raise InvalidRequestError("challenge_redeemed", "The challenge has a result.", param="token")
    asked = {name: value for name, value in pending.items() if name != "captcha"}
    return _ask({**asked, "mails": pending["mails"] + 1}, mail=order.confirmation)


def _ask(pending: Dict[str, Any], **members: Any) -> FormDecision:
    return FormDecision("challenge", challenge=pending, asks_captcha=bool(pending.get("captcha")), **members)


def _without_answer(error: GatehouseError, pending: Optional[Dict[str, Any]], protection: Protection) -> FormDecision:
    report(error, protection)
    if protection.mode == "enforce" and protection.on_failure == "challenge":
        return _UNAVAILABLE if pending is None else _ask(pending)
    return FormDecision("allow", must_confirm=True)


def _read_pending(form: SentForm, key: str) -> Optional[Dict[str, Any]]:
    """The challenge that was kept, where it is for this address: a visitor may have corrected it."""
    kept = form.challenge
    is_ours = isinstance(kept, Mapping) and isinstance(kept.get("token"), str) and isinstance(kept.get("mails"), int)
    return {"by_mail": False, **kept} if kept is not None and is_ours and kept.get("for") == _digest(key, form.email) else None


def _digest(key: str, email: Any) -> str:
    return hashlib.sha256(json.dumps([key, str(email).strip().lower()]).encode("ascii")).hexdigest()


def _name_of(purpose: str, token: str) -> str:
    """An idempotency key: a form that is sent twice hears the same result."""
    return f"{purpose}-{hashlib.sha256(token.encode()).hexdigest()}"


def _token_of(signup: SignupDecision) -> Optional[str]:
    assessment = signup.assessment
    return None if assessment is None or assessment.challenge is None else assessment.challenge.token


def _reference(signup: SignupDecision) -> str:
    return "none" if signup.assessment is None else signup.assessment.request_id
