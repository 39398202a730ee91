"""The protected signup page comes before those of django-allauth."""
from django.urls import include, path

from allauth_signup import ProtectedSignupView

urlpatterns = [
    path("accounts/signup/", ProtectedSignupView.as_view(), name="account_signup"),
    path("accounts/", include("allauth.account.urls")),
]
