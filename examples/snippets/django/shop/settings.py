import os
from pathlib import Path

DATA = Path(os.environ.get("DATA_FOLDER", "."))
SECRET_KEY = os.environ.get("SECRET_KEY", "only for this example")
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
ROOT_URLCONF = "shop.urls"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA / "shop.sqlite3"}}
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
EMAIL_PORT = int(os.environ.get("SMTP_PORT", "25"))
AUTH_PASSWORD_VALIDATORS = [{"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"}]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [Path(__file__).parent / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "gatehouse.django",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]

GATEHOUSE = {
    "URL": os.environ["GATEHOUSE_URL"],
    "KEY": os.environ["GATEHOUSE_KEY"],
    # Proxies in front of Django. Without this line, the address of the connection is used.
    "TRUSTED_PROXIES": ["loopback"],
}

GATEHOUSE["TIMEOUT_MS"] = int(os.environ.get("GATEHOUSE_TIMEOUT_MS", "3000"))
if "CAPTCHA_SITE_KEY" in os.environ:
    GATEHOUSE["CAPTCHA"] = {"turnstile": os.environ["CAPTCHA_SITE_KEY"]}

try:
    import allauth
except ImportError:
    pass
else:
    SITE_ID = 1
    INSTALLED_APPS += ["django.contrib.sites", "allauth", "allauth.account"]
    AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
    ACCOUNT_EMAIL_VERIFICATION = "none"
    if allauth.VERSION >= (65, 4):
        ACCOUNT_LOGIN_METHODS = {"email"}
        ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
    else:
        ACCOUNT_AUTHENTICATION_METHOD = "email"
        ACCOUNT_EMAIL_REQUIRED = True
        ACCOUNT_USERNAME_REQUIRED = False
    if allauth.VERSION >= (0, 56):
        MIDDLEWARE += ["allauth.account.middleware.AccountMiddleware"]
    ACCOUNT_RATE_LIMITS = {}
    LOGIN_REDIRECT_URL = "/welcome/"
