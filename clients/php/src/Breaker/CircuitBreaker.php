<?php

declare(strict_types=1);

namespace Gatehouse\Breaker;

/** Decides whether a call may be sent: after failures in a row none is for a while, then one at a time until one succeeds. */
final class CircuitBreaker
{
    /** The wait that is named while another call is the trial. */
    private const TRIAL_WAIT_MS = 1000.0;

    private bool $isTrial = false;

    public function __construct(
        private readonly int $failures,
        private readonly float $openMs,
        private readonly BreakerState $state,
    ) {
    }

    /**
     * @param float $timeoutMs of the call: a trial that did not end by then, because its process was killed, is none
     *
     * @return ?float null: the call may be sent, and must record its outcome; otherwise how long it must wait
     */
    public function admit(float $timeoutMs): ?float
    {
        $this->isTrial = false;
        $state = $this->state->load();
        if ($state['failures'] < $this->failures) {
            return null;
        }
        $now = self::nowMs();
        if ($state['trialUntilMs'] > $now && $state['trialUntilMs'] - $now <= 2 * $timeoutMs) {
            return self::TRIAL_WAIT_MS;
        }
        $waitMs = $state['openUntilMs'] - $now;
        // A longer wait comes from before the machine was started again.
        if ($waitMs > 0 && $waitMs <= $this->openMs) {
            return $waitMs;
        }
        $this->isTrial = true;
        $this->state->save(['trialUntilMs' => $now + $timeoutMs] + $state);

        return null;
    }

    /** @param ?bool $isAvailable null: the call ended without a result */
    public function record(?bool $isAvailable): void
    {
        $state = $this->state->load();
        $before = $state;
        if ($this->isTrial) {
            $state['trialUntilMs'] = 0.0;
        }
        if ($isAvailable !== null) {
            $state['failures'] = $isAvailable ? 0 : $state['failures'] + 1;
        }
        if ($isAvailable === false && $state['failures'] >= $this->failures) {
            $state['openUntilMs'] = self::nowMs() + $this->openMs;
        }
        if ($state !== $before) {
            $this->state->save($state);
        }
    }

    /** Time since the machine was started, the same in all processes. */
    private static function nowMs(): float
    {
        return hrtime(true) / 1e6;
    }
}
