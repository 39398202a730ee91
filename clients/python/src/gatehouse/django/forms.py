"""Shows a decision in a form of Django: its errors, and the field that a challenge needs."""
from __future__ import annotations

from typing import Any, Dict, Optional

from django import forms
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext as _

from .._form import CODE_FIELD, FormDecision
from .conf import CAPTCHAS, find_captcha
from .signup import check_signup, find_challenge

CAPTCHA_FIELD = "gatehouse_captcha"


def protect_signup(request: HttpRequest, form: forms.BaseForm, email_field: str = "email") -> bool:
    """Whether the account may be created; otherwise the form says why. A form that is not valid is not assessed.

    ``request.gatehouse`` is the decision afterwards.
    """
    keep_code_field(request, form)
    if not form.is_valid():
        return False
    decision = check_signup(request, form.cleaned_data.get(email_field))
    if decision.decision == "allow":
        return True
    if decision.decision == "challenge":
        _ask(form, decision)
    elif decision.decision == "invalid":
        form.add_error(email_field, _("Please check your email address."))
    else:
        text = _("We cannot create this account. Reference: %(reference)s")
        form.add_error(None, text % {"reference": decision.reference})
    return False


def keep_code_field(request: HttpRequest, form: forms.BaseForm) -> None:
    """A challenged visitor still sees the field in a form that is refused for something else."""
    kept = find_challenge(request)
    if kept and not kept.get("captcha"):
        _add_code_field(form)


def _add_code_field(form: forms.BaseForm) -> None:
    form.fields[CODE_FIELD] = forms.CharField(
        required=False,
        label=_("Code from our mail"),
        help_text=_("Leave it empty if you have opened the link."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
    )


def _ask(form: forms.BaseForm, decision: FormDecision) -> None:
    if decision.problem == "unavailable":
        form.add_error(None, _("Please try again in a few minutes."))
        return
    if decision.asks_captcha:
        form.fields[CAPTCHA_FIELD] = forms.Field(required=False, label="", widget=CaptchaWidget())
        form.add_error(CAPTCHA_FIELD, _("Please show that you are a person."))
        return
    _add_code_field(form)
    is_wrong = decision.problem == "wrong_code"
    form.add_error(CODE_FIELD, _("This code is wrong.") if is_wrong else _("We have sent you a mail with a code."))


class CaptchaWidget(forms.Widget):
    """The element that the provider's script fills; it adds its own field to the form."""

    def render(self, name: str, value: Any, attrs: Optional[Dict[str, Any]] = None, renderer: Any = None) -> str:
        captcha = find_captcha()
        if captcha is None:
            return ""
        css_class, script = CAPTCHAS[captcha[0]]
        html = '<div class="{}" data-sitekey="{}"></div><script src="{}" async defer></script>'
        return format_html(html, css_class, captcha[1], script)
