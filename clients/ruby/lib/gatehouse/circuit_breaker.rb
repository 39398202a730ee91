# frozen_string_literal: true

module Gatehouse
  # Decides whether a call may be sent: after failures in a row none is for a while, then one at a time until one succeeds.
  # The threads of a process share it.
  class CircuitBreaker
    # The wait that is named while another call is the trial.
    TRIAL_WAIT_MS = 1000.0

    # @param failures [Integer] calls that fail in a row until it opens
    # @param open_ms [Numeric] time that it stays open until one call may try again
    def initialize(failures:, open_ms:)
      @max_failures = failures
      @open_ms = open_ms
      @mutex = Mutex.new
      @failures = 0
      @open_until_ms = 0.0
      @is_trial_running = false
    end

    # @return [Proc, Float] either what must be called once with the outcome (true: the service is available, nil: unknown), or
    #   how many milliseconds the call must wait
    def admit
      @mutex.synchronize do
        next ->(outcome) { record(outcome) } if @failures < @max_failures
        next TRIAL_WAIT_MS if @is_trial_running

        wait_ms = @open_until_ms - now_ms
        next wait_ms if wait_ms.positive?

        @is_trial_running = true
        ->(outcome) { record(outcome, is_trial: true) }
      end
    end

    private

    def record(outcome, is_trial: false)
      @mutex.synchronize do
        @is_trial_running = false if is_trial
        next if outcome.nil?

        @failures = outcome ? 0 : @failures + 1
        @open_until_ms = now_ms + @open_ms if @failures >= @max_failures
      end
    end

    def now_ms
      Process.clock_gettime(Process::CLOCK_MONOTONIC, :float_millisecond)
    end
  end
  private_constant :CircuitBreaker
end
