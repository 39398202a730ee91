# frozen_string_literal: true

module Gatehouse
  # How many requests may follow: limit (requests per second of the plan), remaining, reset_at_seconds (since 1970).
  RateLimitState = Struct.new(:limit, :remaining, :reset_at_seconds, keyword_init: true)
  # How much of the month is used: used, limit.
  QuotaState = Struct.new(:used, :limit, keyword_init: true)

  # The content of an answer's headers: rate_limit and quota (nil where the answer does not say), replayed,
  # shadow_verdict (for a key in shadow mode: what the verdict would be), tries (requests that were sent).
  AnswerMeta = Struct.new(:rate_limit, :quota, :replayed, :shadow_verdict, :tries, keyword_init: true) do
    # @param headers [Hash] by names in lower case
    def self.read(headers, tries)
      limit, remaining, reset = %w[limit remaining reset].map { |name| count(headers, "x-ratelimit-#{name}") }
      used, cap = %w[used limit].map { |name| count(headers, "x-quota-#{name}") }
      shadow = headers["x-gatehouse-shadow"]
      new(
        rate_limit: limit && remaining && reset &&
          RateLimitState.new(limit: limit, remaining: remaining, reset_at_seconds: reset),
        quota: used && cap && QuotaState.new(used: used, limit: cap),
        replayed: headers["idempotent-replayed"] == "true",
        shadow_verdict: VERDICTS.include?(shadow) ? shadow : nil,
        tries: tries
      ).freeze
    end

    # Only the form in seconds, which the service sends, is read.
    def self.read_retry_after_ms(headers)
      seconds = count(headers, "retry-after")
      seconds && (seconds * 1000)
    end

    def self.count(headers, name)
      text = headers[name].to_s
      text.match?(/\A[0-9]{1,15}\z/) ? text.to_i : nil
    end
    private_class_method :count
  end

  VERDICTS = %w[allow challenge block].freeze
end
