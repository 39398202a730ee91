# frozen_string_literal: true

module Gatehouse
  module Rails
    # The settings of an application, in `config.gatehouse`, and the client that follows from them.
    class Settings
      # CAPTCHA => class of its element, address of its script.
      CAPTCHAS = {
        "turnstile" => ["cf-turnstile", "https://challenges.cloudflare.com/turnstile/v0/api.js"],
        "hcaptcha" => ["h-captcha", "https://js.hcaptcha.com/1/api.js"],
        "recaptcha" => ["g-recaptcha", "https://www.google.com/recaptcha/api.js"]
      }.freeze

      # url, key: default the environment's GATEHOUSE_URL and GATEHOUSE_KEY.
      # trusted_proxies: nil: the visitor's IP is Rails' own `request.remote_ip`.
      # captcha: { turnstile: site_key }; nil: `check` says what is asked for.
      # check: "proof" or "mail"; nil: a mail where Gatehouse gives tokens, otherwise a proof of work.
      # send_mail: called with the request, the address and the mail (code, link) instead of ConfirmationMailer.
      # mail_from: default that of ApplicationMailer. return_url: page after the link of the mail.
      attr_accessor :url, :key, :timeout_ms, :max_retries, :trusted_proxies, :on_failure, :mode, :captcha, :check,
                    :send_mail, :mail_from, :return_url

      def initialize
        @lock = Mutex.new
      end

      # Client of the whole application: it contains the circuit breaker.
      # @raise [OptionsError]
      def client
        @lock.synchronize { @client ||= create_client }
      end

      # @return [Array(String, String, String), nil] class, site key and script of the CAPTCHA that forms show
      # @raise [OptionsError]
      def captcha_element
        return nil if captcha.nil?

        name, site_key = captcha.first
        css_class, script = CAPTCHAS[name.to_s]
        return [css_class, site_key, script] if css_class && captcha.one? && site_key.to_s != ""

        raise OptionsError.new("invalid_options", "captcha: one of #{CAPTCHAS.keys.join(", ")}, with its site key.")
      end

      # @return [String, nil]
      # @raise [OptionsError]
      def check_name
        return check&.to_s if [nil, "proof", "mail"].include?(check&.to_s)

        raise OptionsError.new("invalid_options", "check: proof or mail.")
      end

      # @return [String, nil] the CAPTCHA that forms show
      # @raise [OptionsError]
      def captcha_name
        captcha_element && captcha.keys.first.to_s
      end

      private

      def create_client
        options = {
          timeout_ms: timeout_ms, max_retries: max_retries, trusted_proxies: trusted_proxies, on_failure: on_failure,
          mode: mode
        }
        Client.new(
          url: url || ENV["GATEHOUSE_URL"], key: key || ENV["GATEHOUSE_KEY"], **options.compact,
          on_error: ->(error) { ::Rails.logger.warn("gatehouse: no verdict for a signup: #{error.code}: #{error.message}") }
        )
      end
    end
  end
end
