# frozen_string_literal: true

require "erb"
require "json"
require "securerandom"
require "uri"

module Gatehouse
  # The client of one Gatehouse. Create one for the whole application: it contains the circuit breaker. Threads may share it.
  # protect_signup never raises; every other method raises only a Gatehouse::Error.
  class Client
    MAX_NUMBER = (2**31) - 1
    # Limit of the service. A larger request has no answer that can be relied on, so it is refused here.
    MAX_BODY_BYTES = 64 * 1024
    VISIBLE = /\A[\x21-\x7e]{1,255}\z/

    # URL of Gatehouse, without a slash at the end.
    attr_reader :url

    # @param url [String] such as http://127.0.0.1:8080; a path before /v1 is kept
    # @param key [String] an API key: a secret of your server
    # @param timeout_ms [Numeric] of one call, all tries and waits together
    # @param max_retries [Integer] tries after the first, where a repetition is safe
    # @param breaker [Hash, false] failures: and open_ms:, when calls fail at once; false turns it off
    # @param trusted_proxies [String, Integer, Array, Hash, nil] the proxies that may report the visitor's IP
    # @param on_failure [String, Symbol] allow or challenge: the decision without a verdict
    # @param mode [String, Symbol] enforce, or observe: every decision is "allow"
    # @param on_error [#call, nil] called whenever there is no verdict; default: a line on the standard error
    # @raise [OptionsError] without the key in its message
    def initialize(url:, key:, timeout_ms: 3000, max_retries: 2, breaker: {}, trusted_proxies: nil,
                   on_failure: "allow", mode: "enforce", on_error: nil)
      @key = read_key(key)
      @url = read_url(url)
      @timeout_ms = check_number("timeout_ms", timeout_ms, 1)
      check_number("max_retries", max_retries, 0)
      check_choice("on_failure", on_failure, %w[allow challenge])
      check_choice("mode", mode, %w[enforce observe])
      # A mistake in it shows now, not at the first signup.
      ClientIp.new(RequestView.new({}), nil, ->(_text) {}).find(trusted_proxies)
      @caller = Caller.new(key: @key, max_retries: max_retries, breaker: create_breaker(breaker))
      @protection = Protection.new(
        key: @key, trusted_proxies: trusted_proxies, on_failure: on_failure.to_s, mode: mode.to_s, on_error: on_error,
        assess: method(:send_assessment)
      )
    end

    # Form for logs: the key does not show.
    def inspect
      "#<Gatehouse::Client url=#{url} key=#{@key[0, 8]}[redacted]>"
    end
    alias to_s inspect

    # Assesses a signup. Costs one credit with a live key.
    # @param idempotency_key [String, false, nil] 1 to 255 visible ASCII characters; false: none, then only refused requests are
    #   sent again; default: a random one
    # @return [Assessment]
    def assess(email:, ip: nil, session_id: nil, brought_by: nil, idempotency_key: nil, timeout_ms: nil)
      members = { "email" => email, "ip" => ip, "session_id" => session_id, "brought_by" => brought_by }
      send_assessment(members, idempotency_key, timeout_ms)
    end

    # Reads a stored assessment again; costs nothing.
    # @return [Assessment]
    def get_assessment(request_id, timeout_ms: nil)
      if !request_id.is_a?(String) || request_id.empty?
        raise InvalidRequestError.new("missing_field", "The request id is missing.", param: "request_id")
      end

      Assessment.new(*read("/v1/assess/#{ERB::Util.url_encode(request_id)}", timeout_ms, method(:verdict?)))
    end

    # Reports that a verdict was wrong.
    # @param outcome [String] false_positive or false_negative
    # @return [FeedbackResponse]
    def feedback(request_id:, outcome:, note: nil, idempotency_key: nil, timeout_ms: nil)
      members = { "request_id" => request_id, "outcome" => outcome, "note" => note }
      is_answer = ->(answer) { answer["accepted"] == true }
      FeedbackResponse.new(*write("/v1/feedback", members, idempotency_key, timeout_ms, is_answer, [note]))
    end

    # Reports whether a challenged visitor passed, or reads the result of the challenge. One redemption hears the result, and a
    # caller that repeats it with the same idempotency_key; every other gets challenge_redeemed.
    # @param outcome [String, nil] passed or failed: the result of your own check
    # @param confirm [Hash, nil] order to make a link and a code instead, with return_url
    # @param proof [Hash, nil] order to make a proof of work instead, with return_url; altcha is the response to it
    # @return [ChallengeResponse]
    def redeem_challenge(token:, outcome: nil, turnstile: nil, hcaptcha: nil, recaptcha: nil, confirm: nil, code: nil,
                         proof: nil, altcha: nil, ip: nil, idempotency_key: nil, timeout_ms: nil)
      captchas = { "altcha" => altcha, "turnstile" => turnstile, "hcaptcha" => hcaptcha, "recaptcha" => recaptcha }
      members = { "token" => token, "outcome" => outcome, "proof" => proof, **captchas,
                  "confirm" => confirm, "code" => code, "ip" => ip }
      private_texts = [token, *captchas.values, ip]
      ChallengeResponse.new(
        *write("/v1/challenges", members, idempotency_key, timeout_ms, text?("status"), private_texts)
      )
    end

    # Says what became of a signup, or of up to 100 in outcomes: Gatehouse learns from it.
    # @param outcome [String, nil] verified, never_verified, bounced, complained, paid or banned
    # @param outcomes [Array<Hash>, nil] each with outcome, and request_id or email
    # @return [OutcomeResponse]
    def outcome(outcome: nil, request_id: nil, email: nil, outcomes: nil, idempotency_key: nil, timeout_ms: nil)
      members = { "outcome" => outcome, "request_id" => request_id, "email" => email, "outcomes" => outcomes }
      is_answer = ->(answer) { answer["signups"].is_a?(Integer) }
      private_texts = [email, *Array(outcomes).map { |each| each["email"] || each[:email] }]
      OutcomeResponse.new(*write("/v1/outcomes", members, idempotency_key, timeout_ms, is_answer, private_texts))
    end

    # Makes a link that you may show to somebody who was stopped: there she says what happened.
    # @return [AppealResponse]
    def appeal_link(request_id:, valid_days: nil, idempotency_key: nil, timeout_ms: nil)
      members = { "request_id" => request_id, "valid_days" => valid_days }
      AppealResponse.new(*write("/v1/appeals", members, idempotency_key, timeout_ms, text?("url"), []))
    end

    # Reads how much of the month's quota is used.
    # @return [Usage]
    def usage(timeout_ms: nil)
      Usage.new(*read("/v1/usage", timeout_ms, text?("plan")))
    end

    # Decides about one signup, and never raises: without a verdict, on_failure decides.
    # @param request a request of Rails or Rack, a Rack environment, or headers
    # @param email the text that was typed; nil (a body that nobody parsed) has no verdict
    # @param ip [String, nil] the visitor's address where you know it already; nil: a signup without one
    # @param peer [String, nil] the connection's address, where the request does not know it
    # @param idempotency_key your own id of this attempt; default: the same for the same email, address, session and person who
    #   brings, for ten minutes
    # @return [SignupDecision]
    def protect_signup(request, email, ip: FROM_REQUEST, peer: nil, session_id: nil, brought_by: nil,
                       idempotency_key: nil, timeout_ms: nil)
      options = {
        ip: ip, peer: peer, session_id: session_id, brought_by: brought_by, idempotency_key: idempotency_key,
        timeout_ms: timeout_ms
      }
      @protection.protect(request, email, options)
    end

    # Decides about a form, with its challenge, and never raises: protect_signup, and what comes after it.
    # @param fields [Hash] what the form sent, with the code or the CAPTCHA's response, by names that are strings
    # @param challenge [Hash, nil] what you kept of the last decision
    # @param return_url [String, nil] page that a visitor sees after the link of the mail
    # @param captcha [Boolean, Symbol, String] whether your form can show one; its name (turnstile, hcaptcha or recaptcha) lets
    #   only that one count
    # @param check [String, Symbol, nil] what is asked for without a CAPTCHA: "proof" (a proof of work, which ProofField shows) or "mail";
    #   nil: a mail where Gatehouse gives tokens, otherwise a proof of work
    # @param signup ip:, peer:, session_id:, brought_by: and timeout_ms:, as protect_signup takes them
    # @return [FormDecision]
    def protect_form(request, email, fields: {}, challenge: nil, return_url: nil, captcha: false, check: nil, **signup)
      Form.new(
        key: @key,
        email: email,
        options: { fields: fields, challenge: challenge, return_url: return_url, captcha: captcha, check: check },
        protect: ->(idempotency_key) { protect_signup(request, email, **signup, idempotency_key: idempotency_key) },
        redeem: ->(**answer) { redeem_challenge(**answer, timeout_ms: signup[:timeout_ms]) },
        on_failure: ->(error) { @protection.challenge_after?(error) }
      ).decide
    end

    private

    def send_assessment(members, idempotency_key, timeout_ms)
      private_texts = members.values_at("email", "ip", "session_id")
      Assessment.new(*write("/v1/assess", members, idempotency_key, timeout_ms, method(:verdict?), private_texts))
    end

    def read(path, timeout_ms, is_answer)
      @caller.call(
        ApiRequest.new(
          verb: "GET", url: url + path, headers: headers, timeout_ms: timeout(timeout_ms), is_repeatable: true,
          is_answer: is_answer, private_texts: []
        )
      )
    end

    def write(path, members, idempotency_key, timeout_ms, is_answer, private_texts)
      has_key = idempotency_key != false
      @caller.call(
        ApiRequest.new(
          verb: "POST", url: url + path, body: to_json_text(members), timeout_ms: timeout(timeout_ms),
          headers: headers.merge(has_key ? key_header(idempotency_key) : {}, "content-type" => "application/json"),
          is_repeatable: has_key, is_answer: is_answer, private_texts: private_texts
        )
      )
    end

    def key_header(idempotency_key)
      text = idempotency_key.nil? ? SecureRandom.hex(16) : idempotency_key
      return { "idempotency-key" => text } if text.is_a?(String) && VISIBLE.match?(text.scrub)

      message = "An idempotency key has 1 to 255 visible characters."
      raise InvalidRequestError.new("missing_field", message, param: "Idempotency-Key")
    end

    def to_json_text(members)
      text = JSON.generate(members.compact)
      return text if text.bytesize <= MAX_BODY_BYTES

      raise InvalidRequestError.new("payload_too_large", "The request is larger than 64 KiB, and is not sent.")
    rescue JSON::GeneratorError, EncodingError
      raise InvalidRequestError.new("bad_request", "A member of the request is no text.")
    end

    def headers
      { "authorization" => "Bearer #{@key}", "accept" => "application/json", "accept-encoding" => "identity" }
    end

    def timeout(timeout_ms)
      timeout_ms.nil? ? @timeout_ms : check_number("timeout_ms", timeout_ms, 1)
    end

    def verdict?(answer)
      VERDICTS.include?(answer["verdict"])
    end

    def text?(name)
      ->(answer) { answer[name].is_a?(String) }
    end

    def create_breaker(options)
      return nil if options == false

      failures = options.fetch(:failures, 5)
      open_ms = options.fetch(:open_ms, 10_000)
      check_number("breaker.failures", failures, 1)
      check_number("breaker.open_ms", open_ms, 0)
      CircuitBreaker.new(failures: failures, open_ms: open_ms)
    end

    def check_number(name, value, min)
      return value if value.is_a?(Numeric) && value.real? && value.between?(min, MAX_NUMBER)

      raise OptionsError.new("invalid_options", "#{name}: a number from #{min} to #{MAX_NUMBER}.")
    end

    def check_choice(name, value, choices)
      return if choices.include?(value.to_s)

      raise OptionsError.new("invalid_options", "#{name}: #{choices.join(" or ")}.")
    end

    def read_key(value)
      key = value.to_s.strip
      return key if key.match?(/\Ask_(?:live|test)_/) && VISIBLE.match?(key)

      raise OptionsError.new("invalid_options", "key: an API key begins with sk_live_ or sk_test_.")
    end

    def read_url(value)
      uri = begin
        URI.parse(value.to_s.strip)
      rescue URI::InvalidURIError
        nil
      end
      if uri.nil? || uri.host.to_s.empty?
        raise OptionsError.new("invalid_options", "url: the address of Gatehouse, such as http://127.0.0.1:8080.")
      end
      if !%w[http https].include?(uri.scheme) || uri.userinfo || uri.query || uri.fragment
        message = "url: http:// or https://, without credentials, query or fragment."
        raise OptionsError.new("invalid_options", message)
      end
      uri.to_s.sub(%r{/+\z}, "")
    end
  end
end
