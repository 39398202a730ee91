"""Protects a view with a form, such as a ``CreateView`` of users or the signup page of django-allauth."""
from __future__ import annotations

from typing import Any

from .forms import keep_challenge, protect_signup


class ProtectSignupMixin:
    """Comes first among the bases of the view."""

    #: Name of the form's field with the address.
    gatehouse_email_field = "email"

    def get_form(self, *args: Any, **kwargs: Any) -> Any:
        form = super().get_form(*args, **kwargs)  # type: ignore[misc]
        keep_challenge(self.request, form)  # type: ignore[attr-defined]
        return form

    def form_valid(self, form: Any) -> Any:
        if protect_signup(self.request, form, self.gatehouse_email_field):  # type: ignore[attr-defined]
            return super().form_valid(form)  # type: ignore[misc]
        return self.form_invalid(form)  # type: ignore[attr-defined]
