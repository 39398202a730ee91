# frozen_string_literal: true

require "json"
require "net/http"
require "timeout"
require "uri"

module Gatehouse
  # One request of the API; each try sends the same. is_repeatable: it may be sent again when nobody knows if it arrived.
  # is_answer: whether a body with status 200 is the expected message. private_texts never show in an error.
  ApiRequest = Struct.new(
    :verb, :url, :headers, :body, :timeout_ms, :is_repeatable, :is_answer, :private_texts, keyword_init: true
  )
  private_constant :ApiRequest

  # Makes one call of the API within its time: sends, retries where that is safe, and asks the circuit breaker first.
  class Caller
    BASE_WAIT_MS = 100
    MAX_WAIT_MS = 1000
    REPEATABLE_STATUSES = [500, 502, 503, 504].freeze
    # Gatehouse's own answers are far smaller.
    MAX_ANSWER_BYTES = 1_048_576
    # The time of the call is over.
    DeadlineError = Class.new(StandardError)

    # @param breaker [CircuitBreaker, nil] nil: never open
    def initialize(key:, max_retries:, breaker:)
      @key = key
      @max_retries = max_retries
      @breaker = breaker
    end

    # @return [Array(Hash, AnswerMeta)]
    # @raise [Error] for every failure
    def call(request)
      record = @breaker ? @breaker.admit : ->(_outcome) {}
      if record.is_a?(Float)
        message = "The last calls failed, so nothing is sent until the next trial."
        raise CircuitOpenError.new("circuit_open", message, retry_after_ms: record, tries: 0)
      end
      outcome = nil
      begin
        answer = send_until_answered(request)
        outcome = true
        answer
      rescue Error => error
        outcome = !error.status.nil? && error.status < 500 && error.code != "unexpected_response"
        raise
      ensure
        record.call(outcome)
      end
    end

    private

    def send_until_answered(request)
      ends_at_ms = now_ms + request.timeout_ms
      tries = 1
      begin
        exchange(request, tries, ends_at_ms - now_ms)
      rescue Error => error
        raise if tries > @max_retries || !may_repeat?(error, request.is_repeatable)

        # Full jitter: callers that failed together do not come back together.
        back_off_ms = rand * [MAX_WAIT_MS, BASE_WAIT_MS * (2**(tries - 1))].min
        wait_ms = back_off_ms + (error.retry_after_ms || 0)
        raise if wait_ms >= ends_at_ms - now_ms

        sleep(wait_ms / 1000.0)
        tries += 1
        retry
      end
    end

    def may_repeat?(error, is_repeatable)
      # Refused before anything was done: always safe.
      return true if error.code == "rate_limit"

      is_repeatable && (error.code == "connection_failed" || REPEATABLE_STATUSES.include?(error.status))
    end

    def exchange(request, tries, remaining_ms)
      status, headers, body = transmit(request, remaining_ms / 1000.0)
      meta = AnswerMeta.read(headers, tries)
      members = parse_object(body)
      return [members, meta] if status == 200 && members && request.is_answer.call(members)

      raise to_error(request, status, headers, members || {}, meta)
    rescue DeadlineError
      raise TimeoutError.new("timeout", "No answer within #{request.timeout_ms} ms.", tries: tries)
    rescue SystemCallError, IOError, SocketError, ::Timeout::Error, OpenSSL::SSL::SSLError, Net::ProtocolError,
           Net::HTTPBadResponse, Net::HTTPHeaderSyntaxError, Zlib::Error => error
      # The texts of some errors name addresses.
      text = error.is_a?(SystemCallError) ? error.class.name.delete_prefix("Errno::") : error.class.name
      raise ConnectionError.new("connection_failed", text, tries: tries)
    end

    # Every step together, the look-up of the name too: sockets limit the time of one step, not of all.
    # @return [Array(Integer, Hash, String)]
    def transmit(request, remaining_s)
      raise DeadlineError if remaining_s <= 0

      ::Timeout.timeout(remaining_s, DeadlineError) do
        uri = URI.parse(request.url)
        http = Net::HTTP.new(uri.hostname, uri.port)
        http.use_ssl = uri.scheme == "https"
        http.open_timeout = http.read_timeout = http.write_timeout = nil
        # Net::HTTP would send it again by itself, uncounted.
        http.max_retries = 0
        http.start { |connection| read_answer(connection, uri, request) }
      end
    end

    def read_answer(connection, uri, request)
      message = Net::HTTPGenericRequest.new(request.verb, !request.body.nil?, true, uri.request_uri, request.headers)
      message.body = request.body
      body = +""
      response = connection.request(message) do |answer|
        answer.read_body do |chunk|
          body << chunk
          raise IOError, "the answer is too large" if body.bytesize > MAX_ANSWER_BYTES
        end
      end
      expected = response["content-length"]
      raise EOFError, "the answer ended too early" if expected && body.bytesize < expected.to_i

      [response.code.to_i, response.to_hash.transform_values { |values| values.join(", ") }, body]
    end

    def parse_object(body)
      value = JSON.parse(body.force_encoding(Encoding::UTF_8))
      value.is_a?(Hash) ? value : nil
    rescue JSON::ParserError, EncodingError
      nil
    end

    def to_error(request, status, headers, members, meta)
      problem = members["error"].is_a?(Hash) ? members["error"] : {}
      details = {
        status: status, tries: meta.tries, rate_limit: meta.rate_limit, quota: meta.quota,
        retry_after_ms: AnswerMeta.read_retry_after_ms(headers)
      }
      code = problem["code"]
      if status < 400 || !code.is_a?(String)
        message = "Status #{status}, but the answer did not come from Gatehouse: " \
                  "check the url and the proxies in front of the service."
        return (status >= 500 ? ServerError : UnexpectedResponseError).new("unexpected_response", message, **details)
      end
      text = ->(name) { problem[name].is_a?(String) ? redact(problem[name], request) : nil }
      kind = ERROR_BY_CODE[code] || (status >= 500 ? ServerError : ApiError)
      kind.new(code, text.call("message") || code, param: text.call("param"), resolution: text.call("resolution"), **details)
    end

    # Removes the key and what was sent about a person, whatever their case.
    def redact(text, request)
      secrets = [@key, *request.private_texts].grep(String).map { |secret| secret.scrub.strip }.reject(&:empty?)
      # The longest first: one may be a part of another.
      pattern = secrets.sort_by { |secret| -secret.size }.map { |secret| Regexp.escape(secret) }.join("|")
      text.gsub(Regexp.new(pattern, Regexp::IGNORECASE), "[redacted]")
    end

    def now_ms
      Process.clock_gettime(Process::CLOCK_MONOTONIC, :float_millisecond)
    end
  end
  private_constant :Caller
end
