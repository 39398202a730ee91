<?php

declare(strict_types=1);

namespace Gatehouse\WordPress;

use Gatehouse\Breaker\BreakerState;

/** Remembers failures between requests, which PHP forgets. A state that cannot be read means that no failure is known. */
final class TransientState implements BreakerState
{
    private const NAME = 'gatehouse_breaker';
    private const SECONDS = 600;

    public function load(): array
    {
        $kept = get_transient(self::NAME);

        return (is_array($kept) ? $kept : []) + ['failures' => 0, 'openUntilMs' => 0.0, 'trialUntilMs' => 0.0];
    }

    public function save(array $state): void
    {
        set_transient(self::NAME, $state, self::SECONDS);
    }
}
