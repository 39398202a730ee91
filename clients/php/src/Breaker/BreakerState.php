<?php

declare(strict_types=1);

namespace Gatehouse\Breaker;

/** Place where the circuit breaker remembers failures: PHP forgets everything after each request, unless something keeps it. */
interface BreakerState
{
    /** @return array{failures: int, openUntilMs: float, trialUntilMs: float} */
    public function load(): array;

    /** @param array{failures: int, openUntilMs: float, trialUntilMs: float} $state */
    public function save(array $state): void;
}
