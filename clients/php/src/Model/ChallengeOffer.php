<?php

declare(strict_types=1);

namespace Gatehouse\Model;

/** Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit. Present only with the verdict `challenge`, where the service is set to give tokens. For your server: never send it to the visitor. */
final class ChallengeOffer
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
        /** Redeem it with `POST /v1/challenges` once the visitor has passed or failed your check. */
        public readonly string $token,
        /** Until when it can be redeemed, UTC. */
        public readonly string $expiresAt,
        public readonly array $raw,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            Read::text($data, 'token'),
            Read::text($data, 'expires_at'),
            $data,
        );
    }
}
