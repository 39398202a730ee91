"""Reads the setting ``GATEHOUSE``, and makes the one client of the project."""
from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, Dict, List, Optional, Tuple

from django.conf import settings
from django.core.signals import setting_changed
from django.dispatch import receiver

from .._client import Gatehouse
from .._errors import OptionsError

#: Name in the setting → option of the client.
_OPTIONS = {
    "TIMEOUT_MS": "timeout_ms",
    "MAX_RETRIES": "max_retries",
    "TRUSTED_PROXIES": "trusted_proxies",
    "ON_FAILURE": "on_failure",
    "MODE": "mode",
}
_OWN = ("URL", "KEY", "CAPTCHA", "CHECK", "SEND_MAIL", "SITE_URL")
#: CAPTCHA → class of its element, address of its script.
CAPTCHAS = {
    "turnstile": ("cf-turnstile", "https://challenges.cloudflare.com/turnstile/v0/api.js"),
    "hcaptcha": ("h-captcha", "https://js.hcaptcha.com/1/api.js"),
    "recaptcha": ("g-recaptcha", "https://www.google.com/recaptcha/api.js"),
}


def read_settings() -> Dict[str, Any]:
    return getattr(settings, "GATEHOUSE", None) or {}


def create_client() -> Gatehouse:
    """Raises ``OptionsError``. Without a value in the settings, the environment has it."""
    own = read_settings()
    options = {option: own[name] for name, option in _OPTIONS.items() if own.get(name) is not None}
    url, key = (own.get(name) or os.environ.get(f"GATEHOUSE_{name}") for name in ("URL", "KEY"))
    return Gatehouse(url=url, key=key, **options)


@lru_cache(maxsize=1)
def get_client() -> Gatehouse:
    """One for the whole process: it contains the circuit breaker."""
    return create_client()


def find_captcha() -> Optional[Tuple[str, str]]:
    """The CAPTCHA that forms show, and its site key. ``None``: ``find_check`` says what is asked for."""
    captcha = read_settings().get("CAPTCHA")
    if captcha is None:
        return None
    if isinstance(captcha, dict) and len(captcha) == 1:
        [(name, site_key)] = captcha.items()
        if name in CAPTCHAS and isinstance(site_key, str):
            return name, site_key
    raise OptionsError("invalid_options", f"CAPTCHA: {{name: site key}} with one of {', '.join(CAPTCHAS)}.")


def find_check() -> Optional[str]:
    """``proof`` or ``mail``. ``None``: a mail where Gatehouse gives tokens, otherwise a proof of work."""
    check = read_settings().get("CHECK")
    if check in (None, "proof", "mail"):
        return check
    raise OptionsError("invalid_options", "CHECK: proof or mail.")


def find_unknown_names() -> List[str]:
    return sorted(set(read_settings()) - set(_OPTIONS) - set(_OWN))


@receiver(setting_changed)
def forget_client(*, setting: str, **kwargs: Any) -> None:
    """Tests of a project change settings."""
    if setting == "GATEHOUSE":
        get_client.cache_clear()
