from allauth.account.views import SignupView
from gatehouse.django import ProtectSignupMixin


class ProtectedSignupView(ProtectSignupMixin, SignupView):
    pass
