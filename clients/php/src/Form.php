<?php

declare(strict_types=1);

namespace Gatehouse;

use Gatehouse\Exception\GatehouseException;
use Gatehouse\Exception\InvalidRequestException;
use Gatehouse\Model\ChallengeResponse;

/** Carries a whole signup form through its challenge: it is sent, asks for a proof of work, a code or a CAPTCHA, and is sent again with the answer. */
final class Form
{
    /** Field of a form with the code from the mail. */
    public const CODE_FIELD = 'gatehouse_code';
    /** Field that the widget of a CAPTCHA adds to its form → how its response is redeemed. */
    public const CAPTCHA_FIELDS = [
        'cf-turnstile-response' => 'turnstile',
        'h-captcha-response' => 'hcaptcha',
        'g-recaptcha-response' => 'recaptcha',
    ];
    /** Refusal of another mail: the service counts them, because a form that is sent again and again must fill nobody's mailbox. */
    private const MAILS_USED = 'challenge_mails_used';
    private const MAILBOX_FULL = 'challenge_mailbox_full';
    /**
     * Longest answers that the service reads. Longer ones are wrong and are not sent: a request that is too large has no answer,
     * and a visitor must not be let in by that.
     */
    private const MAX_CODE_BYTES = 20;
    private const MAX_RESPONSE_BYTES = 8192;
    private const MAX_RETURN_URL_BYTES = 2048;
    /** Member of a redemption → problem with it; the others are CAPTCHAs. */
    private const PROBLEMS = ['code' => 'wrong_code', 'altcha' => 'proof'];
    /** Challenges that no answer can settle any more: the signup is assessed again. */
    private const OVER = ['challenge_expired', 'challenge_invalid', 'challenge_redeemed'];

    private readonly string $digest;
    private readonly ?string $returnUrl;

    /**
     * @param array<mixed> $fields what the form sent
     * @param ?string $check `proof` or `mail`; null: a mail where Gatehouse gives tokens, otherwise a proof of work
     * @param \Closure(?string): SignupDecision $protect assesses the form, with an idempotency key of its own or null
     * @param \Closure(string, array<string, mixed>): ChallengeResponse $redeem
     * @param \Closure(GatehouseException): bool $onFailure reports an error, and says whether to challenge
     */
    public function __construct(
        string $key,
        mixed $email,
        private readonly array $fields,
        private readonly mixed $kept,
        ?string $returnUrl,
        private readonly bool|string $captcha,
        private readonly ?string $check,
        private readonly \Closure $protect,
        private readonly \Closure $redeem,
        private readonly \Closure $onFailure,
    ) {
        // It may come from a header that the visitor wrote.
        $this->returnUrl = strlen($returnUrl ?? '') <= self::MAX_RETURN_URL_BYTES ? $returnUrl : null;
        $text = strtolower(trim(is_string($email) ? $email : ''));
        $this->digest = hash('sha256', json_encode([$key, $text], JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE));
    }

    /** Never throws: without an answer from Gatehouse, `onFailure` decides. */
    public function decide(): FormDecision
    {
        $pending = $this->readPending();
        try {
            return $pending === null ? $this->start(($this->protect)(null)) : $this->continue($pending);
        } catch (GatehouseException $error) {
            return $this->withoutAnswer($error, $pending);
        } catch (\Throwable $fault) {
            Warnings::log('a fault of the client: ' . $fault::class);

            return $this->withoutAnswer(new GatehouseException('client_fault', $fault::class), $pending);
        }
    }

    /** @param array<string, mixed> $pending */
    private function continue(array $pending): FormDecision
    {
        $answer = $this->readAnswer($pending);
        foreach ($answer as $name => $text) {
            if (strlen($text) > ($name === 'code' ? self::MAX_CODE_BYTES : self::MAX_RESPONSE_BYTES)) {
                return self::refuse($pending, $answer);
            }
        }
        try {
            return $this->settle($pending, $answer);
        } catch (InvalidRequestException $error) {
            if (in_array($error->errorCode, self::OVER, true)) {
                return $this->start(($this->protect)(self::nameOf('again', $pending['token'])));
            }
            if ($answer === []) {
                throw $error;
            }

            // A value that the visitor may have chosen does not let them in.
            return self::refuse($pending, $answer);
        }
    }

    /**
     * @param array<string, mixed> $pending
     * @param array<string, string> $answer
     */
    private static function refuse(array $pending, array $answer): FormDecision
    {
        return self::ask($pending, problem: self::PROBLEMS[array_key_first($answer)] ?? 'captcha');
    }

    private function start(SignupDecision $signup): FormDecision
    {
        return $this->begin($signup)->of($signup);
    }

    private function begin(SignupDecision $signup, bool $mayRepeat = true): FormDecision
    {
        if ($signup->decision !== 'challenge') {
            // A mail of yours would reach a stranger.
            $isUnwanted = $signup->decision === 'allow' && $signup->mailUnwanted;

            return new FormDecision($isUnwanted ? 'block' : $signup->decision);
        }
        if ($signup->assessment === null) {
            return self::unavailable();
        }
        if ($signup->mailUnwanted && $this->captcha === false) {
            return new FormDecision('block');
        }
        $id = $signup->assessment->requestId;
        try {
            return $this->askFirst($this->newChallenge($signup), $id);
        } catch (InvalidRequestException $error) {
            if (!in_array($error->errorCode, self::OVER, true)) {
                throw $error;
            }
            if (!$mayRepeat) {
                return self::unavailable();
            }
            // The answer to an equal form was repeated, with a challenge that is used up.
            $repeated = ($this->protect)(self::nameOf('again', $id));
            $isSame = in_array($repeated->assessment?->requestId, [null, $id], true);

            return $repeated->decision === 'challenge' && $isSame ? new FormDecision('block') : $this->begin($repeated, false);
        }
    }

    /** @return array<string, mixed> */
    private function newChallenge(SignupDecision $signup): array
    {
        $token = $signup->assessment?->challenge?->token;
        $hasMail = $this->check === 'mail' || ($this->check !== 'proof' && $token !== null);

        return [
            'token' => $token ?? $signup->assessment?->requestId,
            'for' => $this->digest,
            // One session is told the result of a challenge: the attempt names it.
            'attempt' => bin2hex(random_bytes(8)),
            'by_mail' => $hasMail && !$signup->mailUnwanted,
            'unwanted' => $signup->mailUnwanted,
        ];
    }

    /** @param array<string, mixed> $pending */
    private function askFirst(array $pending, string $requestId): FormDecision
    {
        if ($this->captcha !== false) {
            return self::ask(['captcha' => true] + $pending);
        }

        return $pending['by_mail'] ? $this->orderMail($pending) : $this->orderProof(['token' => $requestId] + $pending);
    }

    /** @param array<string, mixed> $pending */
    private function orderProof(array $pending): FormDecision
    {
        unset($pending['captcha']);
        $order = ($this->redeem)($pending['token'], ['proof' => []]);
        if ($order->proof === null) {
            throw new InvalidRequestException('challenge_redeemed', 'The challenge has a result.', param: 'token');
        }

        // The id may be shown to the visitor, a token never.
        return self::ask(['token' => $order->requestId, 'proof' => $order->proof->challenge] + $pending);
    }

    /**
     * @param array<string, mixed> $pending
     * @return array<string, string> what the visitor answered to the challenge, as it is redeemed; empty where she sent nothing that was asked for
     */
    private function readAnswer(array $pending): array
    {
        if (($pending['captcha'] ?? false) === true) {
            return $this->readCaptcha();
        }
        if (isset($pending['proof'])) {
            $solved = $this->fields[ProofField::NAME] ?? null;

            return is_string($solved) && $solved !== '' ? ['altcha' => $solved] : [];
        }
        $code = $this->fields[self::CODE_FIELD] ?? null;

        return is_string($code) && trim($code) !== '' ? ['code' => trim($code)] : [];
    }

    /** @return array<string, string> */
    private function readCaptcha(): array
    {
        foreach (self::CAPTCHA_FIELDS as $field => $name) {
            $response = $this->fields[$field] ?? null;
            if (($this->captcha === true || $this->captcha === $name) && is_string($response) && $response !== '') {
                return [$name => $response];
            }
        }

        return [];
    }

    /**
     * @param array<string, mixed> $pending
     * @param array<string, string> $answer
     */
    private function settle(array $pending, array $answer): FormDecision
    {
        $token = $pending['token'];
        $name = ['idempotencyKey' => self::nameOf('form', "$token " . ($pending['attempt'] ?? ''))];
        $result = ($this->redeem)($token, $answer === [] ? [] : $answer + $name);
        if ($result->status === 'passed' && $answer === []) {
            // The link of the mail was opened, maybe elsewhere.
            $result = ($this->redeem)($token, ['outcome' => 'passed'] + $name);
        }
        if ($result->status === 'passed') {
            return new FormDecision('allow', reference: $result->requestId);
        }
        if ($result->status === 'failed') {
            return new FormDecision('block', $pending, reference: $result->requestId);
        }
        if (isset($pending['proof'])) {
            return self::ask($pending);
        }
        if (($pending['captcha'] ?? false) && $result->status === 'pending') {
            return self::ask($pending, problem: $answer === [] ? null : 'captcha');
        }

        // The provider of the CAPTCHA is away, or the form was sent again for another mail.
        if ($pending['by_mail']) {
            return $this->orderMail($pending);
        }

        return ($pending['unwanted'] ?? true) ? self::ask($pending, problem: 'captcha') : $this->orderProof($pending);
    }

    /** @param array<string, mixed> $pending */
    private function orderMail(array $pending): FormDecision
    {
        $token = $pending['token'];
        unset($pending['captcha']);
        try {
            $order = $this->order($token);
        } catch (InvalidRequestException $error) {
            if (in_array($error->errorCode, self::OVER, true)) {
                throw $error;
            }

            return $this->withoutMail($pending, $error);
        }
        if ($order->confirmation === null) {
            throw new InvalidRequestException('challenge_redeemed', 'The challenge has a result.', param: 'token');
        }

        return self::ask($pending, mail: $order->confirmation);
    }

    /** @param array<string, mixed> $pending */
    private function withoutMail(array $pending, InvalidRequestException $error): FormDecision
    {
        if ($error->errorCode === self::MAILBOX_FULL) {
            // The newest mail belongs to somebody else's form: nothing is asked for.
            return new FormDecision('challenge', problem: 'mailbox_full');
        }
        if ($error->errorCode === self::MAILS_USED) {
            return self::ask($pending, problem: 'mails_used');
        }
        Warnings::log("no mail can be ordered, so a proof of work is asked for: {$error->getMessage()}");

        return $this->orderProof($pending);
    }

    private function order(string $token): ChallengeResponse
    {
        try {
            return ($this->redeem)($token, ['confirm' => $this->returnUrl === null ? [] : ['return_url' => $this->returnUrl]]);
        } catch (InvalidRequestException $error) {
            $isAboutUrl = !in_array($error->errorCode, [self::MAILS_USED, self::MAILBOX_FULL], true) && in_array($error->param, ['return_url', 'confirm'], true);
            if ($this->returnUrl === null || !$isAboutUrl) {
                throw $error;
            }

            return ($this->redeem)($token, ['confirm' => []]);
        }
    }

    /** @param array<string, mixed> $pending */
    private static function ask(array $pending, mixed ...$members): FormDecision
    {
        return new FormDecision(
            'challenge',
            $pending,
            ...$members,
            asksCaptcha: ($pending['captcha'] ?? false) === true,
            proof: $pending['proof'] ?? null,
            // A token that is no id is never shown.
            reference: str_starts_with($pending['token'], 'req_') ? $pending['token'] : 'none',
        );
    }

    /** @param ?array<string, mixed> $pending */
    private function withoutAnswer(GatehouseException $error, ?array $pending): FormDecision
    {
        if (!($this->onFailure)($error)) {
            return new FormDecision('allow', mustConfirm: true);
        }

        return $pending === null ? self::unavailable() : self::ask($pending);
    }

    private static function unavailable(): FormDecision
    {
        return new FormDecision('challenge', problem: 'unavailable');
    }

    /** @return ?array<string, mixed> the challenge that was kept, where it is for this address: a visitor may have corrected it */
    private function readPending(): ?array
    {
        $kept = is_array($this->kept) ? $this->kept + ['by_mail' => false] : [];
        $isOurs = is_string($kept['token'] ?? null) && ($kept['for'] ?? null) === $this->digest;

        return $isOurs ? $kept : null;
    }

    /** An idempotency key: a form that is sent twice hears the same result. */
    private static function nameOf(string $purpose, string $token): string
    {
        return "$purpose-" . hash('sha256', $token);
    }
}
