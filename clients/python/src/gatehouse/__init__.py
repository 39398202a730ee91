"""Protects a signup form with Gatehouse, the self-hosted signup risk service."""
from ._breaker import BreakerOptions
from ._client import Gatehouse
from ._client_ip import TrustedProxies, client_ip
from ._errors import (
    ApiError,
    AuthenticationError,
    CircuitOpenError,
    ConnectionError,
    GatehouseError,
    InvalidRequestError,
    OptionsError,
    QuotaExceededError,
    RateLimitError,
    ServerError,
    TimeoutError,
    UnexpectedResponseError,
)
from ._form import FormDecision
from ._meta import AnswerMeta, QuotaState, RateLimitState
from ._proof_field import PROOF_TEXTS, proof_field
from ._protect import SignupDecision
from .models import AppealResponse, Assessment, ChallengeResponse, FeedbackResponse, OutcomeResponse, Usage

__all__ = [
    "AnswerMeta",
    "ApiError",
    "AppealResponse",
    "Assessment",
    "AuthenticationError",
    "BreakerOptions",
    "ChallengeResponse",
    "CircuitOpenError",
    "ConnectionError",
    "FeedbackResponse",
    "FormDecision",
    "Gatehouse",
    "GatehouseError",
    "InvalidRequestError",
    "OptionsError",
    "OutcomeResponse",
    "PROOF_TEXTS",
    "QuotaExceededError",
    "QuotaState",
    "RateLimitError",
    "RateLimitState",
    "ServerError",
    "SignupDecision",
    "TimeoutError",
    "TrustedProxies",
    "UnexpectedResponseError",
    "Usage",
    "client_ip",
    "proof_field",
]
