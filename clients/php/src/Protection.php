<?php

declare(strict_types=1);

namespace Gatehouse;

use Gatehouse\Exception\GatehouseException;
use Gatehouse\Exception\InvalidRequestException;
use Gatehouse\Model\Assessment;

/** Decides what happens to a signup: the verdict, or what was chosen for the case that there is none. It never throws. */
final class Protection
{
    /** Time in which a repeated form is the same signup. */
    private const FORM_SECONDS = 600;
    /** Longer than any address can be: longer ones are not sent, so that nobody can make the request too large to answer. */
    private const MAX_EMAIL_BYTES = 1000;
    /** Longer than any session id: a visitor writes the cookie from which some applications take it. */
    private const MAX_TEXT_BYTES = 8192;
    private const UNUSABLE = ['invalid_email', 'invalid_ip', 'missing_field', 'payload_too_large'];
    /** Members that a signup can be assessed without: a fault in one must neither refuse people nor let them in. */
    private const DISPENSABLE = ['ip', 'session_id', 'brought_by', 'Idempotency-Key'];
    private const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip'];

    /**
     * @param string|int|array<mixed>|null $trustedProxies
     * @param ?\Closure(GatehouseException): mixed $onError
     * @param \Closure(array<string, string>, ?string, ?float): Assessment $assess
     */
    public function __construct(
        private readonly string $key,
        private readonly string|int|array|null $trustedProxies,
        private readonly string $onFailure,
        private readonly string $mode,
        private readonly ?\Closure $onError,
        private readonly \Closure $assess,
    ) {
    }

    /** @param array{ip: string|false|null, peer: ?string, session_id: mixed, brought_by: mixed, idempotency_key: mixed, timeout_ms: ?float} $options */
    public function protect(mixed $request, mixed $email, array $options): SignupDecision
    {
        $ip = null;
        try {
            $ip = $this->findIp($request, $options);
            $text = self::readEmail($email);
            if ($text === null) {
                return $this->withoutVerdict(self::missingEmail($email), $ip);
            }
            $assessment = $this->assess($text, $ip, $options);
            $isEnforced = $this->mode === 'enforce';

            return new SignupDecision(
                $isEnforced ? $assessment->verdict : 'allow',
                $assessment,
                $ip,
                $isEnforced && $assessment->signals->email->mailUnwanted === true,
            );
        } catch (GatehouseException $error) {
            return $this->withoutAssessment($error, $ip);
        } catch (\Throwable $fault) {
            Warnings::log('a fault of the client: ' . $fault::class);

            return $this->withoutVerdict(new GatehouseException('client_fault', $fault::class), $ip);
        }
    }

    /** @param array{ip: string|false|null, peer: ?string} $options */
    private function findIp(mixed $request, array $options): ?string
    {
        if ($options['ip'] !== false) {
            $address = IpAddress::parse($options['ip']);
            if ($address === null && ($options['ip'] ?? '') !== '') {
                Warnings::once('the ip is no address: signups are assessed without it');
            }

            return $address?->__toString();
        }
        if ($this->trustedProxies === null) {
            $view = new RequestView($request);
            foreach (self::FORWARDING_HEADERS as $name) {
                if ($view->header($name) !== null) {
                    Warnings::once('a proxy seems to be in front of this application: set trustedProxies, otherwise the address of the proxy is assessed');
                }
            }
        }

        return ClientIp::find($request, $this->trustedProxies, $options['peer']);
    }

    /** @param array<string, mixed> $options */
    private function assess(string $email, ?string $ip, array $options): Assessment
    {
        if (strlen($email) > self::MAX_EMAIL_BYTES) {
            throw new InvalidRequestException('invalid_email', 'The email address is not valid.', param: 'email');
        }
        $members = [
            'email' => $email,
            'ip' => $ip,
            'session_id' => $this->readText('session_id', $options['session_id']),
            'brought_by' => $this->readText('brought_by', $options['brought_by']),
        ];
        $request = array_filter($members, static fn (?string $text): bool => $text !== null);
        $formKey = $this->readText('Idempotency-Key', $options['idempotency_key']) ?? $this->deriveKey($members);
        try {
            return ($this->assess)($request, $formKey, $options['timeout_ms']);
        } catch (InvalidRequestException $error) {
            if (!in_array($error->param, self::DISPENSABLE, true)) {
                throw $error;
            }
            $this->report($error);
            unset($request[$error->param]);

            return ($this->assess)($request, null, $options['timeout_ms']);
        }
    }

    /** The data of this signup cannot be used, or Gatehouse failed. */
    private function withoutAssessment(GatehouseException $error, ?string $ip): SignupDecision
    {
        $isUnusable = in_array($error->errorCode, self::UNUSABLE, true);
        // A mistyped address is nothing to report.
        $isInvalid = $isUnusable && ($error->errorCode === 'payload_too_large' || $error->param === 'email');
        // A value that the visitor may have chosen does not let them in.
        $isOther = $isUnusable && in_array($error->param, self::DISPENSABLE, true);
        if (!$isInvalid && !$isOther) {
            return $this->withoutVerdict($error, $ip);
        }
        $decision = $this->mode === 'observe' ? 'allow' : ($isInvalid ? 'invalid' : 'block');

        return new SignupDecision($decision, ip: $ip, error: $error);
    }

    /** Reports why there is no answer. @return bool whether to challenge then */
    public function mustChallengeAfter(GatehouseException $error): bool
    {
        $this->report($error);

        return $this->mode === 'enforce' && $this->onFailure === 'challenge';
    }

    private function withoutVerdict(GatehouseException $error, ?string $ip): SignupDecision
    {
        $decision = $this->mustChallengeAfter($error) ? 'challenge' : 'allow';

        return new SignupDecision($decision, ip: $ip, failedOpen: $decision === 'allow', error: $error);
    }

    private function report(GatehouseException $error): void
    {
        if ($this->onError === null) {
            Warnings::log("no verdict for a signup: $error->errorCode: {$error->getMessage()}");

            return;
        }
        try {
            ($this->onError)($error);
        } catch (\Throwable $fault) {
            // A fault of the callback must not stop a signup.
            Warnings::log('onError failed: ' . $fault::class);
        }
    }

    /**
     * An equal key for a form that is sent again within ten minutes, so that it is one signup. It hides what is in it.
     *
     * @param array<string, ?string> $members
     */
    private function deriveKey(array $members): string
    {
        $parts = [$this->key, intdiv(time(), self::FORM_SECONDS), ...array_values($members)];

        return 'form-' . hash('sha256', json_encode($parts, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE));
    }

    /** `email[]=…` makes a list of a field: its text is that of all. Other values are no email. */
    private static function readEmail(mixed $value): ?string
    {
        if (is_string($value)) {
            return $value;
        }
        $isList = is_array($value) && $value !== [] && array_is_list($value) && array_filter($value, is_string(...)) === $value;

        return $isList ? implode(',', $value) : null;
    }

    private static function missingEmail(mixed $value): InvalidRequestException
    {
        $message = 'the email is of the type ' . get_debug_type($value)
            . ': is the body of the request parsed ($_POST has no JSON), and is this the name of its field?';

        return new InvalidRequestException('missing_field', $message, param: 'email');
    }

    /** A text that a signup can be assessed without; a number is its text. Any other value is reported and left out. */
    private function readText(string $param, mixed $value): ?string
    {
        $isLong = is_string($value) && strlen($value) > self::MAX_TEXT_BYTES;
        if ($value === null || (is_string($value) && !$isLong)) {
            return $value;
        }
        if (is_int($value)) {
            return (string) $value;
        }
        $fault = $isLong ? 'longer than 8192 bytes' : 'of the type ' . get_debug_type($value);
        $message = "the signup is assessed without $param, which is $fault";
        $this->report(new InvalidRequestException('missing_field', $message, param: $param));

        return null;
    }
}
