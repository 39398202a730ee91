"""Protects a signup form of Django: Gatehouse decides once the form is valid, and before the user is created."""
import hashlib
import json
import logging
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from django.conf import settings

TIMEOUT_SECONDS = 3
log = logging.getLogger("gatehouse")


class ProtectSignupMixin:
    """For a view with a form that has the field `email`; later code finds the answer in `request.gatehouse`."""

    def form_valid(self, form):
        answer = assess(self.request, form.cleaned_data["email"])
        if answer["verdict"] == "invalid":
            form.add_error("email", "Please check your email address.")
            return self.form_invalid(form)
        if answer["verdict"] == "block":
            form.add_error(None, f"We cannot create this account. Reference: {answer['request_id']}")
            return self.form_invalid(form)
        self.request.gatehouse = answer
        return super().form_valid(form)


def assess(request, email):
    signup = {"email": email}
    if ip := visitor_ip(request):
        signup["ip"] = ip
    body = json.dumps(signup).encode()
    # The token of the form: a form that is sent twice is assessed once.
    token = request.POST.get("csrfmiddlewaretoken", "")
    headers = {
        "Authorization": f"Bearer {settings.GATEHOUSE_KEY}",
        "Content-Type": "application/json",
    }
    if token:
        headers["Idempotency-Key"] = hashlib.sha256(token.encode() + body).hexdigest()
    try:
        call = Request(f"{settings.GATEHOUSE_URL}/v1/assess", body, headers)
        with urlopen(call, timeout=TIMEOUT_SECONDS) as response:
            answer = json.load(response)
            # A confirmation would be a mail to a stranger.
            is_unwanted = answer["signals"]["email"].get("mail_unwanted", False)
            verdict = "block" if is_unwanted else answer["verdict"]
            return {"verdict": verdict, "request_id": answer["request_id"]}
    except Exception as error:
        # Otherwise somebody could choose an address that Gatehouse cannot read, to be let in.
        if isinstance(error, HTTPError) and blames_email(error):
            return {"verdict": "invalid", "request_id": "none"}
        log.warning("gatehouse: no verdict for a signup: %s", error)
        return {"verdict": "allow", "request_id": "none"}


def blames_email(error):
    try:
        return json.load(error)["error"]["param"] == "email"
    except Exception:
        return False


def visitor_ip(request):
    """Each of your own proxies appends the address that it was reached from; what is before them, anybody can write."""
    proxies = getattr(settings, "TRUSTED_PROXY_COUNT", 0)
    if proxies == 0:
        return request.META.get("REMOTE_ADDR")
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    return forwarded[-proxies].strip() if len(forwarded) >= proxies else None
