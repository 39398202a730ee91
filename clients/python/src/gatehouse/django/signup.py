"""Decides about one signup of Django: keeps its challenge in the visitor's session, and sends the mail."""
from __future__ import annotations

import logging
import smtplib
from typing import Any, Mapping, Optional
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.core.mail import send_mail
from django.http import HttpRequest
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from .._errors import GatehouseError
from .._form import FormDecision
from ..models import ChallengeConfirmation
from .conf import find_captcha, find_check, get_client, read_settings

SESSION_KEY = "gatehouse_challenge"
logger = logging.getLogger("gatehouse")
#: Faults of the mail server or its settings. A visitor chooses the address, and with it all other refusals.
_AWAY = (smtplib.SMTPConnectError, smtplib.SMTPHeloError, smtplib.SMTPAuthenticationError, smtplib.SMTPServerDisconnected)


def check_signup(request: HttpRequest, email: Any, fields: Optional[Mapping[str, Any]] = None) -> FormDecision:
    """Raises only what Django itself answers, as for a forged ``Host``. Use it where there is no form of Django, as in an API: ``fields`` is then what the client sent.

    Call it after your own checks, before the account is created.
    """
    try:
        decision = _decide(request, email, request.POST if fields is None else fields)
    except GatehouseError as error:
        logger.error("no verdict for a signup: the settings: %s", error)
        decision = _without_verdict()
    except SuspiciousOperation:
        raise
    except Exception:  # noqa: BLE001: a fault of the package must not stop a signup either
        logger.exception("no verdict for a signup: a fault")
        decision = _without_verdict()
    request.gatehouse = decision  # type: ignore[attr-defined]
    return decision


def _decide(request: HttpRequest, email: Any, fields: Mapping[str, Any]) -> FormDecision:
    captcha = find_captcha()
    site = _find_site(request)
    decision = get_client().protect_form(
        request,
        email,
        fields=fields,
        challenge=find_challenge(request),
        return_url=None if site is None else f"{site}{request.path}",
        captcha=False if captcha is None else captcha[0],
        check=find_check(),
    )
    if decision.mail is not None:
        decision = _send(request, str(email), decision, decision.mail)
    _keep(request, decision)
    return decision


def _without_verdict() -> FormDecision:
    if read_settings().get("ON_FAILURE") == "challenge":
        return FormDecision("challenge", problem="unavailable")
    return FormDecision("allow", must_confirm=True)


def _find_site(request: HttpRequest) -> Optional[str]:
    """The address of the site, without a slash at its end; ``None``: nothing but the visitor says what it is."""
    own = read_settings().get("SITE_URL")
    if own:
        return str(own).rstrip("/")
    return None if "*" in settings.ALLOWED_HOSTS else f"{request.scheme}://{request.get_host()}"


def find_challenge(request: HttpRequest) -> Any:
    """What was kept of the visitor's last signup; ``None``: nothing."""
    session = getattr(request, "session", None)
    return None if session is None else session.get(SESSION_KEY)


def _keep(request: HttpRequest, decision: FormDecision) -> None:
    if getattr(request, "session", None) is None:
        if decision.challenge is not None:
            logger.error("nobody can answer a challenge: there are no sessions")
        return
    if decision.challenge is not None:
        request.session[SESSION_KEY] = decision.challenge
    elif find_challenge(request) is not None:
        del request.session[SESSION_KEY]


def _send(request: HttpRequest, email: str, decision: FormDecision, mail: ChallengeConfirmation) -> FormDecision:
    own = read_settings().get("SEND_MAIL")
    send = import_string(own) if isinstance(own, str) else own or send_confirmation
    try:
        send(request, email, mail)
    except Exception as error:  # noqa: BLE001: a mail server that is away must not stop a signup
        if _is_away(error):
            logger.exception("no verdict for a signup: the mail with the code could not be sent")
            return _without_verdict()
        logger.exception("the mail with the code was refused: the signup is not let in")
        return FormDecision("invalid", reference=decision.reference, signup=decision.signup)
    return decision


def _is_away(error: Exception) -> bool:
    """Whether nobody can be mailed. Exceptions of SMTP are of the kind ``OSError``, too."""
    return isinstance(error, _AWAY) or (isinstance(error, OSError) and not isinstance(error, smtplib.SMTPException))


def send_confirmation(request: HttpRequest, email: str, mail: ChallengeConfirmation) -> None:
    """Sends the usual mail. Your own function for ``SEND_MAIL`` has the same arguments."""
    subject = _("Your code: %(code)s") % {"code": mail.code}
    site = _find_site(request)
    first = _("Somebody, probably you, signs up with this address.")
    if site is not None:
        first = _("Somebody, probably you, signs up at %(host)s with this address.") % {"host": urlsplit(site).netloc}
    rest = _(
        "Enter this code there: %(code)s\n"
        "Or open this page, and press its button: %(link)s\n\n"
        "If it was not you, ignore this mail: no account is created."
    ) % {"code": mail.code, "link": mail.link}
    text = f"{first}\n\n{rest}"
    send_mail(subject, text, None, [email])
