# frozen_string_literal: true

require "digest"
require "json"
require "securerandom"
require_relative "proof_field"

module Gatehouse
  # The decision about a form that was sent.
  # decision: "allow" (create the account), "challenge" (show the form again, with the proof of work, a field for the code, or the CAPTCHA), "block", or
  #   "invalid" (the text cannot be an email address; ask for another one).
  # challenge: keep it on your server, in the visitor's session, until the form is sent again; nil: forget what was kept.
  # mail: send its link, its code or both to the address now; nil: send nothing.
  # asks_captcha: with "challenge", whether a CAPTCHA is asked for, instead of the code from the mail.
  # proof: with "challenge", the proof of work that the visitor's browser does, for ProofField; nil: something else is asked for.
  # problem: with "challenge", what was wrong with the answer: "wrong_code", "captcha" or "proof"; nil the first time. "mails_used":
  #   the signup gets no other mail; the code of the newest one still counts. "mailbox_full": others have used up the mails of the
  #   address; there is nothing to ask for, and she may try again later. "unavailable": Gatehouse gave no answer, on_failure is challenge, and there is nothing to ask: try again later.
  # must_confirm: with "allow", there was no verdict, or no answer about the challenge. Confirm the address in your own way.
  # reference: the person's reference for your support: the id of the signup, or "none".
  # signup: the assessment behind it, a SignupDecision; nil where an answer to a challenge decided.
  FormDecision = Struct.new(
    :decision, :challenge, :mail, :asks_captcha, :proof, :problem, :must_confirm, :reference, :signup, keyword_init: true
  ) do
    def initialize(asks_captcha: false, must_confirm: false, reference: "none", **members)
      super
    end
  end

  # Carries a whole signup form through its challenge: it is sent, asks for a proof of work, a code or a CAPTCHA, and is sent again with the answer.
  class Form
    # Field of a form with the code from the mail.
    CODE_FIELD = "gatehouse_code"
    # Field that the widget of a CAPTCHA adds to its form => how its response is redeemed.
    CAPTCHA_FIELDS = {
      "cf-turnstile-response" => :turnstile,
      "h-captcha-response" => :hcaptcha,
      "g-recaptcha-response" => :recaptcha
    }.freeze
    # Refusal of another mail: the service counts them, because a form that is sent again and again must fill nobody's mailbox.
    MAILS_USED = "challenge_mails_used"
    MAILBOX_FULL = "challenge_mailbox_full"
    # Longest answers that the service reads. Longer ones are wrong and are not sent: a request that is too large has no answer,
    # and a visitor must not be let in by that.
    MAX_CODE_CHARACTERS = 20
    MAX_RESPONSE_CHARACTERS = 8192
    MAX_RETURN_URL_CHARACTERS = 2048
    # Member of a redemption => problem with it; the others are CAPTCHAs.
    PROBLEMS = { code: "wrong_code", altcha: "proof" }.freeze
    # Challenges that no answer can settle any more: the signup is assessed again.
    OVER = %w[challenge_expired challenge_invalid challenge_redeemed].freeze

    # @param options [Hash] fields, challenge, return_url, captcha and check, as Client#protect_form takes them
    # @param protect [#call] assesses the form, with an idempotency key of its own or nil
    # @param redeem [#call] redeems a token
    # @param on_failure [Proc] takes an error, reports it, and returns whether to challenge
    def initialize(key:, email:, options:, protect:, redeem:, on_failure:)
      @key = key
      @email = email.to_s.scrub
      @fields = options[:fields] || {}
      @kept = options[:challenge]
      url = options[:return_url]
      # It may come from a header that the visitor wrote.
      @return_url = url if url.is_a?(String) && url.size <= MAX_RETURN_URL_CHARACTERS
      @captcha = options[:captcha]
      @check = options[:check].to_s
      @protect = protect
      @redeem = redeem
      @on_failure = on_failure
    end

    # @return [FormDecision] also without an answer from Gatehouse: on_failure decides
    def decide
      pending = read_pending
      pending.nil? ? start(@protect.call(nil)) : continue(pending)
    rescue Error => error
      without_answer(error, pending)
    rescue StandardError => fault
      Kernel.warn("gatehouse: a fault of the client: #{fault.class}")
      without_answer(Error.new("client_fault", fault.class.name), pending)
    end

    private

    def continue(pending)
      answer = read_answer(pending)
      return refuse(pending, answer) if answer.any? { |name, text| text.size > longest(name) }

      settle(pending, answer)
    rescue InvalidRequestError => error
      return start(@protect.call(name_of("again", pending["token"]))) if OVER.include?(error.code)
      raise if answer.empty?

      # A value that the visitor may have chosen does not let them in.
      refuse(pending, answer)
    end

    def longest(name)
      name == :code ? MAX_CODE_CHARACTERS : MAX_RESPONSE_CHARACTERS
    end

    def refuse(pending, answer)
      ask(pending, problem: PROBLEMS.fetch(answer.keys.first, "captcha"))
    end

    def start(signup)
      decision = begin_with(signup)
      decision.signup = signup
      decision.reference = signup.assessment&.request_id || "none"
      decision
    end

    def begin_with(signup, may_repeat: true)
      if signup.decision != "challenge"
        # A mail of yours would reach a stranger.
        is_unwanted = signup.decision == "allow" && signup.mail_unwanted
        return FormDecision.new(decision: is_unwanted ? "block" : signup.decision)
      end
      return unavailable if signup.assessment.nil?

      return blocked if signup.mail_unwanted && !@captcha

      begin
        ask_first(new_challenge(signup), signup.assessment.request_id)
      rescue InvalidRequestError => error
        raise unless OVER.include?(error.code)
        return unavailable unless may_repeat

        again(signup.assessment.request_id)
      end
    end

    def new_challenge(signup)
      offer = signup.assessment.challenge
      has_mail = @check == "mail" || (@check != "proof" && !offer.nil?)
      {
        "token" => offer&.token || signup.assessment.request_id,
        "for" => digest,
        # One session is told the result of a challenge: the attempt names it.
        "attempt" => SecureRandom.hex(8),
        "by_mail" => has_mail && !signup.mail_unwanted,
        "unwanted" => signup.mail_unwanted
      }
    end

    # The answer to an equal form was repeated, with a challenge that is used up.
    def again(request_id)
      repeated = @protect.call(name_of("again", request_id))
      is_same = repeated.decision == "challenge" && [nil, request_id].include?(repeated.assessment&.request_id)
      is_same ? blocked : begin_with(repeated, may_repeat: false)
    end

    def ask_first(pending, request_id)
      return ask(pending.merge("captcha" => true)) if @captcha

      pending["by_mail"] ? order_mail(pending) : order_proof(pending.merge("token" => request_id))
    end

    def order_proof(pending)
      order = @redeem.call(token: pending["token"], proof: {})
      raise InvalidRequestError.new("challenge_redeemed", "The challenge has a result.", param: "token") if order.proof.nil?

      # The id may be shown to the visitor, a token never.
      ask(pending.except("captcha").merge("token" => order.request_id, "proof" => order.proof.challenge))
    end

    # The visitor's response to the challenge, as it is redeemed; empty where she sent nothing that was asked for.
    def read_answer(pending)
      return read_captcha if pending["captcha"]
      return read_proof if pending["proof"]

      code = @fields[CODE_FIELD].to_s.scrub.strip
      code.empty? ? {} : { code: code }
    end

    def read_proof
      solved = @fields[ProofField::NAME].to_s.scrub
      solved.empty? ? {} : { altcha: solved }
    end

    def read_captcha
      CAPTCHA_FIELDS.each do |field, name|
        response = @fields[field].to_s.scrub
        return { name => response } if [true, name, name.to_s].include?(@captcha) && !response.empty?
      end
      {}
    end

    def settle(pending, answer)
      token = pending["token"]
      name = name_of("form", "#{token} #{pending["attempt"]}")
      result = answer.empty? ? @redeem.call(token: token) : @redeem.call(token: token, idempotency_key: name, **answer)
      if result.status == "passed" && answer.empty?
        # The link of the mail was opened, maybe elsewhere.
        result = @redeem.call(token: token, idempotency_key: name, outcome: "passed")
      end
      case result.status
      when "passed" then FormDecision.new(decision: "allow", reference: result.request_id)
      when "failed" then FormDecision.new(decision: "block", challenge: pending, reference: result.request_id)
      else
        return ask(pending) if pending["proof"]
        return ask(pending, problem: answer.empty? ? nil : "captcha") if pending["captcha"] && result.status == "pending"

        # The provider of the CAPTCHA is away, or the form was sent again for another mail.
        return order_mail(pending) if pending["by_mail"]

        pending.fetch("unwanted", true) ? ask(pending, problem: "captcha") : order_proof(pending)
      end
    end

    def order_mail(pending)
      asked = pending.except("captcha")
      confirmation = confirm(pending["token"]).confirmation
      if confirmation.nil?
        raise InvalidRequestError.new("challenge_redeemed", "The challenge has a result.", param: "token")
      end

      ask(asked, mail: confirmation)
    rescue InvalidRequestError => error
      raise if OVER.include?(error.code)
      # The newest mail belongs to somebody else's form: nothing is asked for.
      return FormDecision.new(decision: "challenge", problem: "mailbox_full") if error.code == MAILBOX_FULL
      return ask(asked, problem: "mails_used") if error.code == MAILS_USED

      Kernel.warn("gatehouse: no mail can be ordered, so a proof of work is asked for: #{error.message}")
      order_proof(pending)
    end

    def confirm(token)
      @redeem.call(token: token, confirm: { "return_url" => @return_url }.compact)
    rescue InvalidRequestError => error
      raise if @return_url.nil? || [MAILS_USED, MAILBOX_FULL].include?(error.code) || !%w[return_url confirm].include?(error.param)

      @redeem.call(token: token, confirm: {})
    end

    def ask(pending, **members)
      # A token that is no id is never shown.
      shown = pending["token"].start_with?("req_") ? pending["token"] : "none"
      asked = { asks_captcha: pending["captcha"] == true, proof: pending["proof"], reference: shown }
      FormDecision.new(decision: "challenge", challenge: pending, **asked, **members)
    end

    def blocked
      FormDecision.new(decision: "block")
    end

    def unavailable
      FormDecision.new(decision: "challenge", problem: "unavailable")
    end

    def without_answer(error, pending)
      return pending ? ask(pending) : unavailable if @on_failure.call(error)

      FormDecision.new(decision: "allow", must_confirm: true)
    end

    # The challenge that was kept, where it is for this address: a visitor may have corrected it.
    def read_pending
      return nil unless @kept.is_a?(Hash)

      kept = { "by_mail" => false }.merge(@kept.transform_keys(&:to_s))
      kept["token"].is_a?(String) && kept["for"] == digest ? kept : nil
    end

    def digest
      Digest::SHA256.hexdigest(JSON.generate([@key, @email.strip.downcase]))
    end

    # An idempotency key: a form that is sent twice hears the same result.
    def name_of(purpose, token)
      "#{purpose}-#{Digest::SHA256.hexdigest(token)}"
    end
  end
  private_constant :Form
end
