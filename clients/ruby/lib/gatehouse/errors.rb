# frozen_string_literal: true

module Gatehouse
  # A call failed. Neither the message nor a member contains the key, an email address or an IP of the request.
  class Error < StandardError
    # Code of the API, or of this client: invalid_options, connection_failed, timeout, circuit_open, unexpected_response.
    attr_reader :code
    # HTTP status; nil where nothing was answered.
    attr_reader :status
    # The field at fault.
    attr_reader :param
    # Advice on what to do about it.
    attr_reader :resolution
    # Time after which the same request may succeed.
    attr_reader :retry_after_ms
    attr_reader :rate_limit, :quota
    # Requests that were sent.
    attr_reader :tries

    def initialize(code, message, status: nil, param: nil, resolution: nil, retry_after_ms: nil, rate_limit: nil,
                   quota: nil, tries: nil)
      super(message)
      @code = code
      @status = status
      @param = param
      @resolution = resolution
      @retry_after_ms = retry_after_ms
      @rate_limit = rate_limit
      @quota = quota
      @tries = tries
    end
  end

  # The options of the client cannot be used. Raised by Client.new only.
  class OptionsError < Error; end

  # No answer: the connection failed, or was lost.
  class ConnectionError < Error; end

  # No answer within timeout_ms, retries included.
  class TimeoutError < ConnectionError; end

  # Nothing was sent: the last calls failed, and the next trial is not due yet.
  class CircuitOpenError < Error; end

  # The service, or something before it, answered with an error.
  class ApiError < Error; end

  # 400, 409, 413: the request cannot be used; param names the field. The same request fails again.
  class InvalidRequestError < ApiError; end

  # 401 or 403: the key is wrong, was revoked, has expired, or may not be used from this address.
  class AuthenticationError < ApiError; end

  # 429 rate_limit: the plan's requests per second are used up.
  class RateLimitError < ApiError; end

  # 429 quota_exceeded: the month's assessments are used up. Never retried.
  class QuotaExceededError < ApiError; end

  # 500, 502, 503, 504: the service cannot answer now.
  class ServerError < ApiError; end

  # The answer did not come from Gatehouse: check the url, and the proxies in front of the service.
  class UnexpectedResponseError < ApiError; end

  # Code of the service => class of the error.
  ERROR_BY_CODE = {
    "missing_field" => InvalidRequestError,
    "invalid_email" => InvalidRequestError,
    "invalid_ip" => InvalidRequestError,
    "challenge_invalid" => InvalidRequestError,
    "challenge_expired" => InvalidRequestError,
    "challenge_redeemed" => InvalidRequestError,
    "challenge_code_wrong" => InvalidRequestError,
    "challenge_mails_used" => InvalidRequestError,
    "challenge_mailbox_full" => InvalidRequestError,
    "challenge_proof_wrong" => InvalidRequestError,
    "bad_request" => InvalidRequestError,
    "payload_too_large" => InvalidRequestError,
    "headers_too_large" => InvalidRequestError,
    "unauthorized" => AuthenticationError,
    "token_revoked" => AuthenticationError,
    "key_expired" => AuthenticationError,
    "ip_not_allowed" => AuthenticationError,
    "rate_limit" => RateLimitError,
    "quota_exceeded" => QuotaExceededError,
    "internal_error" => ServerError,
    "storage_full" => ServerError,
    "unavailable" => ServerError
  }.freeze
  private_constant :ERROR_BY_CODE
end
