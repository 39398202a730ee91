from django.apps import apps
from django.urls import include, path

from shop.views import SignupView, signup, welcome

urlpatterns = [
    path("signup/", SignupView.as_view()),
    path("signup-by-function/", signup),
    path("welcome/", welcome),
]

if apps.is_installed("allauth"):
    from shop.allauth_signup import ProtectedSignupView

    # Before the pages of django-allauth: the first that fits is taken.
    urlpatterns += [
        path("accounts/signup/", ProtectedSignupView.as_view(), name="account_signup"),
        path("accounts/", include("allauth.account.urls")),
    ]
