<?php

declare(strict_types=1);

namespace Gatehouse\Breaker;

/** For PHP-FPM with APCu: all workers of a pool. */
final class ApcuState implements BreakerState
{
    public function __construct(private readonly string $key)
    {
    }

    public static function isThere(): bool
    {
        return function_exists('apcu_enabled') && apcu_enabled();
    }

    public function load(): array
    {
        $state = apcu_fetch($this->key);

        return is_array($state) ? $state : ['failures' => 0, 'openUntilMs' => 0.0, 'trialUntilMs' => 0.0];
    }

    public function save(array $state): void
    {
        apcu_store($this->key, $state, 3600);
    }
}
