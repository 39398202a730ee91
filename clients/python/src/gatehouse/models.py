"""Answers of the API. Written by scripts/client-models.mjs from openapi.json: do not edit."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, List, Mapping, Optional

from ._meta import AnswerMeta


@dataclass(frozen=True)
class AppealResponse:
    url: str
    """Show it to the person who was stopped. It has no address in it and says nothing about why."""
    expires_at: str
    """Until when the link is valid, UTC."""
    meta: Optional[AnswerMeta] = field(default=None, repr=False, compare=False)
    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], meta: Optional[AnswerMeta] = None) -> AppealResponse:
        return cls(
            url=_text(data, "url"),
            expires_at=_text(data, "expires_at"),
            meta=meta,
            raw=data,
        )


@dataclass(frozen=True)
class Reason:
    code: str
    """The finding that contributed to the score. One of email_disposable, email_relay, email_reputation, email_deliverability, email_domain_new, email_role_account, email_alias, email_consumer_provider, ip_anonymizer, ip_reputation, ip_hosting, velocity_ip, velocity_domain."""
    signal: str
    """The group of signals it belongs to. One of email, ip, velocity."""
    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Reason:
        return cls(
            code=_text(data, "code"),
            signal=_text(data, "signal"),
            raw=data,
        )


@dataclass(frozen=True)
class EmailSignals:
    disposable: bool
    """Domain is on the disposable-domain blocklist, or its mail goes to a mail host of such domains."""
    relay_domain: bool
    """Domain is a known relay or forwarding provider."""
    spam_domain: bool
    """Domain has spam or abuse reputation."""
    domain: str
    """Domain part of the email, lower-cased, in ASCII form."""
    domain_age_days: int
    """Whole days (UTC) since the registrable domain was registered; -1 when unknown."""
    mx_valid: bool
    """The domain has a usable MX, or DNS could not be asked (see mx_status)."""
    mx_status: str
    """Result of the DNS lookup for the domain; `unknown` when DNS could not be asked. One of valid, none, null_mx, no_domain, unknown."""
    public_domain: bool
    """Domain is a free consumer provider."""
    role_account: bool
    """Local part is a known role account."""
    did_you_mean: Optional[str]
    """The address that was probably meant; present only where the domain is a likely typing mistake of a large provider."""
    mail_unwanted: Optional[bool]
    """True, or absent: a mail to the address would reach somebody who probably did not sign up, such as the owner of a phone or the victim of a list bombing. Send none before a proof that needs no mail, such as a CAPTCHA. Absent in shadow mode."""
    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> EmailSignals:
        return cls(
            disposable=_flag(data, "disposable"),
            relay_domain=_flag(data, "relay_domain"),
            spam_domain=_flag(data, "spam_domain"),
            domain=_text(data, "domain"),
            domain_age_days=_integer(data, "domain_age_days"),
            mx_valid=_flag(data, "mx_valid"),
            mx_status=_text(data, "mx_status"),
            public_domain=_flag(data, "public_domain"),
            role_account=_flag(data, "role_account"),
            did_you_mean=_text(data, "did_you_mean") if data.get("did_you_mean") is not None else None,
            mail_unwanted=_flag(data, "mail_unwanted") if data.get("mail_unwanted") is not None else None,
            raw=data,
        )


@dataclass(frozen=True)
class IpSignals:
    address: str
    """The public IP used for scoring, in canonical form (RFC 5952 for IPv6)."""
    tor: bool
    """Known Tor exit node."""
    vpn: bool
    """Known VPN endpoint."""
    proxy: bool
    """Known anonymous proxy."""
    relay: bool
    """Known privacy relay egress, distinct from VPN and proxy."""
    datacenter: bool
    """Datacenter or hosting ASN."""
    abuse_score: int
    """Abuse reputation, 0 to 100."""
    country_code: str
    """ISO 3166-1 alpha-2 code; empty when unknown."""
    country: str
    """English country name; empty when unknown."""
    asn: str
    """`AS` and the number; `AS0` when unknown."""
    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> IpSignals:
        return cls(
            address=_text(data, "address"),
            tor=_flag(data, "tor"),
            vpn=_flag(data, "vpn"),
            proxy=_flag(data, "proxy"),
            relay=_flag(data, "relay"),
            datacenter=_flag(data, "datacenter"),
            abuse_score=_integer(data, "abuse_score"),
            country_code=_text(data, "country_code"),
            country=_text(data, "country"),
            asn=_text(data, "asn"),
            raw=data,
        )


@dataclass(frozen=True)
class VelocitySignals:
    ip_signups_1h: int
    """Attempts from this IP (IPv6: its /64) in the last 60 minutes, this one included."""
    ip_signups_24h: int
    """Attempts from this IP (IPv6: its /64) in the last 24 hours, this one included."""
    email_domain_1h: int
    """Distinct addresses of this domain in the last 60 minutes, this one included."""
    email_domain_24h: int
    """Distinct addresses of this domain in the last 24 hours, this one included."""
    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> VelocitySignals:
        return cls(
            ip_signups_1h=_integer(data, "ip_signups_1h"),
            ip_signups_24h=_integer(data, "ip_signups_24h"),
            email_domain_1h=_integer(data, "email_domain_1h"),
            email_domain_24h=_integer(data, "email_domain_24h"),
            raw=data,
        )


@dataclass(frozen=True)
class Signals:
    """`ip` is present only when ip_provided is true. Members may be added."""

    email: EmailSignals
    velocity: VelocitySignals
    ip: Optional[IpSignals]
    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Signals:
        return cls(
            email=EmailSignals.from_dict(_object(data, "email")),
            velocity=VelocitySignals.from_dict(_object(data, "velocity")),
            ip=IpSignals.from_dict(_object(data, "ip")) if data.get("ip") is not None else None,
            raw=data,
        )


@dataclass(frozen=True)
class ChallengeOffer:
    """Present only with the verdict `challenge`, where the service is set to give tokens. For your server: never send it to the visitor."""

    token: str
    """Redeem it with `POST /v1/challenges` once the visitor has passed or failed your check."""
    expires_at: str
    """Until when it can be redeemed, UTC."""
    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ChallengeOffer:
        return cls(
            token=_text(data, "token"),
            expires_at=_text(data, "expires_at"),
            raw=data,
        )


@dataclass(frozen=True)
class Assessment:
    request_id: str
    """Id of the stored assessment."""
    verdict: str
    """The score measured against the thresholds of the key or its account. One of allow, challenge, block."""
    score: int
    """Risk, 0 to 100; higher is riskier."""
    reasons: List[Reason]
    """Findings that contributed, heaviest first; empty on a clean signal."""
    signals: Signals
    ip_provided: bool
    """True when a usable public IP was used for scoring."""
    ip_status: str
    """How the supplied IP was treated. One of ok, missing, ignored_loopback, ignored_private, ignored_localhost."""
    processed_ms: int
    """Server-side processing time in milliseconds."""
    assessed_at: str
    """When the assessment was produced, UTC."""
    session_id: Optional[str]
    """Echo of the request; absent when the request had none."""
    shadow_verdict: Optional[str]
    """Present only where the key is in shadow mode, and does not enforce for this person: what the verdict would be. `verdict` is `allow` then, `score` 0, `reasons` empty, and `signals` are those of a signup about which nothing is known. One of allow, challenge, block."""
    challenge: Optional[ChallengeOffer]
    meta: Optional[AnswerMeta] = field(default=None, repr=False, compare=False)
    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], meta: Optional[AnswerMeta] = None) -> Assessment:
        return cls(
            request_id=_text(data, "request_id"),
            verdict=_text(data, "verdict"),
            score=_integer(data, "score"),
            reasons=[Reason.from_dict(each) for each in _list(data, "reasons")],
            signals=Signals.from_dict(_object(data, "signals")),
            ip_provided=_flag(data, "ip_provided"),
            ip_status=_text(data, "ip_status"),
            processed_ms=_integer(data, "processed_ms"),
            assessed_at=_text(data, "assessed_at"),
            session_id=_text(data, "session_id") if data.get("session_id") is not None else None,
            shadow_verdict=_text(data, "shadow_verdict") if data.get("shadow_verdict") is not None else None,
            challenge=ChallengeOffer.from_dict(_object(data, "challenge")) if data.get("challenge") is not None else None,
            meta=meta,
            raw=data,
        )


@dataclass(frozen=True)
class ChallengeConfirmation:
    """Always the same for one challenge."""

    link: str
    """Send it by mail only: opening it and pressing the button confirms the address."""
    code: str
    """For the mail only: six digits."""
    page: str
    """For the visitor: a page that asks for the code."""
    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ChallengeConfirmation:
        return cls(
            link=_text(data, "link"),
            code=_text(data, "code"),
            page=_text(data, "page"),
            raw=data,
        )


@dataclass(frozen=True)
class ChallengeProof:
    """With one of the two, the visitor’s browser solves it."""

    challenge: str
    """For your page: JSON, the value of the attribute `challenge` of an ALTCHA widget of version 3."""
    page: Optional[str]
    """For the visitor: a page that solves it. Only where the request has a `return_url`."""
    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ChallengeProof:
        return cls(
            challenge=_text(data, "challenge"),
            page=_text(data, "page") if data.get("page") is not None else None,
            raw=data,
        )


@dataclass(frozen=True)
class ChallengeResponse:
    request_id: str
    """Id of the assessment."""
    status: str
    """`pending`: it can still be redeemed. `unknown`: the provider of the CAPTCHA gave no verdict; nothing was stored, and you decide. One of pending, passed, failed, unknown."""
    expires_at: str
    """Until when the challenge can be redeemed, UTC."""
    method: Optional[str]
    """How the result was found; absent while it is pending. One of application, altcha, turnstile, hcaptcha, recaptcha, link, code."""
    redeemed_at: Optional[str]
    """When the result was stored, UTC; absent while it is pending."""
    confirmation: Optional[ChallengeConfirmation]
    proof: Optional[ChallengeProof]
    detail: Optional[str]
    """Why a response to a CAPTCHA gave no result, for people."""
    meta: Optional[AnswerMeta] = field(default=None, repr=False, compare=False)
    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], meta: Optional[AnswerMeta] = None) -> ChallengeResponse:
        return cls(
            request_id=_text(data, "request_id"),
            status=_text(data, "status"),
            expires_at=_text(data, "expires_at"),
            method=_text(data, "method") if data.get("method") is not None else None,
            redeemed_at=_text(data, "redeemed_at") if data.get("redeemed_at") is not None else None,
            confirmation=ChallengeConfirmation.from_dict(_object(data, "confirmation")) if data.get("confirmation") is not None else None,
            proof=ChallengeProof.from_dict(_object(data, "proof")) if data.get("proof") is not None else None,
            detail=_text(data, "detail") if data.get("detail") is not None else None,
            meta=meta,
            raw=data,
        )


@dataclass(frozen=True)
class FeedbackResponse:
    accepted: bool
    """Always true: the feedback is stored."""
    message: str
    """A sentence for people."""
    meta: Optional[AnswerMeta] = field(default=None, repr=False, compare=False)
    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], meta: Optional[AnswerMeta] = None) -> FeedbackResponse:
        return cls(
            accepted=_flag(data, "accepted"),
            message=_text(data, "message"),
            meta=meta,
            raw=data,
        )


@dataclass(frozen=True)
class OutcomeResponse:
    accepted: bool
    """Always true: what was found is stored."""
    signups: int
    """Signups that the outcomes were noted for, those that had the outcome before included."""
    unmatched: List[int]
    """Places, from 0, of outcomes that belong to no stored signup: nothing is noted for them. For a single outcome by address, 0."""
    message: str
    """A sentence for people."""
    meta: Optional[AnswerMeta] = field(default=None, repr=False, compare=False)
    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], meta: Optional[AnswerMeta] = None) -> OutcomeResponse:
        return cls(
            accepted=_flag(data, "accepted"),
            signups=_integer(data, "signups"),
            unmatched=_values(data, "unmatched", int),
            message=_text(data, "message"),
            meta=meta,
            raw=data,
        )


@dataclass(frozen=True)
class Usage:
    plan: str
    """Plan of the account. One of free, starter, pro, business."""
    period_start: str
    """Start of the current UTC month."""
    period_end: str
    """Last second of the current UTC month."""
    assessments_used: int
    """Live assessments deducted this period."""
    assessments_limit: int
    """Monthly cap of the account."""
    overage_rate_per_1k: float
    """USD per 1,000 assessments above the cap."""
    reset_at: str
    """Start of the next UTC month."""
    meta: Optional[AnswerMeta] = field(default=None, repr=False, compare=False)
    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], meta: Optional[AnswerMeta] = None) -> Usage:
        return cls(
            plan=_text(data, "plan"),
            period_start=_text(data, "period_start"),
            period_end=_text(data, "period_end"),
            assessments_used=_integer(data, "assessments_used"),
            assessments_limit=_integer(data, "assessments_limit"),
            overage_rate_per_1k=_number(data, "overage_rate_per_1k"),
            reset_at=_text(data, "reset_at"),
            meta=meta,
            raw=data,
        )


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    return value if isinstance(value, str) else ""


def _integer(data: Mapping[str, Any], name: str) -> int:
    value = data.get(name)
    return int(value) if isinstance(value, (int, float)) else 0


def _number(data: Mapping[str, Any], name: str) -> float:
    value = data.get(name)
    return float(value) if isinstance(value, (int, float)) else 0.0


def _flag(data: Mapping[str, Any], name: str) -> bool:
    return data.get(name) is True


def _object(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name)
    return value if isinstance(value, Mapping) else {}


def _values(data: Mapping[str, Any], name: str, kind: type) -> List[Any]:
    value = data.get(name)
    return [each for each in value if isinstance(each, kind)] if isinstance(value, list) else []


def _list(data: Mapping[str, Any], name: str) -> List[Mapping[str, Any]]:
    value = data.get(name)
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
