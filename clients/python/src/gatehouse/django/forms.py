"""Shows a decision in a form of Django: its errors, and the field that a challenge needs."""
from __future__ import annotations

from typing import Any, Dict, Optional

from django import forms
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from .._form import CODE_FIELD, FormDecision
from .._proof_field import PROOF_FIELD, PROOF_TEXTS, proof_field
from .conf import CAPTCHAS, find_captcha
from .signup import check_signup, find_challenge

CAPTCHA_FIELD = "gatehouse_captcha"
_PROOF = "Please send the form again. Your browser calculates for some seconds first, which makes mass sign-ups by programs expensive."
_PROOF_WRONG = "The check did not succeed. Please send the form again."
_MAILS_USED = "We have sent several mails for this sign-up. Use the newest one."
_MAILBOX_FULL = "This address has had many mails, maybe by others. Please try again later, and use no mail that you did not ask for."


def protect_signup(request: HttpRequest, form: forms.BaseForm, email_field: str = "email") -> bool:
    """Whether the account may be created; otherwise the form says why. A form that is not valid is not assessed.

    ``request.gatehouse`` is the decision afterwards.
    """
    keep_challenge(request, form)
    if not form.is_valid():
        return False
    decision = check_signup(request, form.cleaned_data.get(email_field))
    if decision.decision == "allow":
        return True
    if decision.decision == "challenge":
        _ask(request, form, decision)
    elif decision.decision == "invalid":
        form.add_error(email_field, _("Please check your email address."))
    else:
        text = _("We cannot create this account. Reference: %(reference)s")
        form.add_error(None, text % {"reference": decision.reference})
    return False


def keep_challenge(request: HttpRequest, form: forms.BaseForm) -> None:
    """A challenged visitor still sees the challenge in a form that is refused for something else."""
    kept = find_challenge(request)
    if not kept or kept.get("captcha"):
        return
    if kept.get("proof"):
        _add_proof_field(request, form, kept["proof"], kept["token"])
    else:
        _add_code_field(form)


def _add_code_field(form: forms.BaseForm) -> None:
    form.fields[CODE_FIELD] = forms.CharField(
        required=False,
        label=_("Code from our mail"),
        help_text=_("Leave it empty if you have opened the link."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
    )


def _add_proof_field(request: HttpRequest, form: forms.BaseForm, proof: str, reference: str) -> None:
    widget = ProofWidget(proof, reference, find_nonce(request))
    form.fields[PROOF_FIELD] = forms.Field(required=False, label="", widget=widget)


def find_nonce(request: HttpRequest) -> str:
    """The nonce of django-csp, or of Django 6 and later; empty where there is none."""
    nonce = getattr(request, "csp_nonce", None)
    if nonce is None:
        nonce = getattr(request, "_csp_nonce", None)
    return "" if nonce is None else str(nonce)


def _ask(request: HttpRequest, form: forms.BaseForm, decision: FormDecision) -> None:
    if decision.problem == "unavailable":
        form.add_error(None, _("Please try again in a few minutes."))
    elif decision.problem == "mailbox_full":
        form.add_error(None, _(_MAILBOX_FULL))
    elif decision.asks_captcha:
        form.fields[CAPTCHA_FIELD] = forms.Field(required=False, label="", widget=CaptchaWidget())
        form.add_error(CAPTCHA_FIELD, _("Please show that you are a person."))
    elif decision.proof is not None:
        _add_proof_field(request, form, decision.proof, decision.reference)
        form.add_error(PROOF_FIELD, _(_PROOF_WRONG if decision.problem == "proof" else _PROOF))
    else:
        _add_code_field(form)
        texts = {"wrong_code": _("This code is wrong."), "mails_used": _(_MAILS_USED)}
        form.add_error(CODE_FIELD, texts.get(decision.problem or "", _("We have sent you a mail with a code.")))


class ProofWidget(forms.Widget):
    """The part in which the visitor's browser does a proof of work."""

    def __init__(self, proof: str, reference: str, nonce: str) -> None:
        super().__init__()
        self._proof = (proof, reference, nonce)

    def render(self, name: str, value: Any, attrs: Optional[Dict[str, Any]] = None, renderer: Any = None) -> str:
        proof, reference, nonce = self._proof
        texts = {name: _(text) for name, text in PROOF_TEXTS.items()}
        return mark_safe(proof_field(proof, reference, nonce=nonce, texts=texts))


class CaptchaWidget(forms.Widget):
    """The element that the provider's script fills; it adds its own field to the form."""

    def render(self, name: str, value: Any, attrs: Optional[Dict[str, Any]] = None, renderer: Any = None) -> str:
        captcha = find_captcha()
        if captcha is None:
            return ""
        css_class, script = CAPTCHAS[captcha[0]]
        html = '<div class="{}" data-sitekey="{}"></div><script src="{}" async defer></script>'
        return format_html(html, css_class, captcha[1], script)
