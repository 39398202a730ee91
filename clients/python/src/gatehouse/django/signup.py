"""Decides about one signup of Django: keeps its challenge in the visitor's session, and sends the mail."""
from __future__ import annotations

import logging
from typing import Any, Mapping, Optional

from django.core.mail import send_mail
from django.http import HttpRequest
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from .._errors import GatehouseError
from .._form import FormDecision
from ..models import ChallengeConfirmation
from .conf import find_captcha, get_client, read_settings

SESSION_KEY = "gatehouse_challenge"
logger = logging.getLogger("gatehouse")


def check_signup(request: HttpRequest, email: Any, fields: Optional[Mapping[str, Any]] = None) -> FormDecision:
    """Never raises. Use it where there is no form of Django, as in an API: ``fields`` is then what the client sent.

    Call it after your own checks, before the account is created.
    """
    try:
        decision = get_client().protect_form(
            request,
            email,
            fields=request.POST if fields is None else fields,
            challenge=find_challenge(request),
            return_url=request.build_absolute_uri(request.path),
            captcha=find_captcha() is not None,
        )
        _keep(request, decision)
        if decision.mail is not None:
            _send(request, str(email), decision.mail)
    except GatehouseError as error:
        logger.error("no verdict for a signup: the settings: %s", error)
        decision = FormDecision("allow", must_confirm=True)
    except Exception:  # noqa: BLE001: a mail server that is away must not stop a signup either
        logger.exception("no verdict for a signup: a fault")
        decision = FormDecision("allow", must_confirm=True)
    request.gatehouse = decision  # type: ignore[attr-defined]
    return decision


def find_challenge(request: HttpRequest) -> Any:
    """What was kept of the visitor's last signup; ``None``: nothing."""
    session = getattr(request, "session", None)
    return None if session is None else session.get(SESSION_KEY)


def _keep(request: HttpRequest, decision: FormDecision) -> None:
    if decision.challenge is not None:
        request.session[SESSION_KEY] = decision.challenge
    elif find_challenge(request) is not None:
        del request.session[SESSION_KEY]


def _send(request: HttpRequest, email: str, mail: ChallengeConfirmation) -> None:
    own = read_settings().get("SEND_MAIL")
    send = import_string(own) if isinstance(own, str) else own or send_confirmation
    send(request, email, mail)


def send_confirmation(request: HttpRequest, email: str, mail: ChallengeConfirmation) -> None:
    """Sends the usual mail. Your own function for ``SEND_MAIL`` has the same arguments."""
    subject = _("Your code: %(code)s") % {"code": mail.code}
    text = _(
        "Somebody, probably you, signs up at %(host)s with this address.\n\n"
        "Enter this code there: %(code)s\n"
        "Or open this page, and press its button: %(link)s\n\n"
        "If it was not you, ignore this mail: no account is created."
    ) % {"host": request.get_host(), "code": mail.code, "link": mail.link}
    send_mail(subject, text, None, [email])
