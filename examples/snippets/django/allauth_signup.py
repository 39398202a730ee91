"""The same for django-allauth: its signup page, and a confirmed address after a challenge."""
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.views import SignupView

from gatehouse import ProtectSignupMixin


class ProtectedSignupView(ProtectSignupMixin, SignupView):
    pass


class AccountAdapter(DefaultAccountAdapter):
    def pre_login(self, request, user, *, email_verification, **others):
        if getattr(request, "gatehouse", {}).get("verdict") == "challenge":
            email_verification = "mandatory"
        return super().pre_login(request, user, email_verification=email_verification, **others)
