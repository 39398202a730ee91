# frozen_string_literal: true

# Answers of the API. Written by scripts/client-models.mjs from openapi.json: do not edit.

module Gatehouse
  # A part of an answer.
  class AppealResponse
    # Show it to the person who was stopped. It has no address in it and says nothing about why.
    attr_reader :url
    # Until when the link is valid, UTC.
    attr_reader :expires_at

    # The headers of the answer: an AnswerMeta.
    attr_reader :meta

    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data, meta = nil)
      @url = Read.text(data, "url")
      @expires_at = Read.text(data, "expires_at")
      @meta = meta
      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end

  # A part of an answer.
  class Reason
    # The finding that contributed to the score. One of email_disposable, email_relay, email_reputation, email_deliverability, email_domain_new, email_role_account, email_alias, email_consumer_provider, ip_anonymizer, ip_reputation, ip_hosting, velocity_ip, velocity_domain.
    attr_reader :code
    # The group of signals it belongs to. One of email, ip, velocity.
    attr_reader :signal

    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data)
      @code = Read.text(data, "code")
      @signal = Read.text(data, "signal")
      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end

  # A part of an answer.
  class EmailSignals
    # Domain is on the disposable-domain blocklist, or its mail goes to a mail host of such domains.
    attr_reader :disposable
    # Domain is a known relay or forwarding provider.
    attr_reader :relay_domain
    # Domain has spam or abuse reputation.
    attr_reader :spam_domain
    # Domain part of the email, lower-cased, in ASCII form.
    attr_reader :domain
    # Whole days (UTC) since the registrable domain was registered; -1 when unknown.
    attr_reader :domain_age_days
    # The domain has a usable MX, or DNS could not be asked (see mx_status).
    attr_reader :mx_valid
    # Result of the DNS lookup for the domain; `unknown` when DNS could not be asked. One of valid, none, null_mx, no_domain, unknown.
    attr_reader :mx_status
    # Domain is a free consumer provider.
    attr_reader :public_domain
    # Local part is a known role account.
    attr_reader :role_account
    # The address that was probably meant; present only where the domain is a likely typing mistake of a large provider.
    attr_reader :did_you_mean
    # True, or absent: a mail to the address would reach somebody who probably did not sign up, such as the owner of a phone or the victim of a list bombing. Send none before a proof that needs no mail, such as a CAPTCHA. Absent in shadow mode.
    attr_reader :mail_unwanted

    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data)
      @disposable = Read.flag(data, "disposable")
      @relay_domain = Read.flag(data, "relay_domain")
      @spam_domain = Read.flag(data, "spam_domain")
      @domain = Read.text(data, "domain")
      @domain_age_days = Read.integer(data, "domain_age_days")
      @mx_valid = Read.flag(data, "mx_valid")
      @mx_status = Read.text(data, "mx_status")
      @public_domain = Read.flag(data, "public_domain")
      @role_account = Read.flag(data, "role_account")
      @did_you_mean = Read.text_or_nil(data, "did_you_mean")
      @mail_unwanted = Read.flag_or_nil(data, "mail_unwanted")
      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end

  # A part of an answer.
  class IpSignals
    # The public IP used for scoring, in canonical form (RFC 5952 for IPv6).
    attr_reader :address
    # Known Tor exit node.
    attr_reader :tor
    # Known VPN endpoint.
    attr_reader :vpn
    # Known anonymous proxy.
    attr_reader :proxy
    # Known privacy relay egress, distinct from VPN and proxy.
    attr_reader :relay
    # Datacenter or hosting ASN.
    attr_reader :datacenter
    # Abuse reputation, 0 to 100.
    attr_reader :abuse_score
    # ISO 3166-1 alpha-2 code; empty when unknown.
    attr_reader :country_code
    # English country name; empty when unknown.
    attr_reader :country
    # `AS` and the number; `AS0` when unknown.
    attr_reader :asn

    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data)
      @address = Read.text(data, "address")
      @tor = Read.flag(data, "tor")
      @vpn = Read.flag(data, "vpn")
      @proxy = Read.flag(data, "proxy")
      @relay = Read.flag(data, "relay")
      @datacenter = Read.flag(data, "datacenter")
      @abuse_score = Read.integer(data, "abuse_score")
      @country_code = Read.text(data, "country_code")
      @country = Read.text(data, "country")
      @asn = Read.text(data, "asn")
      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end

  # A part of an answer.
  class VelocitySignals
    # Attempts from this IP (IPv6: its /64) in the last 60 minutes, this one included.
    attr_reader :ip_signups_1h
    # Attempts from this IP (IPv6: its /64) in the last 24 hours, this one included.
    attr_reader :ip_signups_24h
    # Distinct addresses of this domain in the last 60 minutes, this one included.
    attr_reader :email_domain_1h
    # Distinct addresses of this domain in the last 24 hours, this one included.
    attr_reader :email_domain_24h

    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data)
      @ip_signups_1h = Read.integer(data, "ip_signups_1h")
      @ip_signups_24h = Read.integer(data, "ip_signups_24h")
      @email_domain_1h = Read.integer(data, "email_domain_1h")
      @email_domain_24h = Read.integer(data, "email_domain_24h")
      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end

  # A part of an answer. `ip` is present only when ip_provided is true. Members may be added.
  class Signals
    # EmailSignals
    attr_reader :email
    # IpSignals
    attr_reader :ip
    # VelocitySignals
    attr_reader :velocity

    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data)
      @email = EmailSignals.new(Read.members(data, "email"))
      @ip = data["ip"].nil? ? nil : IpSignals.new(Read.members(data, "ip"))
      @velocity = VelocitySignals.new(Read.members(data, "velocity"))
      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end

  # A part of an answer. Present only with the verdict `challenge`, where the service is set to give tokens. For your server: never send it to the visitor.
  class ChallengeOffer
    # Redeem it with `POST /v1/challenges` once the visitor has passed or failed your check.
    attr_reader :token
    # Until when it can be redeemed, UTC.
    attr_reader :expires_at

    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data)
      @token = Read.text(data, "token")
      @expires_at = Read.text(data, "expires_at")
      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end

  # A part of an answer.
  class Assessment
    # Id of the stored assessment.
    attr_reader :request_id
    # Echo of the request; absent when the request had none.
    attr_reader :session_id
    # The score measured against the thresholds of the key or its account. One of allow, challenge, block.
    attr_reader :verdict
    # Present only where the key is in shadow mode, and does not enforce for this person: what the verdict would be. `verdict` is `allow` then, `score` 0, `reasons` empty, and `signals` are those of a signup about which nothing is known. One of allow, challenge, block.
    attr_reader :shadow_verdict
    # Risk, 0 to 100; higher is riskier.
    attr_reader :score
    # Findings that contributed, heaviest first; empty on a clean signal. Array<Reason>
    attr_reader :reasons
    # Signals
    attr_reader :signals
    # True when a usable public IP was used for scoring.
    attr_reader :ip_provided
    # How the supplied IP was treated. One of ok, missing, ignored_loopback, ignored_private, ignored_localhost.
    attr_reader :ip_status
    # Server-side processing time in milliseconds.
    attr_reader :processed_ms
    # When the assessment was produced, UTC.
    attr_reader :assessed_at
    # ChallengeOffer
    attr_reader :challenge

    # The headers of the answer: an AnswerMeta.
    attr_reader :meta

    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data, meta = nil)
      @request_id = Read.text(data, "request_id")
      @session_id = Read.text_or_nil(data, "session_id")
      @verdict = Read.text(data, "verdict")
      @shadow_verdict = Read.text_or_nil(data, "shadow_verdict")
      @score = Read.integer(data, "score")
      @reasons = Read.list(data, "reasons").map { |each| Reason.new(each) }.freeze
      @signals = Signals.new(Read.members(data, "signals"))
      @ip_provided = Read.flag(data, "ip_provided")
      @ip_status = Read.text(data, "ip_status")
      @processed_ms = Read.integer(data, "processed_ms")
      @assessed_at = Read.text(data, "assessed_at")
      @challenge = data["challenge"].nil? ? nil : ChallengeOffer.new(Read.members(data, "challenge"))
      @meta = meta
      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end

  # A part of an answer. Always the same for one challenge.
  class ChallengeConfirmation
    # Send it by mail only: opening it and pressing the button confirms the address.
    attr_reader :link
    # For the mail only: six digits.
    attr_reader :code
    # For the visitor: a page that asks for the code.
    attr_reader :page

    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data)
      @link = Read.text(data, "link")
      @code = Read.text(data, "code")
      @page = Read.text(data, "page")
      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end

  # A part of an answer. With one of the two, the visitor’s browser solves it.
  class ChallengeProof
    # For your page: JSON, the value of the attribute `challenge` of an ALTCHA widget of version 3.
    attr_reader :challenge
    # For the visitor: a page that solves it. Only where the request has a `return_url`.
    attr_reader :page

    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data)
      @challenge = Read.text(data, "challenge")
      @page = Read.text_or_nil(data, "page")
      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end

  # A part of an answer.
  class ChallengeResponse
    # Id of the assessment.
    attr_reader :request_id
    # `pending`: it can still be redeemed. `unknown`: the provider of the CAPTCHA gave no verdict; nothing was stored, and you decide. One of pending, passed, failed, unknown.
    attr_reader :status
    # How the result was found; absent while it is pending. One of application, altcha, turnstile, hcaptcha, recaptcha, link, code.
    attr_reader :method
    # When the result was stored, UTC; absent while it is pending.
    attr_reader :redeemed_at
    # Until when the challenge can be redeemed, UTC.
    attr_reader :expires_at
    # ChallengeConfirmation
    attr_reader :confirmation
    # ChallengeProof
    attr_reader :proof
    # Why a response to a CAPTCHA gave no result, for people.
    attr_reader :detail

    # The headers of the answer: an AnswerMeta.
    attr_reader :meta

    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data, meta = nil)
      @request_id = Read.text(data, "request_id")
      @status = Read.text(data, "status")
      @method = Read.text_or_nil(data, "method")
      @redeemed_at = Read.text_or_nil(data, "redeemed_at")
      @expires_at = Read.text(data, "expires_at")
      @confirmation = data["confirmation"].nil? ? nil : ChallengeConfirmation.new(Read.members(data, "confirmation"))
      @proof = data["proof"].nil? ? nil : ChallengeProof.new(Read.members(data, "proof"))
      @detail = Read.text_or_nil(data, "detail")
      @meta = meta
      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end

  # A part of an answer.
  class FeedbackResponse
    # Always true: the feedback is stored.
    attr_reader :accepted
    # A sentence for people.
    attr_reader :message

    # The headers of the answer: an AnswerMeta.
    attr_reader :meta

    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data, meta = nil)
      @accepted = Read.flag(data, "accepted")
      @message = Read.text(data, "message")
      @meta = meta
      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end

  # A part of an answer.
  class OutcomeResponse
    # Always true: what was found is stored.
    attr_reader :accepted
    # Signups that the outcomes were noted for, those that had the outcome before included.
    attr_reader :signups
    # Places, from 0, of outcomes that belong to no stored signup: nothing is noted for them. For a single outcome by address, 0. Array<Integer>
    attr_reader :unmatched
    # A sentence for people.
    attr_reader :message

    # The headers of the answer: an AnswerMeta.
    attr_reader :meta

    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data, meta = nil)
      @accepted = Read.flag(data, "accepted")
      @signups = Read.integer(data, "signups")
      @unmatched = Read.values(data, "unmatched", Integer)
      @message = Read.text(data, "message")
      @meta = meta
      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end

  # A part of an answer.
  class Usage
    # Plan of the account. One of free, starter, pro, business.
    attr_reader :plan
    # Start of the current UTC month.
    attr_reader :period_start
    # Last second of the current UTC month.
    attr_reader :period_end
    # Live assessments deducted this period.
    attr_reader :assessments_used
    # Monthly cap of the account.
    attr_reader :assessments_limit
    # USD per 1,000 assessments above the cap.
    attr_reader :overage_rate_per_1k
    # Start of the next UTC month.
    attr_reader :reset_at

    # The headers of the answer: an AnswerMeta.
    attr_reader :meta

    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data, meta = nil)
      @plan = Read.text(data, "plan")
      @period_start = Read.text(data, "period_start")
      @period_end = Read.text(data, "period_end")
      @assessments_used = Read.integer(data, "assessments_used")
      @assessments_limit = Read.integer(data, "assessments_limit")
      @overage_rate_per_1k = Read.number(data, "overage_rate_per_1k")
      @reset_at = Read.text(data, "reset_at")
      @meta = meta
      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end
end
