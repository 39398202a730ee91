"""Carries a whole signup form through its challenge: it is sent, asks for a proof of work, a code or a CAPTCHA, and is sent again with the answer."""
from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, Mapping, Optional, Union

from ._errors import GatehouseError, InvalidRequestError
from ._proof_field import PROOF_FIELD
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
#: Refusal of another mail: the service counts them, because a form that is sent again and again must fill nobody's mailbox.
_MAILS_USED = "challenge_mails_used"
_MAILBOX_FULL = "challenge_mailbox_full"
#: Longest answers that the service reads. Longer ones are wrong and are not sent: a request that is too large has no answer,
#: and a visitor must not be let in by that.
_MAX_CODE_CHARACTERS = 20
_MAX_RESPONSE_CHARACTERS = 8192
_MAX_RETURN_URL_CHARACTERS = 2048
#: Member of a redemption → problem with it; the others are CAPTCHAs.
_PROBLEMS = {"code": "wrong_code", "altcha": "proof"}
#: Challenges that no answer can settle any more: the signup is assessed again.
_OVER = ("challenge_expired", "challenge_invalid", "challenge_redeemed")


@dataclass(frozen=True)
class FormDecision:
    """What to do with a form that was sent."""

    #: ``allow``: create the account. ``challenge``: show the form again, with the proof of work, a field for the code, or the CAPTCHA.
    #: ``block``, or ``invalid``: the text cannot be an email address; ask for another one.
    decision: str
    #: Keep it on your server, in the visitor's session, until the form is sent again. ``None``: forget what was kept.
    challenge: Optional[Dict[str, Any]] = None
    #: Send its link, its code or both to the address now; ``None``: send nothing.
    mail: Optional[ChallengeConfirmation] = None
    #: With ``challenge``: whether a CAPTCHA is asked for, instead of the code from the mail.
    asks_captcha: bool = False
    #: With ``challenge``: the proof of work that the visitor's browser does, for ``proof_field``; ``None``: something else is asked for.
    proof: Optional[str] = None
    #: With ``challenge``: what was wrong with the answer, ``wrong_code``, ``captcha`` or ``proof``; ``None`` the first time.
    #: ``mails_used``: the signup gets no other mail; the code of the newest one still counts. ``mailbox_full``: others have used up
    #: the mails of the address; there is nothing to ask for, and she may try again later.
    #: ``unavailable``: Gatehouse gave no answer, ``on_failure`` is ``challenge``, and there is nothing to ask: try again later.
    problem: Optional[str] = None
    #: With ``allow``: there was no verdict, or no answer about the challenge. Confirm the address in your own way.
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
    #: ``proof`` or ``mail``; ``None``: a mail where Gatehouse gives tokens, otherwise a proof of work.
    check: Optional[str]
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
    return _MAX_CODE_CHARACTERS if name == "code" else _MAX_RESPONSE_CHARACTERS


def _refuse(pending: Dict[str, Any], answer: Dict[str, str]) -> FormDecision:
    return _ask(pending, problem=_PROBLEMS.get(next(iter(answer)), "captcha"))


def _begin(form: SentForm, key: str, signup: SignupDecision) -> FormDecision:
    decision = _start(form, key, signup, True)
    return replace(decision, signup=signup, reference=_reference(signup))


def _start(form: SentForm, key: str, signup: SignupDecision, may_repeat: bool) -> FormDecision:
    if signup.decision != "challenge":
        # A mail of yours would reach a stranger.
        return FormDecision("block" if signup.decision == "allow" and signup.mail_unwanted else signup.decision)
    if signup.assessment is None:
        return _UNAVAILABLE
    if signup.mail_unwanted and not form.captcha:
        return FormDecision("block")
    offer = signup.assessment.challenge
    has_mail = form.check == "mail" or (form.check != "proof" and offer is not None)
    token = signup.assessment.request_id if offer is None else offer.token
    # One session is told the result of a challenge: the attempt names it.
    pending = {"token": token, "for": _digest(key, form.email), "attempt": secrets.token_hex(8)}
    try:
        return _ask_first(form, {**pending, "by_mail": has_mail and not signup.mail_unwanted, "unwanted": signup.mail_unwanted}, signup.assessment.request_id)
    except InvalidRequestError as error:
        if error.code not in _OVER:
            raise
        if not may_repeat:
            return _UNAVAILABLE
        # The answer to an equal form was repeated, with a challenge that is used up.
        repeated = form.protect(_name_of("again", token))
        is_new = _id_of(repeated) not in (None, signup.assessment.request_id)
        return _start(form, key, repeated, False) if is_new or repeated.decision != "challenge" else FormDecision("block")


def _ask_first(form: SentForm, pending: Dict[str, Any], request_id: str) -> FormDecision:
    if form.captcha:
        return _ask({**pending, "captcha": True})
    return _order_mail(form, pending) if pending["by_mail"] else _order_proof(form, {**pending, "token": request_id})


def _order_proof(form: SentForm, pending: Dict[str, Any]) -> FormDecision:
    pending = {name: value for name, value in pending.items() if name != "captcha"}
    order = form.redeem(pending["token"], proof={})
    if order.proof is None:
        raise InvalidRequestError("challenge_redeemed", "The challenge has a result.", param="token")
    # The id may be shown to the visitor, a token never.
    return _ask({**pending, "token": order.request_id, "proof": order.proof.challenge})


def _read_answer(form: SentForm, pending: Dict[str, Any]) -> Dict[str, str]:
    """What the visitor answered to the challenge, as it is redeemed; empty where she sent nothing that was asked for."""
    if pending.get("captcha"):
        for field, name in CAPTCHA_FIELDS.items():
            if form.captcha in (True, name) and form.fields.get(field):
                return {name: str(form.fields[field])}
        return {}
    if pending.get("proof"):
        solved = str(form.fields.get(PROOF_FIELD) or "")
        return {"altcha": solved} if solved else {}
    code = str(form.fields.get(CODE_FIELD) or "").strip()
    return {"code": code} if code else {}


def _settle(form: SentForm, pending: Dict[str, Any], answer: Dict[str, str]) -> FormDecision:
    token = pending["token"]
    name = _name_of("form", f"{token} {pending.get('attempt')}")
    result = form.redeem(token, idempotency_key=name, **answer) if answer else form.redeem(token)
    if result.status == "passed" and not answer:
        # The link of the mail was opened, maybe elsewhere.
        result = form.redeem(token, idempotency_key=name, outcome="passed")
    if result.status == "passed":
        return FormDecision("allow", reference=result.request_id)
    if result.status == "failed":
        return FormDecision("block", challenge=pending, reference=result.request_id)
    if pending.get("proof"):
        return _ask(pending)
    if pending.get("captcha") and result.status == "pending":
        return _ask(pending, problem="captcha" if answer else None)
    # The provider of the CAPTCHA is away, or the form was sent again for another mail.
    if pending["by_mail"]:
        return _order_mail(form, pending)
    return _ask(pending, problem="captcha") if pending.get("unwanted", True) else _order_proof(form, pending)


def _order_mail(form: SentForm, pending: Dict[str, Any]) -> FormDecision:
    asked = {name: value for name, value in pending.items() if name != "captcha"}
    try:
        order = _order(form, pending["token"])
    except InvalidRequestError as error:
        if error.code == _MAILBOX_FULL:
            # The newest mail belongs to somebody else's form: nothing is asked for.
            return FormDecision("challenge", problem="mailbox_full")
        if error.code == _MAILS_USED:
            return _ask(asked, problem="mails_used")
        if error.code in _OVER:
            raise
        logger.warning("no mail can be ordered, so a proof of work is asked for: %s", error.message)
        return _order_proof(form, pending)
    if order.confirmation is None:
        raise InvalidRequestError("challenge_redeemed", "The challenge has a result.", param="token")
    return _ask(asked, mail=order.confirmation)


def _order(form: SentForm, token: str) -> ChallengeResponse:
    # It may come from a header that the visitor wrote.
    is_usable = isinstance(form.return_url, str) and len(form.return_url) <= _MAX_RETURN_URL_CHARACTERS
    try:
        return form.redeem(token, confirm={"return_url": form.return_url} if is_usable else {})
    except InvalidRequestError as error:
        if not is_usable or error.code in (_MAILS_USED, _MAILBOX_FULL) or error.param not in ("return_url", "confirm"):
            raise
        return form.redeem(token, confirm={})


def _ask(pending: Dict[str, Any], **members: Any) -> FormDecision:
    asked = {"asks_captcha": bool(pending.get("captcha")), "proof": pending.get("proof"), "reference": _shown_of(pending)}
    return FormDecision("challenge", challenge=pending, **{**asked, **members})


def _shown_of(pending: Dict[str, Any]) -> str:
    """A token that is no id is never shown."""
    token = pending["token"]
    return token if token.startswith("req_") else "none"


def _without_answer(error: GatehouseError, pending: Optional[Dict[str, Any]], protection: Protection) -> FormDecision:
    report(error, protection)
    if protection.mode == "enforce" and protection.on_failure == "challenge":
        return _UNAVAILABLE if pending is None else _ask(pending)
    return FormDecision("allow", must_confirm=True)


def _read_pending(form: SentForm, key: str) -> Optional[Dict[str, Any]]:
    """The challenge that was kept, where it is for this address: a visitor may have corrected it."""
    kept = form.challenge
    is_ours = isinstance(kept, Mapping) and isinstance(kept.get("token"), str)
    return {"by_mail": False, **kept} if kept is not None and is_ours and kept.get("for") == _digest(key, form.email) else None


def _digest(key: str, email: Any) -> str:
    return hashlib.sha256(json.dumps([key, str(email).strip().lower()]).encode("ascii")).hexdigest()


def _name_of(purpose: str, token: str) -> str:
    """An idempotency key: a form that is sent twice hears the same result."""
    return f"{purpose}-{hashlib.sha256(token.encode()).hexdigest()}"


def _id_of(signup: SignupDecision) -> Optional[str]:
    return None if signup.assessment is None else signup.assessment.request_id


def _reference(signup: SignupDecision) -> str:
    return _id_of(signup) or "none"
