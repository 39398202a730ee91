"""Tells Django of the package: ``manage.py check`` names what is wrong with its settings."""
from typing import Any, List

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from .._errors import OptionsError
from .conf import create_client, find_captcha, find_check, find_unknown_names


class GatehouseConfig(AppConfig):
    name = "gatehouse.django"
    label = "gatehouse"
    verbose_name = "Gatehouse"

    def ready(self) -> None:
        register(check_settings)


def check_settings(app_configs: Any, **kwargs: Any) -> List[CheckMessage]:
    found: List[CheckMessage] = []
    try:
        create_client()
        find_captcha()
        find_check()
    except OptionsError as error:
        hint = "Until this is mended, every signup is let in."
        found.append(Error(f"GATEHOUSE: {error.message}", hint=hint, id="gatehouse.E001"))
    unknown = find_unknown_names()
    if unknown:
        found.append(Error(f"GATEHOUSE: unknown: {', '.join(unknown)}.", id="gatehouse.E002"))
    if not any(name.endswith("SessionMiddleware") for name in settings.MIDDLEWARE):
        hint = "Add django.contrib.sessions.middleware.SessionMiddleware to MIDDLEWARE."
        found.append(Error("Without sessions, nobody can answer a challenge.", hint=hint, id="gatehouse.E003"))
    if settings.SESSION_ENGINE.endswith("signed_cookies"):
        hint = "A visitor can put an old cookie back. Keep sessions on the server, as Django does by default."
        found.append(Warning("A challenge that was passed can be used again.", hint=hint, id="gatehouse.W001"))
    return found
