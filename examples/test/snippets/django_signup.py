"""Signs up on the real signup page of django-allauth, on a database in memory, behind one proxy."""
import json
import os
import sys

sys.path.insert(0, sys.argv[1])

import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["testserver"],
    SECRET_KEY="only for this test",
    GATEHOUSE_URL=os.environ["GATEHOUSE_URL"],
    GATEHOUSE_KEY=os.environ["GATEHOUSE_KEY"],
    TRUSTED_PROXY_COUNT=1,
    ROOT_URLCONF="urls",
    AUTH_PASSWORD_VALIDATORS=[{"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"}],
    SITE_ID=1,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend",
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "django.contrib.sites",
        "allauth",
        "allauth.account",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
        }
    ],
    AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
    ACCOUNT_ADAPTER="allauth_signup.AccountAdapter",
    ACCOUNT_AUTHENTICATION_METHOD="email",
    ACCOUNT_EMAIL_REQUIRED=True,
    ACCOUNT_EMAIL_VERIFICATION="none",
    ACCOUNT_USERNAME_REQUIRED=False,
    ACCOUNT_RATE_LIMITS={},
    LOGIN_REDIRECT_URL="/welcome",
)
django.setup()

from django.contrib.auth import get_user_model
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.test.utils import setup_test_environment

setup_test_environment()
call_command("migrate", verbosity=0)


def sign_up(email, ip, password="correct horse battery"):
    client = Client(enforce_csrf_checks=True)
    form = client.get("/accounts/signup/")
    answer = client.post(
        "/accounts/signup/",
        {
            "email": email,
            "password1": password,
            "password2": password,
            "csrfmiddlewaretoken": form.context["csrf_token"],
        },
        REMOTE_ADDR="10.0.0.1",
        HTTP_X_FORWARDED_FOR=f"198.51.100.1, {ip}",
    )
    created = get_user_model().objects.filter(email=email).delete()[0] > 0
    asked = len(mail.outbox) > 0
    mail.outbox.clear()
    if answer.status_code == 200:
        assert not created and not asked
        errors = answer.context["form"].errors
        return {"denied": " ".join(text for texts in errors.values() for text in texts), "marked": False}
    assert created and answer.status_code == 302, answer.status_code
    assert (answer["Location"] == "/accounts/confirm-email/") == asked, answer["Location"]
    return {"denied": None, "marked": asked}


for line in sys.stdin:
    print("outcome " + json.dumps(sign_up(**json.loads(line))), flush=True)
