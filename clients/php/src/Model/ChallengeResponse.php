<?php

declare(strict_types=1);

namespace Gatehouse\Model;

use Gatehouse\AnswerMeta;

/** Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit. */
final class ChallengeResponse
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
        /** Id of the assessment. */
        public readonly string $requestId,
        /** `pending`: it can still be redeemed. `unknown`: the provider of the CAPTCHA gave no verdict; nothing was stored, and you decide. One of pending, passed, failed, unknown. */
        public readonly string $status,
        /** Until when the challenge can be redeemed, UTC. */
        public readonly string $expiresAt,
        /** How the result was found; absent while it is pending. One of application, altcha, turnstile, hcaptcha, recaptcha, link, code. */
        public readonly ?string $method,
        /** When the result was stored, UTC; absent while it is pending. */
        public readonly ?string $redeemedAt,
        public readonly ?ChallengeConfirmation $confirmation,
        public readonly ?ChallengeProof $proof,
        /** Why a response to a CAPTCHA gave no result, for people. */
        public readonly ?string $detail,
        public readonly ?AnswerMeta $meta,
        public readonly array $raw,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data, ?AnswerMeta $meta = null): self
    {
        return new self(
            Read::text($data, 'request_id'),
            Read::text($data, 'status'),
            Read::text($data, 'expires_at'),
            Read::textOrNull($data, 'method'),
            Read::textOrNull($data, 'redeemed_at'),
            isset($data['confirmation']) ? ChallengeConfirmation::fromArray(Read::members($data, 'confirmation')) : null,
            isset($data['proof']) ? ChallengeProof::fromArray(Read::members($data, 'proof')) : null,
            Read::textOrNull($data, 'detail'),
            $meta,
            $data,
        );
    }
}
