"""Protects signup forms of Django. Add ``gatehouse.django`` to ``INSTALLED_APPS``; the settings are in ``GATEHOUSE``."""
from .._form import FormDecision
from .forms import protect_signup
from .mixin import ProtectSignupMixin
from .signup import check_signup

__all__ = ["FormDecision", "ProtectSignupMixin", "check_signup", "protect_signup"]
