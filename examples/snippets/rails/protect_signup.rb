# A concern for the controller of a signup form: Gatehouse decides once the form is valid, before the action runs.
require "digest"
require "json"
require "net/http"
require "timeout"

module ProtectSignup
  extend ActiveSupport::Concern

  TIMEOUT_SECONDS = 3

  included { attr_reader :gatehouse_verdict }

  class_methods do
    # protect_signup(only: :create, if: :valid_form?) { params.dig(:user, :email) }
    def protect_signup(**options, &email)
      before_action(**options) { stop_blocked_signup(instance_exec(&email)) }
    end
  end

  private

  def stop_blocked_signup(email)
    # The validation of your model says that it is missing.
    return if email.blank?

    @gatehouse_verdict, reference = assess_signup(email.to_s)
    texts = {
      "invalid" => "Please check your email address.",
      "block" => "We cannot create this account. Reference: #{reference}"
    }
    text = texts[@gatehouse_verdict]
    render plain: text, status: :unprocessable_entity if text
  end

  def assess_signup(email)
    response = Timeout.timeout(TIMEOUT_SECONDS) { post_signup({ email: email, ip: request.remote_ip }.compact) }
    answer = JSON.parse(response.body)
    # A confirmation would be a mail to a stranger.
    verdict = answer.dig("signals", "email", "mail_unwanted") ? "block" : answer["verdict"]
    return verdict, answer.fetch("request_id") if response.is_a?(Net::HTTPSuccess)
    # Otherwise somebody could choose an address that Gatehouse cannot read, to be let in.
    return "invalid", "none" if answer.dig("error", "param") == "email"

    raise "status #{response.code}"
  rescue StandardError => error
    Rails.logger.warn("gatehouse: no verdict for a signup: #{error.message}")
    %w[allow none]
  end

  def post_signup(signup)
    uri = URI("#{ENV.fetch("GATEHOUSE_URL")}/v1/assess")
    body = JSON.generate(signup)
    headers = {
      "Authorization" => "Bearer #{ENV.fetch("GATEHOUSE_KEY")}",
      "Content-Type" => "application/json"
    }
    # The token of the form: a form that is sent twice is assessed once.
    token = params[:authenticity_token]
    headers["Idempotency-Key"] = Digest::SHA256.hexdigest("#{token}#{body}") if token.present?
    Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.post(uri.path, body, headers) }
  end
end
