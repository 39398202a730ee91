<?php

declare(strict_types=1);

namespace Gatehouse;

/** The content of an answer's headers: rate limit, quota, whether it is a replay, the verdict in shadow mode. */
final class AnswerMeta
{
    public const VERDICTS = ['allow', 'challenge', 'block'];

    /**
     * @param ?RateLimitState $rateLimit null where the answer does not say, as for feedback
     * @param ?QuotaState $quota null where the answer does not say
     * @param bool $replayed the service had answered this idempotency key before, and answers the same again
     * @param ?string $shadowVerdict for a key in shadow mode: what the verdict would be
     * @param int $tries requests that were sent until this answer arrived
     */
    public function __construct(
        public readonly ?RateLimitState $rateLimit,
        public readonly ?QuotaState $quota,
        public readonly bool $replayed,
        public readonly ?string $shadowVerdict,
        public readonly int $tries,
    ) {
    }

    /** @param array<string, string> $headers by names in lower case */
    public static function read(array $headers, int $tries): self
    {
        $limit = self::count($headers, 'x-ratelimit-limit');
        $remaining = self::count($headers, 'x-ratelimit-remaining');
        $reset = self::count($headers, 'x-ratelimit-reset');
        $used = self::count($headers, 'x-quota-used');
        $cap = self::count($headers, 'x-quota-limit');
        $shadow = $headers['x-gatehouse-shadow'] ?? null;

        return new self(
            $limit === null || $remaining === null || $reset === null
                ? null
                : new RateLimitState($limit, $remaining, $reset),
            $used === null || $cap === null ? null : new QuotaState($used, $cap),
            ($headers['idempotent-replayed'] ?? '') === 'true',
            in_array($shadow, self::VERDICTS, true) ? $shadow : null,
            $tries,
        );
    }

    /**
     * `Retry-After` in milliseconds. Only the form in seconds, which the service sends, is read.
     *
     * @param array<string, string> $headers
     */
    public static function readRetryAfterMs(array $headers): ?float
    {
        $seconds = self::count($headers, 'retry-after');

        return $seconds === null ? null : $seconds * 1000.0;
    }

    /** @param array<string, string> $headers */
    private static function count(array $headers, string $name): ?int
    {
        $text = $headers[$name] ?? '';

        return preg_match('/^[0-9]{1,15}$/D', $text) === 1 ? (int) $text : null;
    }
}
