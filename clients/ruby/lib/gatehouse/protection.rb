# frozen_string_literal: true

require "digest"
require "json"

module Gatehouse
  # The decision about a signup.
  # decision: "allow", "challenge", "block", or "invalid" (the text cannot be an email address; ask for another one).
  # assessment: nil where there is no verdict. ip: the address that was sent; nil where none is known.
  # mail_unwanted: send no mail to the address before a proof that needs none, such as a CAPTCHA, also with "allow".
  # failed_open: allowed because Gatehouse failed, not because it was found good. error: why there is no verdict.
  SignupDecision = Struct.new(:decision, :assessment, :ip, :mail_unwanted, :failed_open, :error, keyword_init: true) do
    def initialize(mail_unwanted: false, failed_open: false, **members)
      super
    end
  end

  # Value of `ip` where it is to be found in the request.
  FROM_REQUEST = Object.new.freeze

  # Decides what happens to a signup: the verdict, or what was chosen for the case that there is none. It never raises.
  class Protection
    # Time in which a repeated form is the same signup.
    FORM_SECONDS = 600
    # Longer than any address can be: longer ones are not sent, so that nobody can make the request too large to answer.
    MAX_EMAIL_CHARACTERS = 1000
    # Longer than any session id: a visitor writes the cookie from which some applications take it.
    MAX_TEXT_CHARACTERS = 8192
    UNUSABLE = %w[invalid_email invalid_ip missing_field payload_too_large].freeze
    # Members that a signup can be assessed without: a fault in one must neither refuse people nor let them in.
    DISPENSABLE = %w[ip session_id brought_by Idempotency-Key].freeze
    FORWARDING_HEADERS = %w[x-forwarded-for forwarded x-real-ip cf-connecting-ip].freeze

    # @param assess [#call] sends the members of a request with an idempotency key (nil: a random one) and a timeout
    def initialize(key:, trusted_proxies:, on_failure:, mode:, on_error:, assess:)
      @key = key
      @trusted_proxies = trusted_proxies
      @on_failure = on_failure
      @is_enforced = mode == "enforce"
      @on_error = on_error
      @assess = assess
    end

    # @return [SignupDecision]
    def protect(request, email, options)
      ip = nil
      ip = find_ip(request, options)
      text = read_email(email)
      return without_verdict(missing_email(email), ip) if text.nil?

      assessment = assess(text, ip, options)
      SignupDecision.new(
        decision: @is_enforced ? assessment.verdict : "allow",
        assessment: assessment,
        ip: ip,
        mail_unwanted: @is_enforced && assessment.signals.email.mail_unwanted == true
      )
    rescue Error => error
      without_assessment(error, ip)
    rescue StandardError => fault
      Kernel.warn("gatehouse: a fault of the client: #{fault.class}")
      without_verdict(Error.new("client_fault", fault.class.name), ip)
    end

    # Reports why there is no answer. @return [Boolean] whether to challenge then
    def challenge_after?(error)
      report(error)
      @is_enforced && @on_failure == "challenge"
    end

    private

    def find_ip(request, options)
      ip = options[:ip]
      unless ip.equal?(FROM_REQUEST)
        address = IpAddress.parse(ip)
        Kernel.warn("gatehouse: the ip is no address: the signup is assessed without it") if address.nil? && ip.to_s != ""
        return address&.to_s
      end
      view = RequestView.new(request)
      if @trusted_proxies.nil? && FORWARDING_HEADERS.any? { |name| view.header(name) }
        Gatehouse.send(
          :warn_once,
          "a proxy seems to be in front of this application: " \
          "set trusted_proxies, otherwise the address of the proxy is assessed"
        )
      end
      Gatehouse.client_ip(request, trusted_proxies: @trusted_proxies, peer: options[:peer])
    end

    def assess(email, ip, options)
      if email.size > MAX_EMAIL_CHARACTERS
        raise InvalidRequestError.new("invalid_email", "The email address is not valid.", param: "email")
      end

      members = {
        "email" => email,
        "ip" => ip,
        "session_id" => read_text("session_id", options[:session_id]),
        "brought_by" => read_text("brought_by", options[:brought_by])
      }
      form_key = read_text("Idempotency-Key", options[:idempotency_key]) || derive_key(members)
      begin
        @assess.call(members, form_key, options[:timeout_ms])
      rescue InvalidRequestError => error
        raise unless DISPENSABLE.include?(error.param)

        report(error)
        @assess.call(members.reject { |name, _value| name == error.param }, nil, options[:timeout_ms])
      end
    end

    # The data of this signup cannot be used, or Gatehouse failed.
    def without_assessment(error, ip)
      is_unusable = UNUSABLE.include?(error.code)
      # A mistyped address is nothing to report.
      is_invalid = is_unusable && (error.code == "payload_too_large" || error.param == "email")
      # A value that the visitor may have chosen does not let them in.
      is_other = is_unusable && DISPENSABLE.include?(error.param)
      return without_verdict(error, ip) unless is_invalid || is_other

      refusal = is_invalid ? "invalid" : "block"
      SignupDecision.new(decision: @is_enforced ? refusal : "allow", ip: ip, error: error)
    end

    def without_verdict(error, ip)
      decision = challenge_after?(error) ? "challenge" : "allow"
      SignupDecision.new(decision: decision, ip: ip, failed_open: decision == "allow", error: error)
    end

    def report(error)
      return Kernel.warn("gatehouse: no verdict for a signup: #{error.code}: #{error.message}") if @on_error.nil?

      @on_error.call(error)
    rescue StandardError => fault
      # A fault of the callback must not stop a signup.
      Kernel.warn("gatehouse: on_error failed: #{fault.class}")
    end

    # An equal key for a form that is sent again within ten minutes, so that it is one signup. It hides what is in it.
    def derive_key(members)
      text = JSON.generate([@key, Time.now.to_i / FORM_SECONDS, *members.values])
      "form-#{Digest::SHA256.hexdigest(text)}"
    end

    # A field that came twice is a list in some frameworks: its text is that of all. Other values are no email.
    def read_email(value)
      texts = value.is_a?(Array) ? value : [value]
      return nil if texts.empty? || !texts.all?(String)

      # Bytes that are no text must not make a signup fail: the service refuses the address.
      texts.join(",").encode(Encoding::UTF_8, invalid: :replace, undef: :replace).scrub
    end

    def missing_email(value)
      message = "the email is of the type #{value.class}: " \
                "is the body of the request parsed (a form or JSON), and is this the name of its field?"
      InvalidRequestError.new("missing_field", message, param: "email")
    end

    # A text that a signup can be assessed without; a number is its text. Any other value is reported and left out.
    def read_text(param, value)
      return value if value.nil?
      is_text = value.is_a?(String) || value.is_a?(Symbol) || value.is_a?(Integer)
      return value.to_s.scrub if is_text && value.to_s.size <= MAX_TEXT_CHARACTERS

      fault = is_text ? "longer than #{MAX_TEXT_CHARACTERS} characters" : "of the type #{value.class}"
      message = "the signup is assessed without #{param}, which is #{fault}"
      report(InvalidRequestError.new("missing_field", message, param: param))
      nil
    end
  end
  private_constant :Protection
end
