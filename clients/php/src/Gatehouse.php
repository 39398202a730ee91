<?php

declare(strict_types=1);

namespace Gatehouse;

use Gatehouse\Breaker\ApcuState;
use Gatehouse\Breaker\BreakerState;
use Gatehouse\Breaker\CircuitBreaker;
use Gatehouse\Breaker\MemoryState;
use Gatehouse\Exception\GatehouseException;
use Gatehouse\Exception\InvalidRequestException;
use Gatehouse\Exception\OptionsException;
use Gatehouse\Model\AppealResponse;
use Gatehouse\Model\Assessment;
use Gatehouse\Model\ChallengeResponse;
use Gatehouse\Model\FeedbackResponse;
use Gatehouse\Model\OutcomeResponse;
use Gatehouse\Model\Usage;

/**
 * The client of one Gatehouse: its operations, each within its time, and the protection of a signup form.
 *
 * `protectSignup` never throws. Every other method throws only a `GatehouseException`.
 */
final class Gatehouse
{
    private const MAX_NUMBER = 2_147_483_647;
    /** Limit of the service. A larger request has no answer that can be relied on, so it is refused here. */
    private const MAX_BODY_BYTES = 64 * 1024;
    private const VISIBLE = '/^[\x21-\x7e]{1,255}$/D';

    public readonly string $url;

    private readonly string $key;

    private readonly Caller $caller;

    private readonly Protection $protection;

    /**
     * @param ?string $url of Gatehouse, such as `http://127.0.0.1:8080`; a path before `/v1` is kept
     * @param ?string $key an API key: a secret of your server
     * @param float $timeoutMs of one call, all tries and waits together
     * @param int $maxRetries tries after the first, where a repetition is safe
     * @param array{failures?: int, openMs?: float}|false $breaker when calls fail at once; false turns it off
     * @param ?BreakerState $breakerState where failures are remembered: APCu where it is there, else this process alone
     * @param string|int|array<mixed>|null $trustedProxies the proxies that may report the visitor's IP
     * @param string $onFailure `allow` or `challenge`: the decision without a verdict
     * @param string $mode `enforce`, or `observe`: every decision is `allow`
     * @param ?callable(GatehouseException): mixed $onError called whenever there is no verdict; default: a line in the log of PHP
     *
     * @throws OptionsException without the key in its message
     */
    public function __construct(
        ?string $url,
        #[\SensitiveParameter] ?string $key,
        private readonly float $timeoutMs = 3000,
        int $maxRetries = 2,
        array|false $breaker = [],
        ?BreakerState $breakerState = null,
        string|int|array|null $trustedProxies = null,
        string $onFailure = 'allow',
        string $mode = 'enforce',
        ?callable $onError = null,
    ) {
        $this->key = self::readKey($key);
        $this->url = self::readUrl($url);
        self::checkNumber('timeoutMs', $timeoutMs, 1);
        self::checkNumber('maxRetries', $maxRetries, 0);
        if (!in_array($onFailure, ['allow', 'challenge'], true)) {
            throw new OptionsException('invalid_options', 'onFailure: allow or challenge.');
        }
        if (!in_array($mode, ['enforce', 'observe'], true)) {
            throw new OptionsException('invalid_options', 'mode: enforce or observe.');
        }
        // A mistake in it shows now, not at the first signup.
        ClientIp::check($trustedProxies);
        $this->caller = new Caller($this->key, $maxRetries, $this->createBreaker($breaker, $breakerState));
        $this->protection = new Protection(
            $this->key,
            $trustedProxies,
            $onFailure,
            $mode,
            $onError === null ? null : \Closure::fromCallable($onError),
            fn (array $body, ?string $formKey, ?float $timeoutMs): Assessment => $this->sendAssessment($body, $formKey, $timeoutMs),
        );
    }

    /** Form for logs: the key does not show. @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['url' => $this->url, 'key' => substr($this->key, 0, 8) . '[redacted]'];
    }

    /**
     * Assesses a signup. Costs one credit with a live key.
     *
     * @param string|false|null $idempotencyKey 1 to 255 visible ASCII characters; false: none, then only refused requests are sent again; default: a random one
     *
     * @throws GatehouseException
     */
    public function assess(
        string $email,
        ?string $ip = null,
        ?string $sessionId = null,
        ?string $broughtBy = null,
        string|false|null $idempotencyKey = null,
        ?float $timeoutMs = null,
    ): Assessment {
        $body = ['email' => $email, 'ip' => $ip, 'session_id' => $sessionId, 'brought_by' => $broughtBy];

        return $this->sendAssessment($body, $idempotencyKey, $timeoutMs);
    }

    /**
     * Reads a stored assessment again; costs nothing.
     *
     * @throws GatehouseException
     */
    public function getAssessment(string $requestId, ?float $timeoutMs = null): Assessment
    {
        if ($requestId === '') {
            throw new InvalidRequestException('missing_field', 'The request id is missing.', param: 'request_id');
        }

        return Assessment::fromArray(...$this->read('/v1/assess/' . rawurlencode($requestId), self::hasVerdict(...), $timeoutMs));
    }

    /**
     * Reports that a verdict was wrong.
     *
     * @param string $outcome `false_positive` or `false_negative`
     *
     * @throws GatehouseException
     */
    public function feedback(
        string $requestId,
        string $outcome,
        ?string $note = null,
        string|false|null $idempotencyKey = null,
        ?float $timeoutMs = null,
    ): FeedbackResponse {
        $body = ['request_id' => $requestId, 'outcome' => $outcome, 'note' => $note];
        $isAnswer = static fn (array $answer): bool => ($answer['accepted'] ?? null) === true;

        return FeedbackResponse::fromArray(...$this->write('/v1/feedback', $body, $isAnswer, [$note], $idempotencyKey, $timeoutMs));
    }

    /**
     * Reports whether a challenged visitor passed, or reads the result of the challenge. One redemption hears the result, and a
     * caller that repeats it with the same idempotency key; every other gets `challenge_redeemed`.
     *
     * @param ?string $outcome `passed` or `failed`: the result of your own check
     * @param array{return_url?: string}|null $confirm order to make a link and a code instead
     * @param array{return_url?: string}|null $proof order to make a proof of work instead; `altcha` is the response to it
     *
     * @throws GatehouseException
     */
    public function redeemChallenge(
        string $token,
        ?string $outcome = null,
        ?string $turnstile = null,
        ?string $hcaptcha = null,
        ?string $recaptcha = null,
        ?array $confirm = null,
        ?string $code = null,
        ?array $proof = null,
        ?string $altcha = null,
        ?string $ip = null,
        string|false|null $idempotencyKey = null,
        ?float $timeoutMs = null,
    ): ChallengeResponse {
        $captchas = ['altcha' => $altcha, 'turnstile' => $turnstile, 'hcaptcha' => $hcaptcha, 'recaptcha' => $recaptcha];
        $body = ['token' => $token, 'outcome' => $outcome, ...$captchas, 'code' => $code, 'ip' => $ip];
        $body['confirm'] = $confirm === null ? null : (object) $confirm;
        $body['proof'] = $proof === null ? null : (object) $proof;
        $private = [$token, ...array_values($captchas), $ip];

        return ChallengeResponse::fromArray(
            ...$this->write('/v1/challenges', $body, self::hasText('status'), $private, $idempotencyKey, $timeoutMs),
        );
    }

    /**
     * Says what became of a signup, or of up to 100 in `outcomes`: Gatehouse learns from it.
     *
     * @param ?string $outcome `verified`, `never_verified`, `bounced`, `complained`, `paid` or `banned`
     * @param list<array{outcome: string, request_id?: string, email?: string}>|null $outcomes
     *
     * @throws GatehouseException
     */
    public function outcome(
        ?string $outcome = null,
        ?string $requestId = null,
        ?string $email = null,
        ?array $outcomes = null,
        string|false|null $idempotencyKey = null,
        ?float $timeoutMs = null,
    ): OutcomeResponse {
        $body = ['outcome' => $outcome, 'request_id' => $requestId, 'email' => $email, 'outcomes' => $outcomes];
        $isAnswer = static fn (array $answer): bool => is_int($answer['signups'] ?? null);
        $private = [$email, ...array_column($outcomes ?? [], 'email')];

        return OutcomeResponse::fromArray(...$this->write('/v1/outcomes', $body, $isAnswer, $private, $idempotencyKey, $timeoutMs));
    }

    /**
     * Makes a link that you may show to somebody who was stopped: there she says what happened.
     *
     * @throws GatehouseException
     */
    public function appealLink(
        string $requestId,
        ?int $validDays = null,
        string|false|null $idempotencyKey = null,
        ?float $timeoutMs = null,
    ): AppealResponse {
        $body = ['request_id' => $requestId, 'valid_days' => $validDays];

        return AppealResponse::fromArray(...$this->write('/v1/appeals', $body, self::hasText('url'), [], $idempotencyKey, $timeoutMs));
    }

    /**
     * Reads how much of the month's quota is used.
     *
     * @throws GatehouseException
     */
    public function usage(?float $timeoutMs = null): Usage
    {
        return Usage::fromArray(...$this->read('/v1/usage', self::hasText('plan'), $timeoutMs));
    }

    /**
     * Decides about one signup, and never throws: without a verdict, `onFailure` decides.
     *
     * @param mixed $request `$_SERVER`, a request of PSR-7, Symfony or Laravel, or headers by name
     * @param mixed $email the text that was typed; null (a body that nobody parsed) has no verdict
     * @param string|false|null $ip the visitor's address where you know it already; null: a signup without one; false: found in the request
     * @param ?string $peer the connection's address, where the request does not know it
     * @param mixed $idempotencyKey your own id of this attempt; default: the same for the same email, address, session and person who brings, for ten minutes
     */
    public function protectSignup(
        mixed $request,
        mixed $email,
        string|false|null $ip = false,
        ?string $peer = null,
        mixed $sessionId = null,
        mixed $broughtBy = null,
        mixed $idempotencyKey = null,
        ?float $timeoutMs = null,
    ): SignupDecision {
        return $this->protection->protect($request, $email, [
            'ip' => $ip,
            'peer' => $peer,
            'session_id' => $sessionId,
            'brought_by' => $broughtBy,
            'idempotency_key' => $idempotencyKey,
            'timeout_ms' => $timeoutMs,
        ]);
    }

    /**
     * Decides about a form, with its challenge, and never throws: `protectSignup`, and what comes after it.
     *
     * @param mixed $request as `protectSignup` takes it
     * @param array<mixed> $fields what the form sent, with the code or the CAPTCHA's response
     * @param mixed $challenge what you kept of the last decision
     * @param ?string $returnUrl page that a visitor sees after the link of the mail
     * @param bool|string $captcha whether your form can show one; its name (`turnstile`, `hcaptcha` or `recaptcha`) lets only that one count
     * @param ?string $check what is asked for without a CAPTCHA: `proof` (a proof of work, which `ProofField` shows) or `mail`; null: a mail where Gatehouse gives tokens, otherwise a proof of work
     */
    public function protectForm(
        mixed $request,
        mixed $email,
        array $fields = [],
        mixed $challenge = null,
        ?string $returnUrl = null,
        bool|string $captcha = false,
        ?string $check = null,
        string|false|null $ip = false,
        ?string $peer = null,
        mixed $sessionId = null,
        mixed $broughtBy = null,
        ?float $timeoutMs = null,
    ): FormDecision {
        return (new Form(
            $this->key,
            $email,
            $fields,
            $challenge,
            $returnUrl,
            $captcha,
            $check,
            fn (?string $formKey): SignupDecision => $this->protectSignup($request, $email, $ip, $peer, $sessionId, $broughtBy, $formKey, $timeoutMs),
            fn (string $token, array $answer): ChallengeResponse => $this->redeemChallenge($token, ...$answer, timeoutMs: $timeoutMs),
            $this->protection->mustChallengeAfter(...),
        ))->decide();
    }

    /** @param array<string, ?string> $body */
    private function sendAssessment(array $body, string|false|null $idempotencyKey, ?float $timeoutMs): Assessment
    {
        $private = [$body['email'], $body['ip'] ?? null, $body['session_id'] ?? null];

        return Assessment::fromArray(...$this->write('/v1/assess', $body, self::hasVerdict(...), $private, $idempotencyKey, $timeoutMs));
    }

    /** @return array{array<mixed>, AnswerMeta} */
    private function read(string $path, \Closure $isAnswer, ?float $timeoutMs): array
    {
        return $this->caller->call(
            new ApiRequest('GET', $this->url . $path, $this->headers(), null, $this->timeout($timeoutMs), true, $isAnswer, []),
        );
    }

    /**
     * @param array<string, mixed> $body
     * @param list<mixed> $private
     *
     * @return array{array<mixed>, AnswerMeta}
     */
    private function write(
        string $path,
        array $body,
        \Closure $isAnswer,
        array $private,
        string|false|null $idempotencyKey,
        ?float $timeoutMs,
    ): array {
        $headers = ['content-type' => 'application/json'] + $this->headers();
        if ($idempotencyKey !== false) {
            $key = $idempotencyKey ?? bin2hex(random_bytes(16));
            if (preg_match(self::VISIBLE, $key) !== 1) {
                $message = 'An idempotency key has 1 to 255 visible characters.';
                throw new InvalidRequestException('missing_field', $message, param: 'Idempotency-Key');
            }
            $headers['idempotency-key'] = $key;
        }
        $members = array_filter($body, static fn (mixed $value): bool => $value !== null);
        // Bytes that are no text must not make a signup fail: the service refuses the address.
        $text = json_encode($members, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
        if (strlen($text) > self::MAX_BODY_BYTES) {
            throw new InvalidRequestException('payload_too_large', 'The request is larger than 64 KiB, and is not sent.');
        }
        $timeout = $this->timeout($timeoutMs);

        return $this->caller->call(
            new ApiRequest('POST', $this->url . $path, $headers, $text, $timeout, $idempotencyKey !== false, $isAnswer, $private),
        );
    }

    /** @return array<string, string> */
    private function headers(): array
    {
        return ['authorization' => "Bearer $this->key", 'accept' => 'application/json'];
    }

    private function timeout(?float $timeoutMs): float
    {
        if ($timeoutMs !== null) {
            self::checkNumber('timeoutMs', $timeoutMs, 1);
        }

        return $timeoutMs ?? $this->timeoutMs;
    }

    /** @param array{failures?: int, openMs?: float}|false $options */
    private function createBreaker(array|false $options, ?BreakerState $state): ?CircuitBreaker
    {
        if ($options === false) {
            return null;
        }
        $failures = $options['failures'] ?? 5;
        $openMs = $options['openMs'] ?? 10_000;
        self::checkNumber('breaker.failures', $failures, 1);
        self::checkNumber('breaker.openMs', $openMs, 0);
        $name = 'gatehouse-breaker-' . hash('sha256', "$this->url $this->key");
        $state ??= ApcuState::isThere() ? new ApcuState($name) : new MemoryState();

        return new CircuitBreaker((int) $failures, (float) $openMs, $state);
    }

    /** @param array<mixed> $answer */
    private static function hasVerdict(array $answer): bool
    {
        return in_array($answer['verdict'] ?? null, AnswerMeta::VERDICTS, true);
    }

    private static function hasText(string $name): \Closure
    {
        return static fn (array $answer): bool => is_string($answer[$name] ?? null);
    }

    private static function checkNumber(string $name, mixed $value, int $min): void
    {
        if (!(is_int($value) || is_float($value)) || !($value >= $min && $value <= self::MAX_NUMBER)) {
            throw new OptionsException('invalid_options', "$name: a number from $min to " . self::MAX_NUMBER . '.');
        }
    }

    private static function readKey(?string $value): string
    {
        $key = trim($value ?? '');
        if (preg_match('/^sk_(?:live|test)_/', $key) !== 1 || preg_match(self::VISIBLE, $key) !== 1) {
            throw new OptionsException('invalid_options', 'key: an API key begins with sk_live_ or sk_test_.');
        }

        return $key;
    }

    private static function readUrl(?string $value): string
    {
        $url = parse_url(trim($value ?? ''));
        if ($url === false || !isset($url['host'])) {
            throw new OptionsException('invalid_options', 'url: the address of Gatehouse, such as http://127.0.0.1:8080.');
        }
        $isHttp = in_array(strtolower($url['scheme'] ?? ''), ['http', 'https'], true);
        if (!$isHttp || isset($url['user']) || isset($url['pass']) || isset($url['query']) || isset($url['fragment'])) {
            throw new OptionsException('invalid_options', 'url: http:// or https://, without credentials, query or fragment.');
        }

        return rtrim(trim((string) $value), '/');
    }
}
