# frozen_string_literal: true

require "active_support/concern"
require "digest"
require "net/smtp"
require "openssl"
require "socket"

module Gatehouse
  # A concern for the controller of a signup form: decides once the form is valid, before the account is created, keeps the
  # challenge in the visitor's session, and sends the mail.
  module ProtectSignup
    extend ActiveSupport::Concern

    SESSION_KEY = "gatehouse_challenge"
    # Faults of the mail server or its settings. A visitor chooses the address, and with it all other refusals.
    AWAY = [
      SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError, Net::SMTPAuthenticationError, OptionsError
    ].freeze

    PROOF = "Please send the form again. Your browser calculates for some seconds first, " \
            "which makes mass sign-ups by programs expensive."
    PROOF_WRONG = "The check did not succeed. Please send the form again."
    MAILS_USED = "We have sent several mails for this sign-up. Use the newest one."
    MAILBOX_FULL = "This address has had many mails, maybe by others. Please try again later, " \
                   "and use no mail that you did not ask for."

    included do
      # The last FormDecision.
      attr_reader :gatehouse

      helper_method :gatehouse_challenge if respond_to?(:helper_method)
    end

    private

    # Whether the account may be created; otherwise the record's errors say why. Call it once the record is valid.
    def signup_allowed?(record, email: record.email)
      @gatehouse = check_signup(email)
      text = signup_error(@gatehouse)
      record.errors.add(:base, text) if text
      text.nil?
    end

    # For a controller without a record, as of an API. It never raises.
    # @return [FormDecision]
    def check_signup(email)
      decision = protect_form(email, session[SESSION_KEY])
      # It was passed before: the signup is assessed like a first one.
      decision = protect_form(email, nil) if used_before?(decision)
      decision = mail_or_refuse(email, decision) if decision.mail
      decision.challenge.nil? ? session.delete(SESSION_KEY) : session[SESSION_KEY] = decision.challenge
      decision
    rescue StandardError => error
      # The settings are wrong, or a mail server is away: neither must stop a signup.
      ::Rails.logger.error("gatehouse: no verdict for a signup: #{error.class}: #{error.message}")
      return FormDecision.new(decision: "challenge", problem: "unavailable") if gatehouse_settings.on_failure.to_s == "challenge"

      FormDecision.new(decision: "allow", must_confirm: true)
    end

    # Raises where nobody can be mailed.
    def mail_or_refuse(email, decision)
      send_confirmation(email, decision.mail)
      decision
    rescue *AWAY
      raise
    rescue StandardError => error
      ::Rails.logger.error("gatehouse: the mail with the code was refused, the signup is not let in: #{error.class}")
      FormDecision.new(decision: "invalid", reference: decision.reference, signup: decision.signup)
    end

    # A session in a cookie can be put back: without this mark, one code would do for many forms. The application's cache
    # has it for as long as a token can be valid.
    def used_before?(decision)
      token = (session[SESSION_KEY] || {})["token"]
      return false if decision.decision != "allow" || !decision.signup.nil? || decision.must_confirm || token.nil?

      key = "gatehouse-used-#{Digest::SHA256.hexdigest(token)}"
      ::Rails.cache.write(key, true, unless_exist: true, expires_in: 86_400) == false
    end

    def protect_form(email, challenge)
      settings = gatehouse_settings
      settings.client.protect_form(
        request, email,
        fields: request.request_parameters,
        challenge: challenge,
        return_url: settings.return_url,
        captcha: settings.captcha_name || false,
        check: settings.check_name,
        **(settings.trusted_proxies.nil? ? { ip: visitor_ip } : {})
      )
    end

    # Header pairs that contradict each other must not keep a signup from being assessed.
    def visitor_ip
      request.remote_ip
    rescue ActionDispatch::RemoteIp::IpSpoofAttackError
      request.get_header("REMOTE_ADDR")
    end

    def send_confirmation(email, mail)
      settings = gatehouse_settings
      return settings.send_mail.call(request, email, mail) if settings.send_mail

      raise OptionsError.new("invalid_options", "send_mail: the application has no Action Mailer.") unless defined?(::ActionMailer)

      from = settings.mail_from || "ApplicationMailer".safe_constantize&.default_params&.dig(:from)
      ConfirmationMailer.confirm(from: from, to: email, host: site_host, mail: mail).deliver_now
    end

    # From the settings: what the request says comes from the visitor.
    def site_host
      options = ActionMailer::Base.default_url_options || {}
      options[:host] || ::Rails.application.routes.default_url_options[:host]
    end

    def signup_error(decision)
      case decision.decision
      when "challenge" then challenge_error(decision)
      when "invalid" then I18n.t("gatehouse.invalid", default: "Please check your email address.")
      when "block"
        text = "We cannot create this account. Reference: %{reference}"
        I18n.t("gatehouse.block", reference: decision.reference, default: text)
      end
    end

    def challenge_error(decision)
      if decision.problem == "unavailable"
        return I18n.t("gatehouse.unavailable", default: "Please try again in a few minutes.")
      end
      return I18n.t("gatehouse.mailbox_full", default: MAILBOX_FULL) if decision.problem == "mailbox_full"
      return I18n.t("gatehouse.captcha", default: "Please show that you are a person.") if decision.asks_captcha
      return proof_error(decision) if decision.proof
      return I18n.t("gatehouse.wrong_code", default: "This code is wrong.") if decision.problem == "wrong_code"
      return I18n.t("gatehouse.mails_used", default: MAILS_USED) if decision.problem == "mails_used"

      I18n.t("gatehouse.code_sent", default: "We have sent you a mail with a code.")
    end

    def proof_error(decision)
      return I18n.t("gatehouse.proof_wrong", default: PROOF_WRONG) if decision.problem == "proof"

      I18n.t("gatehouse.proof", default: PROOF)
    end

    # In the form: the proof of work, the field for the code, or the CAPTCHA, where the visitor was challenged.
    def gatehouse_challenge
      kept = session[SESSION_KEY]
      return nil if kept.nil?

      return captcha_tags if kept["captcha"]

      kept["proof"] ? proof_tags(kept) : code_tags
    end

    def proof_tags(kept)
      texts = ProofField::TEXTS.to_h { |name, text| [name, I18n.t("gatehouse.proof_#{name}", default: text, reference: kept["token"])] }
      nonce = request.content_security_policy_nonce
      ProofField.html(kept["proof"], kept["token"], nonce: nonce, texts: texts).html_safe # rubocop:disable Rails/OutputSafety
    end

    def captcha_tags
      css_class, site_key, script = gatehouse_settings.captcha_element
      return nil if css_class.nil?

      helpers.tag.div(class: css_class, data: { sitekey: site_key }) +
        helpers.tag.script("", src: script, async: true, defer: true)
    end

    def code_tags
      label = I18n.t("gatehouse.code", default: "Code from our mail (empty if you have opened its link)")
      value = request.request_parameters[Form::CODE_FIELD]
      helpers.label_tag(Form::CODE_FIELD, label) +
        helpers.text_field_tag(Form::CODE_FIELD, value, inputmode: "numeric", autocomplete: "one-time-code")
    end

    def gatehouse_settings
      ::Rails.application.config.gatehouse
    end
  end
end
