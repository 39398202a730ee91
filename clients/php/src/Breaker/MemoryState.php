<?php

declare(strict_types=1);

namespace Gatehouse\Breaker;

/** For workers that live on (Octane, RoadRunner, queues, command line): this process alone. */
final class MemoryState implements BreakerState
{
    /** @var array{failures: int, openUntilMs: float, trialUntilMs: float} */
    private array $state = ['failures' => 0, 'openUntilMs' => 0.0, 'trialUntilMs' => 0.0];

    public function load(): array
    {
        return $this->state;
    }

    public function save(array $state): void
    {
        $this->state = $state;
    }
}
