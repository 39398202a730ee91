"""Every way a call can fail, as one class hierarchy: told apart by class or by ``code``."""
from __future__ import annotations

from typing import Any, Dict, Optional

from ._meta import QuotaState, RateLimitState


class GatehouseError(Exception):
    """A call failed. Neither the text nor an attribute contains the key, an email address or an IP of the request."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        param: Optional[str] = None,
        resolution: Optional[str] = None,
        retry_after_ms: Optional[float] = None,
        rate_limit: Optional[RateLimitState] = None,
        quota: Optional[QuotaState] = None,
        tries: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        #: HTTP status; ``None`` where nothing was answered.
        self.status = status
        #: The field at fault.
        self.param = param
        #: Advice on what to do about it.
        self.resolution = resolution
        #: Time after which the same request may succeed.
        self.retry_after_ms = retry_after_ms
        self.rate_limit = rate_limit
        self.quota = quota
        #: Requests that were sent.
        self.tries = tries

    def to_dict(self) -> Dict[str, Any]:
        """Form for logs: everything that is known."""
        known = {"name": type(self).__name__, **self.__dict__}
        return {name: value for name, value in known.items() if value is not None}


class OptionsError(GatehouseError):
    """The options of the client cannot be used. Raised by the constructor only."""


class ConnectionError(GatehouseError):
    """No answer: the connection failed, or was lost."""


class TimeoutError(ConnectionError):
    """No answer within ``timeout_ms``, retries included."""


class CircuitOpenError(GatehouseError):
    """Nothing was sent: the last calls failed, and the next trial is not due yet."""


class ApiError(GatehouseError):
    """The service, or something before it, answered with an error."""


class InvalidRequestError(ApiError):
    """400, 409, 413: the request cannot be used; ``param`` names the field. The same request fails again."""


class AuthenticationError(ApiError):
    """401 or 403: the key is wrong, was revoked, has expired, or may not be used from this address."""


class RateLimitError(ApiError):
    """429 ``rate_limit``: the plan's requests per second are used up."""


class QuotaExceededError(ApiError):
    """429 ``quota_exceeded``: the month's assessments are used up. Never retried."""


class ServerError(ApiError):
    """500, 502, 503, 504: the service cannot answer now."""


class UnexpectedResponseError(ApiError):
    """The answer did not come from Gatehouse: check ``url``, and the proxies in front of the service."""


#: Code of the service → class of the error.
BY_CODE = {
    "missing_field": InvalidRequestError,
    "invalid_email": InvalidRequestError,
    "invalid_ip": InvalidRequestError,
    "challenge_invalid": InvalidRequestError,
    "challenge_expired": InvalidRequestError,
    "challenge_redeemed": InvalidRequestError,
    "challenge_code_wrong": InvalidRequestError,
    "challenge_mails_used": InvalidRequestError,
    "challenge_mailbox_full": InvalidRequestError,
    "challenge_proof_wrong": InvalidRequestError,
    "bad_request": InvalidRequestError,
    "payload_too_large": InvalidRequestError,
    "headers_too_large": InvalidRequestError,
    "unauthorized": AuthenticationError,
    "token_revoked": AuthenticationError,
    "key_expired": AuthenticationError,
    "ip_not_allowed": AuthenticationError,
    "rate_limit": RateLimitError,
    "quota_exceeded": QuotaExceededError,
    "internal_error": ServerError,
    "storage_full": ServerError,
    "unavailable": ServerError,
}
