<?php

declare(strict_types=1);

namespace Gatehouse;

/** One request of the API; each try sends the same. */
final class ApiRequest
{
    /**
     * @param array<string, string> $headers
     * @param bool $isRepeatable whether it may be sent again when nobody knows if it arrived
     * @param \Closure(array<mixed>): bool $isAnswer whether a body with status 200 is the expected message
     * @param list<mixed> $private texts that never show in an error
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        public readonly array $headers,
        public readonly ?string $body,
        public readonly float $timeoutMs,
        public readonly bool $isRepeatable,
        public readonly \Closure $isAnswer,
        public readonly array $private,
    ) {
    }
}
