<?php

declare(strict_types=1);

namespace Gatehouse;

/** How many requests may follow. */
final class RateLimitState
{
    /**
     * @param int $limit requests per second of the plan
     * @param int $remaining requests that may follow at once
     * @param int $resetAtSeconds time at which a refused caller may try again: seconds since 1970
     */
    public function __construct(
        public readonly int $limit,
        public readonly int $remaining,
        public readonly int $resetAtSeconds,
    ) {
    }
}
