<?php

declare(strict_types=1);

namespace Gatehouse;

use Gatehouse\Breaker\CircuitBreaker;
use Gatehouse\Exception\ApiException;
use Gatehouse\Exception\AuthenticationException;
use Gatehouse\Exception\CircuitOpenException;
use Gatehouse\Exception\GatehouseException;
use Gatehouse\Exception\InvalidRequestException;
use Gatehouse\Exception\QuotaExceededException;
use Gatehouse\Exception\RateLimitException;
use Gatehouse\Exception\ServerException;
use Gatehouse\Exception\TimeoutException;
use Gatehouse\Exception\UnexpectedResponseException;

/** Makes one call of the API within its time: sends, retries where that is safe, and asks the circuit breaker first. */
final class Caller
{
    private const BASE_WAIT_MS = 100;
    private const MAX_WAIT_MS = 1000;
    private const REPEATABLE_STATUSES = [500, 502, 503, 504];
    private const BY_CODE = [
        'missing_field' => InvalidRequestException::class,
        'invalid_email' => InvalidRequestException::class,
        'invalid_ip' => InvalidRequestException::class,
        'challenge_invalid' => InvalidRequestException::class,
        'challenge_expired' => InvalidRequestException::class,
        'challenge_redeemed' => InvalidRequestException::class,
        'challenge_code_wrong' => InvalidRequestException::class,
        'challenge_mails_used' => InvalidRequestException::class,
        'challenge_mailbox_full' => InvalidRequestException::class,
        'challenge_proof_wrong' => InvalidRequestException::class,
        'bad_request' => InvalidRequestException::class,
        'payload_too_large' => InvalidRequestException::class,
        'headers_too_large' => InvalidRequestException::class,
        'unauthorized' => AuthenticationException::class,
        'token_revoked' => AuthenticationException::class,
        'key_expired' => AuthenticationException::class,
        'ip_not_allowed' => AuthenticationException::class,
        'rate_limit' => RateLimitException::class,
        'quota_exceeded' => QuotaExceededException::class,
        'internal_error' => ServerException::class,
        'storage_full' => ServerException::class,
        'unavailable' => ServerException::class,
    ];

    private readonly Transport $transport;

    /** @param ?CircuitBreaker $breaker null: never open */
    public function __construct(
        private readonly string $key,
        private readonly int $maxRetries,
        private readonly ?CircuitBreaker $breaker,
    ) {
        $this->transport = new Transport();
    }

    /**
     * @return array{array<mixed>, AnswerMeta} the body of the answer, and what its headers say
     *
     * @throws GatehouseException for every failure
     */
    public function call(ApiRequest $request): array
    {
        $waitMs = $this->breaker?->admit($request->timeoutMs);
        if ($waitMs !== null) {
            $message = 'The last calls failed, so nothing is sent until the next trial.';
            throw new CircuitOpenException('circuit_open', $message, retryAfterMs: $waitMs, tries: 0);
        }
        $isAvailable = null;
        try {
            $answer = $this->sendUntilAnswered($request);
            $isAvailable = true;

            return $answer;
        } catch (GatehouseException $error) {
            $isAvailable = $error->status !== null && $error->status < 500 && $error->errorCode !== 'unexpected_response';
            throw $error;
        } finally {
            $this->breaker?->record($isAvailable);
        }
    }

    /** @return array{array<mixed>, AnswerMeta} */
    private function sendUntilAnswered(ApiRequest $request): array
    {
        $endsAtMs = self::nowMs() + $request->timeoutMs;
        for ($tries = 1; ; ++$tries) {
            try {
                return $this->exchange($request, $tries, $endsAtMs - self::nowMs());
            } catch (GatehouseException $error) {
                if ($tries > $this->maxRetries || !self::mayRepeat($error, $request->isRepeatable)) {
                    throw $error;
                }
                // Full jitter: callers that failed together do not come back together.
                $backOffMs = mt_rand() / mt_getrandmax() * min(self::MAX_WAIT_MS, self::BASE_WAIT_MS * 2 ** ($tries - 1));
                $waitMs = $backOffMs + ($error->retryAfterMs ?? 0);
                if ($waitMs >= $endsAtMs - self::nowMs()) {
                    throw $error;
                }
                usleep((int) ($waitMs * 1000));
            }
        }
    }

    private static function mayRepeat(GatehouseException $error, bool $isRepeatable): bool
    {
        // Refused before anything was done: always safe.
        if ($error->errorCode === 'rate_limit') {
            return true;
        }

        return $isRepeatable
            && ($error->errorCode === 'connection_failed' || in_array($error->status, self::REPEATABLE_STATUSES, true));
    }

    /** @return array{array<mixed>, AnswerMeta} */
    private function exchange(ApiRequest $request, int $tries, float $remainingMs): array
    {
        if ($remainingMs <= 0) {
            throw new TimeoutException('timeout', sprintf('No answer within %g ms.', $request->timeoutMs), tries: $tries);
        }
        [$status, $headers, $body] = $this->transport->send($request, $remainingMs, $tries);
        $members = json_decode($body, true, 64);
        $isObject = is_array($members) && !array_is_list($members);
        $meta = AnswerMeta::read($headers, $tries);
        if ($status === 200 && $isObject && ($request->isAnswer)($members)) {
            return [$members, $meta];
        }
        throw $this->toError($request, $status, $headers, $isObject ? $members : [], $meta);
    }

    /**
     * @param array<string, string> $headers
     * @param array<mixed> $members
     */
    private function toError(ApiRequest $request, int $status, array $headers, array $members, AnswerMeta $meta): GatehouseException
    {
        $problem = is_array($members['error'] ?? null) ? $members['error'] : [];
        $code = $problem['code'] ?? null;
        $isKnown = $status >= 400 && is_string($code);
        $other = $status >= 500 ? ServerException::class : ($isKnown ? ApiException::class : UnexpectedResponseException::class);
        $class = $isKnown ? self::BY_CODE[$code] ?? $other : $other;
        $text = fn (string $name): ?string => is_string($problem[$name] ?? null) ? $this->redact($problem[$name], $request) : null;

        return new $class(
            $isKnown ? $code : 'unexpected_response',
            $isKnown
                ? $text('message') ?? $code
                : "Status $status, but the answer did not come from Gatehouse: check the url and the proxies in front of the service.",
            $status,
            $isKnown ? $text('param') : null,
            $isKnown ? $text('resolution') : null,
            AnswerMeta::readRetryAfterMs($headers),
            $meta->rateLimit,
            $meta->quota,
            $meta->tries,
        );
    }

    /** Removes the key and what was sent about a person, whatever their case. */
    private function redact(string $text, ApiRequest $request): string
    {
        $secrets = array_map(trim(...), array_filter([$this->key, ...$request->private], is_string(...)));
        $secrets = array_filter($secrets, static fn (string $secret): bool => $secret !== '');
        // The longest first: one may be a part of another.
        usort($secrets, static fn (string $a, string $b): int => strlen($b) <=> strlen($a));

        return str_ireplace($secrets, '[redacted]', $text);
    }

    private static function nowMs(): float
    {
        return hrtime(true) / 1e6;
    }
}
